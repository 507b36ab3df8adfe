# Counting instructions under Valgrind, and blocks of memory without it.

# Makes what holds the clock still, and what counts blocks.
prepare_counting() {
  require_packages valgrind
  "$compiler" -shared -fPIC -O2 "$parts/clock.c" -o "$bench/clock.so"
  "$compiler" -shared -fPIC -O2 "$parts/blocks.c" -o "$bench/blocks.so"
}

# Runs a program where nothing differs from one time, or machine, to the next: alike LIBRARY… -- PROGRAM ARGUMENTS…
# The libraries are preloaded. Addresses go into the hashes of Lua as well, so the environment, which moves the stack, is
# always as long, and one processor leaves no choice of threads.
alike() {
  local preloaded= without=${PIPELINE_BENCH_WITHOUT:-} processors processor
  for (( ; $# > 0; )); do
    [[ $1 == -- ]] && break
    preloaded+=${preloaded:+:}./$bench/$1
    shift
  done
  shift
  # The first or the last that may be used, since two programs may be counted at a time.
  processors=$(taskset -cp "$BASHPID" | sed 's/.*: //')
  processor=${processors%%[,-]*}
  ((BASHPID % 2)) && processor=${processors##*[,-]}
  env -i PATH=/usr/bin:/bin SWIFT_DETERMINISTIC_HASHING=1 BENCH_BLOCKS="$bench/blocks" PIPELINE_BENCH_WITHOUT="$without" \
    PADDING="$(printf '%*s' $((40 - ${#without})) '')" LD_PRELOAD="$preloaded" \
    setarch -R taskset -c "$processor" "$@"
}

# Counts a program's instructions: count OUTPUT PROGRAM ARGUMENTS…
count() {
  local output=$1
  shift
  alike clock.so -- valgrind --tool=callgrind --callgrind-out-file="$output.callgrind" "$@" >"$output" 2>"$output.valgrind" ||
    { cat "$output.valgrind" >&2; fail "'$*' failed; see above"; }
  sed -n 's/.*Collected *: *\([0-9]*\).*/\1/p' "$output.valgrind"
}

# Counts the blocks of memory that a program allocates: blocks PROGRAM ARGUMENTS…
blocks() {
  alike blocks.so clock.so -- "$@" >/dev/null 2>"$bench/blocks.log" || { cat "$bench/blocks.log" >&2; fail "'$*' failed; see above"; }
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
