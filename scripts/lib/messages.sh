# What the scripts tell: on standard error, so that standard output is the program's alone.

say() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

fail() {
  say "$@"
  exit 1
}
