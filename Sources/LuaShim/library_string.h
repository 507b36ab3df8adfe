// What the files of the string library share.

#ifndef LUA_SHIM_LIBRARY_STRING_H
#define LUA_SHIM_LIBRARY_STRING_H

#include "library.h"

// A start position as an index from 1; a negative one counts from the end.
static inline size_t start_position(lua_Integer position, size_t length) {
  if (position > 0) return (size_t)position;
  if (position == 0 || position < -(lua_Integer)length) return 1;
  return length + (size_t)position + 1;
}

// library_string_match.c
int string_find(lua_State *L);
int string_gmatch(lua_State *L);
int string_gsub(lua_State *L);
int string_match(lua_State *L);

// library_string_format.c
int string_format(lua_State *L);

// library_string_pack.c: each needs liblua's function of that name as its upvalue
int string_pack(lua_State *L);
int string_packsize(lua_State *L);
int string_unpack(lua_State *L);

#endif
