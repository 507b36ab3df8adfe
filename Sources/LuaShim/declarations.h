// What a script declares while it loads.

#ifndef LUA_SHIM_DECLARATIONS_H
#define LUA_SHIM_DECLARATIONS_H

#include "vm_internal.h"

void declarations_read(lua_State *L, int module);  // reads the table that a script returned

#endif
