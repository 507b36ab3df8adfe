# The shapes of messages that are measured, and the programs that handle them.

bench=.build/bench
declare -A messages=([prices]=20000 [trades]=20000 [keys]=40000)
declare -A keys=([prices]=1 [trades]=1 [keys]=100000)
declare -A kind=([prices]=prices [trades]=trades [keys]=trades)
declare -A input=([prices]=price [trades]=trade [keys]=trade)
declare -A title=([prices]="price, 22 bytes, 1 key" [trades]="trade, 230 bytes, 1 key"
                  [keys]="trade, 230 bytes, 100,000 keys")

# Builds the host, and what writes recordings.
prepare_host() {
  require_packages "${build_packages[@]}"
  require_swift
  build_release
  mkdir -p "$bench"
  compiler=$(dirname "$(command -v swift)")/clang
  cxx_compiler=$(dirname "$(command -v swift)")/clang++
  [[ -x $compiler ]] || compiler=gcc cxx_compiler=g++
  # Valgrind can't read Swift's debugging information; names are kept for the profile.
  [[ $bench/pipeline -nt $release_pipeline ]] || strip --strip-debug -o "$bench/pipeline" "$release_pipeline"
  compile recordings "$parts/recordings.cpp"
}

# Compiles one of the parts' own programs, unless it is newer than all it is made of; headers are named for that only:
# compile NAME SOURCE… HEADER… -lLIBRARY…
compile() {
  local name=$1 word is_stale=false words=()
  shift
  for word; do
    [[ $word == -* || $bench/$name -nt $word ]] || is_stale=true
    [[ $word == *.h ]] || words+=("$word")
  done
  $is_stale || return 0
  "$cxx_compiler" -std=c++17 -O2 -o "$bench/$name" "${words[@]}"
}

# The recording of a kind: recording prices|trades COUNT KEYS
recording() {
  local file=$bench/$1-$2-$3.ndjson
  [[ -s $file && $file -nt $bench/recordings ]] || "$bench/recordings" "$@" >"$file"
  printf '%s\n' "$file"
}

# Writes the names of a shape's recordings: one of N messages and one that goes on for as many. The one of many keys
# begins with a message of each.
recordings() {
  local shape=$1 n=${2:-${messages[$1]}} first=0 count
  ((${keys[$shape]} > 1)) && first=${keys[$shape]}
  for count in $((first + n)) $((first + 2 * n)); do recording "${kind[$shape]}" "$count" "${keys[$shape]}"; done
}

# The command that replays: ours SHAPE RECORDING
ours() { printf '%s\n' "$bench/pipeline" replay "$parts/${kind[$1]}.config.lua" "$2" --interval 1ms --format json; }

# The part of an alert that all programs write the same way.
alert_texts() { grep -o '"text":"[^"]*"' "$1" | sed 's/:"resolved: /:"/' || true; }

# The middle one of numbers, a line each.
median() { sort -g | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

# What a ratio or figure is worth beside its goal: verdict FIGURE at-most|at-least GOAL
verdict() {
  awk -v figure="$1" -v how="$2" -v goal="$3" 'BEGIN {
    if (how == "at-most" ? figure > goal : figure < goal) printf "  misses the goal of %s", goal
  }'
}
