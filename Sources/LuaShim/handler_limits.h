// What a handler may use, counted and enforced; see handler_limits.cpp.

#ifndef LUA_SHIM_HANDLER_LIMITS_H
#define LUA_SHIM_HANDLER_LIMITS_H

#include "protections.h"
#include "vm_internal.h"

void *limits_allocate(void *context, void *block, size_t old_size, size_t new_size);
[[noreturn]] void limits_condemn(lua_State *L, Condemned why);
void limits_count(script_vm *vm);  // turns the count hook on
void limits_uncount(script_vm *vm);
void limits_open(script_vm *vm);  // sets what stays on outside of handlers, too
void watch_enter(script_vm *vm);  // tells slow handlers from fast ones without a cost per message
void watch_leave(script_vm *vm);
uint64_t monotonic_ns();

#endif
