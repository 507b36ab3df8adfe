// What a build for measuring can do without, to show what each protection costs per message. Every other build has all
// of them: there PROTECTED is true when it is compiled.

#ifndef LUA_SHIM_PROTECTIONS_H
#define LUA_SHIM_PROTECTIONS_H

#ifdef PIPELINE_BENCH

enum Protection : unsigned {
  PROTECTION_STEPS = 1, PROTECTION_UNDO = 2, PROTECTION_MEMORY = 4, PROTECTION_WATCH = 8, PROTECTION_STORAGE = 16
};

// From PIPELINE_BENCH_WITHOUT, a list of names.
extern const unsigned protections_off;

#define PROTECTED(what) (!(protections_off & PROTECTION_##what))

#else

#define PROTECTED(what) true

#endif

#endif
