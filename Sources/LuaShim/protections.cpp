#include "protections.h"

#include <cstdlib>
#include <cstring>

#include "LuaShim.h"

#ifdef PIPELINE_BENCH

const unsigned protections_off = [] {
  unsigned off = 0;
  const char *names = std::getenv("PIPELINE_BENCH_WITHOUT");
  if (!names) return off;
  if (std::strstr(names, "steps")) off |= PROTECTION_STEPS;
  if (std::strstr(names, "undo")) off |= PROTECTION_UNDO;
  if (std::strstr(names, "memory")) off |= PROTECTION_MEMORY;
  if (std::strstr(names, "watch")) off |= PROTECTION_WATCH;
  if (std::strstr(names, "storage")) off |= PROTECTION_STORAGE;
  return off;
}();

bool script_measures_storage() { return PROTECTED(STORAGE); }

#else

bool script_measures_storage() { return false; }

#endif
