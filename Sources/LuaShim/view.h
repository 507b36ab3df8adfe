// The state table that handlers see; see view.cpp.

#ifndef LUA_SHIM_VIEW_H
#define LUA_SHIM_VIEW_H

#include "vm_internal.h"

void view_open(lua_State *L);  // after the handlers are known
void view_accept(lua_State *L, int first);  // takes the fields' values from `first` on over into the running key
// The same for values that are still in the view, which is at an index, as the fields' names are from `names` on.
void view_read(lua_State *L, int first, int state, int names);
bool view_is_state(lua_State *L, int index);  // whether the value there is the view

#endif
