// The `string` library (Lua 5.4 manual, section 6.4), with the work of its loops charged before it is done.
// Letters are ASCII whatever the locale, and no text shows an address. There is no `dump`.

#include "library_string.h"

#include <limits.h>
#include <string.h>

// An end position as an index from 0 (before the first byte) to the length.
static size_t end_position(lua_Integer position, size_t length) {
  if (position > (lua_Integer)length) return length;
  if (position >= 0) return (size_t)position;
  if (position < -(lua_Integer)length) return 0;
  return length + (size_t)position + 1;
}

static int string_len(lua_State *L) {
  size_t length;
  script_check_text(L, 1, &length);
  lua_pushinteger(L, (lua_Integer)length);
  return 1;
}

static int string_sub(lua_State *L) {
  size_t length;
  const char *s = script_check_text(L, 1, &length);
  size_t first = start_position(script_check_integer(L, 2), length);
  size_t last = end_position(script_optional_integer(L, 3, -1), length);
  if (first > last) {
    lua_pushliteral(L, "");
  } else {
    script_charge_bytes(L, last - first + 1);
    lua_pushlstring(L, s + first - 1, last - first + 1);
  }
  return 1;
}

static int string_byte(lua_State *L) {
  size_t length;
  const char *s = script_check_text(L, 1, &length);
  lua_Integer position = script_optional_integer(L, 2, 1);
  size_t first = start_position(position, length);
  size_t last = end_position(script_optional_integer(L, 3, position), length);
  if (first > last) return 0;
  if (last - first >= SCRIPT_RESULTS_LIMIT) return luaL_error(L, "string slice too long");
  int count = (int)(last - first) + 1;
  if (count > 16) script_charge(L, (uint64_t)count);
  luaL_checkstack(L, count, "string slice too long");
  for (int i = 0; i < count; i++) lua_pushinteger(L, (unsigned char)s[first - 1 + (size_t)i]);
  return count;
}

static int string_char(lua_State *L) {
  int count = lua_gettop(L);
  luaL_Buffer b;
  if (count > 16) script_charge(L, (uint64_t)count);
  char *text = luaL_buffinitsize(L, &b, (size_t)count);
  for (int i = 1; i <= count; i++) {
    lua_Unsigned code = (lua_Unsigned)script_check_integer(L, i);
    luaL_argcheck(L, code <= UCHAR_MAX, i, "value out of range");
    text[i - 1] = (char)(unsigned char)code;
  }
  luaL_pushresultsize(&b, (size_t)count);
  return 1;
}

static int string_reverse(lua_State *L) {
  size_t length;
  luaL_Buffer b;
  const char *s = script_check_text(L, 1, &length);
  script_charge_bytes(L, length);
  char *text = luaL_buffinitsize(L, &b, length);
  for (size_t i = 0; i < length; i++) text[i] = s[length - 1 - i];
  luaL_pushresultsize(&b, length);
  return 1;
}

// Copies a text with the case of the letters from `first` to `first + 25` turned.
static int turn_case(lua_State *L, unsigned char first) {
  size_t length;
  luaL_Buffer b;
  const char *s = script_check_text(L, 1, &length);
  script_charge_bytes(L, length);
  char *text = luaL_buffinitsize(L, &b, length);
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)s[i];
    text[i] = (char)((unsigned char)(c - first) < 26 ? c ^ 0x20 : c);
  }
  luaL_pushresultsize(&b, length);
  return 1;
}

static int string_lower(lua_State *L) { return turn_case(L, 'A'); }
static int string_upper(lua_State *L) { return turn_case(L, 'a'); }

static int string_rep(lua_State *L) {
  size_t length, separator_length;
  const char *s = script_check_text(L, 1, &length);
  lua_Integer count = script_check_integer(L, 2);
  const char *separator = script_optional_text(L, 3, "", &separator_length);
  size_t unit = length + separator_length;
  if (count <= 0 || unit == 0) {
    lua_pushliteral(L, "");
    return 1;
  }
  // The first test keeps the multiplication from wrapping around. No separator follows the last one.
  if ((lua_Unsigned)count > 2 * SCRIPT_TEXT_LIMIT / unit + 1) {
    script_check_text_length(L, SIZE_MAX, "rep");
  }
  size_t total = (size_t)count * unit - separator_length;
  script_check_text_length(L, total, "rep");
  script_charge_bytes(L, total);
  luaL_Buffer b;
  char *text = luaL_buffinitsize(L, &b, total + separator_length);
  memcpy(text, s, length);
  memcpy(text + length, separator, separator_length);
  for (size_t done = unit; done < total;) {  // each round doubles what is there
    size_t next = done < total + separator_length - done ? done : total + separator_length - done;
    memcpy(text + done, text, next);
    done += next;
  }
  luaL_pushresultsize(&b, total);
  return 1;
}

const char *script_push_text(lua_State *L, int index, size_t *length) {
  switch (lua_type(L, index)) {
    case LUA_TNIL:
    case LUA_TBOOLEAN:
    case LUA_TNUMBER:
    case LUA_TSTRING: return luaL_tolstring(L, index, length);
    default: break;
  }
  if (luaL_callmeta(L, index, "__tostring")) {
    if (!lua_isstring(L, -1)) luaL_error(L, "'__tostring' must return a string");
    return lua_tolstring(L, -1, length);
  }
  int type = lua_type(L, index) == LUA_TTABLE ? luaL_getmetafield(L, index, "__name") : LUA_TNIL;
  if (type != LUA_TSTRING) {
    if (type != LUA_TNIL) lua_pop(L, 1);
    lua_pushstring(L, script_type_name(L, index));
  }
  return lua_tolstring(L, -1, length);
}

void script_open_string(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"byte", string_byte},       {"char", string_char},   {"find", string_find}, {"format", string_format},
      {"gmatch", string_gmatch},   {"gsub", string_gsub},   {"len", string_len},   {"lower", string_lower},
      {"match", string_match},     {"rep", string_rep},     {"sub", string_sub},   {"upper", string_upper},
      {"reverse", string_reverse}, {NULL, NULL},
  };
  static const luaL_Reg wrapped[] = {
      {"pack", string_pack}, {"packsize", string_packsize}, {"unpack", string_unpack}, {NULL, NULL},
  };
  luaL_newlib(L, functions);
  // Opening liblua's library gives all strings its metatable, which leads to functions that charge nothing.
  lua_pushliteral(L, "");
  if (!lua_getmetatable(L, -1)) lua_pushnil(L);
  luaopen_string(L);
  lua_insert(L, -3);
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
  for (const luaL_Reg *f = wrapped; f->name != NULL; f++) {
    lua_getfield(L, -1, f->name);
    lua_pushcclosure(L, f->func, 1);
    lua_setfield(L, -3, f->name);
  }
  lua_pop(L, 1);
}
