// What the libraries share: the price of bytes, the largest text, values as text.

#ifndef LUA_SHIM_LIBRARY_H
#define LUA_SHIM_LIBRARY_H

#include "vm.h"

// The longest text that one call of the string and table libraries may make.
#define SCRIPT_TEXT_LIMIT ((size_t)64 << 20)

// The most results that one call may return; Lua's stack has no room for more.
#define SCRIPT_RESULTS_LIMIT 1000000

// Bytes that are copied or compared for the price of one step.
#define SCRIPT_BYTES_PER_STEP 16

// Charges for bytes about to be copied or compared. Short texts cost no more than the call itself.
static inline void script_charge_bytes(lua_State *L, size_t bytes) {
  if (bytes >= 4 * SCRIPT_BYTES_PER_STEP) script_charge(L, bytes / SCRIPT_BYTES_PER_STEP + 1);
}

// Raises when a text of `length` bytes, made by the named function, would be over the limit.
static inline void script_check_text_length(lua_State *L, size_t length, const char *function) {
  if (length > SCRIPT_TEXT_LIMIT) {
    luaL_error(L, "resulting string too large ('%s' makes at most 64 MiB)", function);
  }
}

#ifdef __cplusplus
extern "C" {
#endif

// liblua would call json.null "light userdata".
static inline void script_refuse_light(lua_State *L, int argument, const char *expected) {
  if (lua_type(L, argument) == LUA_TLIGHTUSERDATA) script_type_error(L, argument, expected);
}

static inline const char *script_check_text(lua_State *L, int argument, size_t *length) {
  script_refuse_light(L, argument, "string");
  return luaL_checklstring(L, argument, length);
}

static inline const char *script_optional_text(
  lua_State *L, int argument, const char *otherwise, size_t *length) {
  script_refuse_light(L, argument, "string");
  return luaL_optlstring(L, argument, otherwise, length);
}

// Charges for an argument that may be a long text of digits, which liblua would read for nothing.
static inline void script_charge_numeral(lua_State *L, int argument) {
  script_refuse_light(L, argument, "number");
  if (lua_type(L, argument) == LUA_TSTRING) script_charge_bytes(L, lua_rawlen(L, argument));
}

// The checks of liblua, with long numerals charged.
static inline lua_Integer script_check_integer(lua_State *L, int argument) {
  script_charge_numeral(L, argument);
  return luaL_checkinteger(L, argument);
}

static inline lua_Integer script_optional_integer(lua_State *L, int argument, lua_Integer otherwise) {
  script_charge_numeral(L, argument);
  return luaL_optinteger(L, argument, otherwise);
}

static inline lua_Number script_check_number(lua_State *L, int argument) {
  script_charge_numeral(L, argument);
  return luaL_checknumber(L, argument);
}

// Pushes the text of a value as `tostring` and `%s` show it, without addresses: a table without `__tostring`
// and `__name` is "table", json.null is "null". Returns the text, valid while it is on the stack. Defined in
// library_string.c.
const char *script_push_text(lua_State *L, int index, size_t *length);

#ifdef __cplusplus
}
#endif

#endif
