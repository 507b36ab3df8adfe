// base64.encode and base64.decode: RFC 4648, sections 4 and 5.

#include "library.h"
#include "sandbox.h"

namespace {

const char standard_alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const char url_alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// What a character stands for in either alphabet; -1 for none.
int value_of(unsigned char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

int base64_encode(lua_State *L) {
  static const char *const forms[] = {"standard", "url", nullptr};
  size_t length;
  const char *text = script_check_text(L, 1, &length);
  script_refuse_light(L, 2, "string");
  const bool is_url = luaL_checkoption(L, 2, "standard", forms) == 1;
  const char *alphabet = is_url ? url_alphabet : standard_alphabet;
  script_charge_bytes(L, length);
  const size_t rest = length % 3;
  const size_t most = (length + 2) / 3 * 4;
  script_check_text_length(L, most, "base64.encode");
  luaL_Buffer buffer;
  char *out = luaL_buffinitsize(L, &buffer, most);
  size_t count = 0;
  for (size_t i = 0; i < length; i += 3) {
    uint32_t group = uint32_t((unsigned char)text[i]) << 16;
    if (i + 1 < length) group |= uint32_t((unsigned char)text[i + 1]) << 8;
    if (i + 2 < length) group |= uint32_t((unsigned char)text[i + 2]);
    for (int shift = 18; shift >= 0; shift -= 6) out[count++] = alphabet[group >> shift & 63];
  }
  // The characters behind the last byte say nothing: a URL goes without, everything else has its padding.
  const size_t missing = rest == 0 ? 0 : 3 - rest;
  if (is_url) {
    count -= missing;
  } else {
    for (size_t i = 0; i < missing; i++) out[count - 1 - i] = '=';
  }
  luaL_pushresultsize(&buffer, count);
  return 1;
}

int base64_decode(lua_State *L) {
  size_t length;
  const char *text = script_check_text(L, 1, &length);
  script_charge_bytes(L, length);
  size_t end = length;
  while (end > 0 && length - end < 2 && text[end - 1] == '=') end--;
  if (end < length && length % 4 != 0)
    return luaL_error(L, "base64.decode: expected a whole number of groups of four characters before the end");
  if (end % 4 == 1) return luaL_error(L, "base64.decode: the text ends within a byte");
  luaL_Buffer buffer;
  char *out = luaL_buffinitsize(L, &buffer, end / 4 * 3 + 3);
  size_t count = 0;
  uint32_t group = 0;
  for (size_t i = 0; i < end; i++) {
    const int value = value_of((unsigned char)text[i]);
    if (value < 0)
      return luaL_error(L, "base64.decode: expected base64, got something else at character %d", int(i + 1));
    group = group << 6 | uint32_t(value);
    // Each further character of a group completes a byte.
    const size_t bits = i % 4 * 2;
    if (bits > 0) out[count++] = char(group >> (6 - bits));
  }
  luaL_pushresultsize(&buffer, count);
  return 1;
}

}  // namespace

void base64_open(lua_State *L) {
  static const luaL_Reg base64[] = {{"decode", base64_decode}, {"encode", base64_encode}, {nullptr, nullptr}};
  luaL_newlib(L, base64);
  lua_setfield(L, -2, "base64");
}
