// Values of Lua as JSON.

#ifndef LUA_SHIM_ENCODE_H
#define LUA_SHIM_ENCODE_H

#include "vm_internal.h"

// Appends the JSON of a Lua value to vm->out; raises naming the path for what JSON can't hold.
void encode_value(lua_State *L, int index, uint32_t depth);

// --- config_functions.cpp
// Keeps a function that a configuration holds and writes what the host knows it by; false where none may be.
bool config_function_encode(lua_State *L, int index);

#endif
