# The Swift toolchain.

swift_needed=6.2

# Makes sure that Swift is there and new enough; says how to get it otherwise.
require_swift() {
  local swiftly=${SWIFTLY_BIN_DIR:-$HOME/.local/share/swiftly/bin}
  if ! command -v swift >/dev/null && [[ -x $swiftly/swift ]]; then PATH=$swiftly:$PATH; fi
  command -v swift >/dev/null || explain_swift "Swift was not found"
  local output version
  output=$(swift --version 2>&1) || fail "'swift --version' failed: $output"
  version=$(sed -n 's/.*Swift version \([0-9][0-9.]*\).*/\1/p' <<<"$output" | head -n 1)
  [[ -n $version ]] || fail "'swift --version' names no version: $output"
  local oldest
  oldest=$(printf '%s\n' "$swift_needed" "$version" | sort -V | head -n 1)
  [[ $oldest == "$swift_needed" ]] || explain_swift "Swift $version is too old"
}

explain_swift() {
  say "$1; version $swift_needed or newer is needed"
  cat >&2 <<'TEXT'

  Get the toolchain for Debian 12 from https://www.swift.org/install/linux/ , either with swiftly, or by hand:
  unpack the archive and put its folder usr/bin on the PATH, for example

    sudo mkdir -p /opt/swift
    sudo tar -xzf swift-*-RELEASE-debian12.tar.gz -C /opt/swift --strip-components 1
    export PATH=/opt/swift/usr/bin:$PATH

  Then run this again.
TEXT
  exit 1
}
