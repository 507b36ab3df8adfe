# Counting instructions under Valgrind, and blocks of memory without it.

# Makes what holds the clock still, and what counts blocks.
prepare_counting() {
  require_packages valgrind
  # Lua takes the time into the seed of its hashes: with the same time it counts the same again.
  printf '#include <time.h>\ntime_t time(time_t *at) { return at ? *at = 1767225600 : 1767225600; }\n' |
    "$compiler" -shared -fPIC -O2 -x c - -o "$bench/clock.so"
  "$compiler" -shared -fPIC -O2 "$parts/blocks.c" -o "$bench/blocks.so"
}

# Counts a program's instructions: count OUTPUT PROGRAM ARGUMENTS…
count() {
  local output=$1
  shift
  LD_PRELOAD=$PWD/$bench/clock.so setarch -R \
    valgrind --tool=callgrind --callgrind-out-file="$output.callgrind" "$@" >"$output" 2>"$output.valgrind" ||
    { cat "$output.valgrind" >&2; fail "'$*' failed; see above"; }
  sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p' "$output.valgrind"
}

# Counts the blocks of memory that a program allocates: blocks PROGRAM ARGUMENTS…
blocks() {
  LD_PRELOAD=$PWD/$bench/blocks.so:$PWD/$bench/clock.so BENCH_BLOCKS=$bench/blocks setarch -R "$@" >/dev/null \
    2>"$bench/blocks.log" || { cat "$bench/blocks.log" >&2; fail "'$*' failed; see above"; }
  cat "$bench/blocks"
}

# Instructions per message of a program, from the recordings of a shape: cost NAME SHAPE COMMAND
# COMMAND SHAPE RECORDING writes the command, a word a line; the alerts are left in $bench/NAME.alerts.
cost() {
  local name=$1 shape=$2 command=$3 before=0 after= file words
  while read -r file; do
    mapfile -t words < <("$command" "$shape" "$file")
    before=${after:-0}
    after=$(count "$bench/$name.alerts" "${words[@]}")
  done < <(recordings "$shape")
  echo $(((after - before) / messages[$shape]))
}
