# Measuring clients of a live feed: a local server sends them messages.

live=$bench/live
declare -A plural=([price]=prices [trade]=trades)

# Builds the server, its certificate, and a folder with a configuration for each shape.
prepare_blaster() {
  require_packages libssl-dev openssl
  mkdir -p "$live"
  cp "$parts"/live/*.lua "$live"
  compile blaster "$parts"/live/{blaster,connection}.cpp "$parts"/live/{connection,messages}.h -lssl -lcrypto
  [[ -s $live/cert.pem ]] ||
    openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=localhost -addext subjectAltName=IP:127.0.0.1 \
      -keyout "$live/key.pem" -out "$live/cert.pem" 2>/dev/null
  export BENCH_CA=$PWD/$live/cert.pem
  local shape
  for shape in price trade; do configure "$shape" 1; done
}

# Writes a configuration with so many connections, each a source: configure SHAPE CONNECTIONS
configure() {
  local n
  {
    echo 'return {'
    echo '  sources = {'
    for ((n = 1; n <= $2; n++)); do
      echo "    feed$n = source.websocket { url = env \"BENCH_URL\", ca_file = \"cert.pem\" },"
    done
    echo '  },'
    echo "  scripts = { bench = { file = \"${plural[$1]}.lua\", params = { sources = $2 }, from = {"
    for ((n = 1; n <= $2; n++)); do echo "    $1$n = \"feed$n\","; done
    echo '  } } },'
    echo '  channels = { screen = channel.console {} },'
    echo '}'
  } >"$live/$1-$2.lua"
}

# Sends messages to a program and adds a line with what it measured to $live/RESULT: blast RESULT OPTION… -- PROGRAM…
blast() {
  local result=$live/$1
  shift
  "$bench/blaster" "$@" >"$live/output" 2>"$live/errors" ||
    { tail -n 20 "$live/errors" >&2; fail "'blaster $*' failed; see above"; }
  sed -n 's/^messages=/&/p' "$live/output" >>"$result"
}

# The values of a name in a result, a line each.
values() { sed -n "s/.*\b$2=\([0-9]*\).*/\1/p" "$live/$1"; }

# The median of processor time or duration per message: per_message RESULT processor|nanoseconds
per_message() {
  sed -n "s/.*messages=\([0-9]*\).* $2=\([0-9]*\).*/\2 \1/p;s/.*messages=\([0-9]*\) $2=\([0-9]*\).*/\2 \1/p" "$live/$1" |
    awk '{ print $1 / $2 }' | median
}
