# What the measurements hold beside the host: Python with its fast libraries, in an environment of their own, and Node.

peer_libraries=(orjson uvloop picows aiohttp websockets)
python=$PWD/.build/bench/venv/bin/python

# Makes the environment unless it is there.
prepare_python() {
  require_packages python3 python3-venv
  has_libraries && return
  say "preparing ${python%/bin/python} with ${peer_libraries[*]}"
  python3 -m venv "${python%/bin/python}" >&2
  "$python" -m pip install --quiet --disable-pip-version-check "${peer_libraries[@]}" >&2
  has_libraries || fail "the libraries ${peer_libraries[*]} could not be installed; is Python's package index reachable?"
}

has_libraries() { [[ -x $python ]] && "$python" -c 'import aiohttp, orjson, picows, uvloop, websockets' 2>/dev/null; }

# Makes sure that Node and its library are there.
prepare_node() {
  require_packages node-ws
  export NODE_PATH=/usr/share/nodejs
}
