# The real peers of the tests: servers of Debian, and from Python's package index in a virtual environment of the
# repository.

peer_packages=(websockets aiohttp aiosmtpd)
# Servers of Debian that some tests speak with.
peer_servers=(node-ws tinyproxy-bin)
# Where systemd runs, installing nginx starts it: there its tests run if it is installed already.
[[ -d /run/systemd/system ]] || peer_servers+=(nginx-light)

# Makes the environment unless it is there, and names its Python to the tests. Without it they skip what needs it.
prepare_peers() {
  (require_packages "${peer_servers[@]}") || say "tests against servers that are missing are skipped"
  if ! has_peers; then
    say "preparing .venv with ${peer_packages[*]}"
    if ! python3 -m venv .venv >&2 || ! .venv/bin/python -m pip install --quiet "${peer_packages[@]}" >&2 || ! has_peers
    then
      say "Python's package index can't be reached: tests against real servers are skipped"
      return
    fi
  fi
  export PIPELINE_TEST_PYTHON=$PWD/.venv/bin/python
}

has_peers() { [[ -x .venv/bin/python ]] && .venv/bin/python -c 'import aiohttp, aiosmtpd, websockets' 2>/dev/null; }
