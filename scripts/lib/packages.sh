# Debian packages: which are missing, and installing them.

# What building and running need: the C++ library that Swift's compiler uses, and the libraries of the host.
build_packages=(
  binutils ca-certificates g++ git libc6-dev libcctz-dev libcurl4-openssl-dev liblua5.4-dev libmosquitto-dev libncurses6
  libsqlite3-dev libssl-dev libwslay-dev libxml2 pkg-config tzdata zlib1g-dev
)

# Makes sure that packages are installed; stops with the line to type where that needs an administrator.
require_packages() {
  if ! command -v dpkg-query >/dev/null; then
    say "this is no Debian system: make sure that it has what these packages hold: $*"
    return
  fi
  local missing=() package
  for package in "$@"; do
    [[ $(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=()
  if ((EUID != 0)); then
    if ! sudo -n true 2>/dev/null; then
      fail "packages are missing; install them with: sudo apt-get install ${missing[*]}"
    fi
    as_root=(sudo -n)
  fi
  say "installing ${missing[*]}"
  local install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends)
  "${install[@]}" "${missing[@]}" >&2 && return
  say "trying again with a fresh list of packages"
  "${as_root[@]}" apt-get update -q >&2 || fail "apt-get update failed; see above"
  "${install[@]}" "${missing[@]}" >&2 || fail "apt-get could not install ${missing[*]}; see above"
}
