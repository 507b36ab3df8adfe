# Building, quietly: the compiler's words are shown only when it fails.

release_pipeline=.build/release/pipeline

# Builds the optimised program unless it is newer than every source.
build_release() {
  if [[ -x $release_pipeline && -z $(find Package.swift Sources -newer "$release_pipeline" -print -quit) ]]; then
    return
  fi
  [[ -x $release_pipeline ]] || say "building pipeline; the first time takes some minutes"
  build_quietly .build/build-release.log -c release --product pipeline --static-swift-stdlib
  touch "$release_pipeline"
}

# Runs swift build with a log: build_quietly LOG ARGUMENTS…
build_quietly() {
  local log=$1
  shift
  mkdir -p "${log%/*}"
  if ! swift build "$@" >"$log" 2>&1; then
    cat "$log" >&2
    fail "the build failed; see above"
  fi
}
