#include "protections.h"

#ifdef PIPELINE_BENCH

#include <cstdlib>
#include <cstring>

const unsigned protections_off = [] {
  unsigned off = 0;
  const char *names = std::getenv("PIPELINE_BENCH_WITHOUT");
  if (!names) return off;
  if (std::strstr(names, "steps")) off |= PROTECTION_STEPS;
  if (std::strstr(names, "undo")) off |= PROTECTION_UNDO;
  if (std::strstr(names, "memory")) off |= PROTECTION_MEMORY;
  if (std::strstr(names, "watch")) off |= PROTECTION_WATCH;
  return off;
}();

#endif
