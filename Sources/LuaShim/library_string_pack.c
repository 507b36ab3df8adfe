// pack, packsize and unpack: liblua's own, called in place so that its messages name our function.

#include "library_string.h"

static int call_stock(lua_State *L) { return lua_tocfunction(L, lua_upvalueindex(1))(L); }

// The sum of the sizes of all `c` options: bytes that a format can ask for beyond its arguments.
static size_t fixed_bytes(const char *format, size_t length) {
  size_t sum = 0;
  for (size_t i = 0; i < length; i++) {
    if (format[i] != 'c') continue;
    size_t size = 0;
    while (format[i + 1] >= '0' && format[i + 1] <= '9') {
      size = size * 10 + (size_t)(format[++i] - '0');
      if (size > SCRIPT_TEXT_LIMIT) return SIZE_MAX;
    }
    sum += size;
    if (sum > SCRIPT_TEXT_LIMIT) return SIZE_MAX;
  }
  return sum;
}

int string_pack(lua_State *L) {
  size_t length;
  const char *format = script_check_text(L, 1, &length);
  script_charge_bytes(L, length);
  size_t total = fixed_bytes(format, length);
  int top = lua_gettop(L);
  for (int i = 2; i <= top && total <= SCRIPT_TEXT_LIMIT; i++) {
    script_refuse_light(L, i, "number or string");
    if (lua_type(L, i) == LUA_TSTRING) total += lua_rawlen(L, i);
  }
  script_check_text_length(L, total, "pack");
  script_check_text_length(L, total + 16 * length, "pack");
  if (length > 8) script_charge(L, length);
  script_charge_bytes(L, total);
  return call_stock(L);
}

int string_packsize(lua_State *L) {
  size_t length;
  script_check_text(L, 1, &length);
  if (length > 8) script_charge(L, length);
  return call_stock(L);
}

int string_unpack(lua_State *L) {
  size_t length, data_length;
  script_check_text(L, 1, &length);
  script_check_text(L, 2, &data_length);
  size_t first = start_position(script_optional_integer(L, 3, 1), data_length) - 1;
  if (length > 8) script_charge(L, length);
  if (first < data_length) script_charge_bytes(L, data_length - first);
  return call_stock(L);
}
