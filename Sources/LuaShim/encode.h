// Values of Lua as JSON.

#ifndef LUA_SHIM_ENCODE_H
#define LUA_SHIM_ENCODE_H

#include "vm_internal.h"

// Appends the JSON of a Lua value to vm->out; raises naming the path for what JSON can't hold.
void encode_value(lua_State *L, int index, uint32_t depth);

#endif
