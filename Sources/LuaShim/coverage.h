// Which lines of a script ran; see coverage.cpp.

#ifndef LUA_SHIM_COVERAGE_H
#define LUA_SHIM_COVERAGE_H

#include "vm_internal.h"

void coverage_chunk(lua_State *L);                   // notes the lines of the function on top of the stack
void coverage_line(lua_State *L, lua_Debug *where);  // a line begins to run

#endif
