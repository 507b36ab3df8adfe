// The state table that handlers see; see view.cpp.

#ifndef LUA_SHIM_VIEW_H
#define LUA_SHIM_VIEW_H

#include "vm_internal.h"

void view_open(lua_State *L);  // after the handlers are known
void view_accept(lua_State *L, int first);  // takes the fields' values from `first` on over into the running key
bool view_is_state(lua_State *L, int index);  // whether the value there is the view

#endif
