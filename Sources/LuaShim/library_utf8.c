// The `utf8` library (Lua 5.4 manual, section 6.5). Written anew because liblua's functions walk over runs of
// continuation bytes of any length without a step.

#include "library.h"


#define LARGEST_CODE 0x7fffffffu  // of the original UTF-8, six bytes long
#define LARGEST_UNICODE 0x10ffffu
#define INVALID_CODE "invalid UTF-8 code"

static inline bool is_continuation(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

// A position from 1 to the length, or one that counts from the end. Far below the start it is 0.
static lua_Integer position_of(lua_Integer position, size_t length) {
  if (position >= 0) return position;
  if (0 - (size_t)position > length) return 0;
  return (lua_Integer)length + position + 1;
}

// Decodes one code at `s`, a text that ends with a zero byte. Returns the place after it, or NULL.
static const char *decode(const char *s, bool strict, uint32_t *code) {
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000, 0x200000, 0x4000000};  // by continuation bytes
  unsigned char first = (unsigned char)*s;
  int more;
  uint32_t value;
  if (first < 0x80) {
    *code = first;
    return s + 1;
  }
  if (first < 0xc0 || first >= 0xfe) return NULL;
  for (more = 1; first & (0x40 >> more); more++) {}
  value = first & (0x3fu >> more);
  for (int i = 1; i <= more; i++) {
    if (!is_continuation(s[i])) return NULL;
    value = value << 6 | ((unsigned char)s[i] & 0x3fu);
  }
  if (value < least[more]) return NULL;
  if (strict && (value > LARGEST_UNICODE || (value >= 0xd800 && value <= 0xdfff))) return NULL;
  *code = value;
  return s + more + 1;
}

// Encodes a code and returns how many bytes were written, at most six.
static size_t encode(uint32_t code, char *out) {
  char reversed[6];
  size_t count = 0;
  uint32_t room = 0x3f;  // what the first byte could hold
  if (code < 0x80) {
    *out = (char)code;
    return 1;
  }
  do {
    reversed[count++] = (char)(0x80 | (code & 0x3f));
    code >>= 6;
    room >>= 1;
  } while (code > room);
  *out = (char)(unsigned char)((~room << 1) | code);
  for (size_t i = 0; i < count; i++) out[i + 1] = reversed[count - 1 - i];
  return count + 1;
}

static int utf8_char(lua_State *L) {
  int count = lua_gettop(L);
  luaL_Buffer b;
  if (count > 16) script_charge(L, (uint64_t)count);
  char *text = luaL_buffinitsize(L, &b, 6 * (size_t)count);
  size_t length = 0;
  for (int i = 1; i <= count; i++) {
    lua_Unsigned code = (lua_Unsigned)script_check_integer(L, i);
    luaL_argcheck(L, code <= LARGEST_CODE, i, "value out of range");
    length += encode((uint32_t)code, text + length);
  }
  luaL_pushresultsize(&b, length);
  return 1;
}

static int utf8_len(lua_State *L) {
  size_t length;
  lua_Integer count = 0;
  const char *s = script_check_text(L, 1, &length);
  lua_Integer from = position_of(script_optional_integer(L, 2, 1), length);
  lua_Integer last = position_of(script_optional_integer(L, 3, -1), length);
  bool lax = lua_toboolean(L, 4);
  luaL_argcheck(L, 1 <= from && --from <= (lua_Integer)length, 2, "initial position out of bounds");
  luaL_argcheck(L, --last < (lua_Integer)length, 3, "final position out of bounds");
  if (last - from > 16) script_charge(L, (uint64_t)(last - from) / 4);
  while (from <= last) {
    uint32_t code;
    const char *next = decode(s + from, !lax, &code);
    if (next == NULL) {
      lua_pushnil(L);
      lua_pushinteger(L, from + 1);
      return 2;
    }
    from = next - s;
    count++;
  }
  lua_pushinteger(L, count);
  return 1;
}

static int utf8_codepoint(lua_State *L) {
  size_t length;
  const char *s = script_check_text(L, 1, &length);
  lua_Integer first = position_of(script_optional_integer(L, 2, 1), length);
  lua_Integer last = position_of(script_optional_integer(L, 3, first), length);
  bool lax = lua_toboolean(L, 4);
  luaL_argcheck(L, first >= 1, 2, "out of bounds");
  luaL_argcheck(L, last <= (lua_Integer)length, 3, "out of bounds");
  if (first > last) return 0;
  if (last - first >= SCRIPT_RESULTS_LIMIT) return luaL_error(L, "string slice too long");
  int most = (int)(last - first) + 1;
  if (most > 16) script_charge(L, (uint64_t)most);
  luaL_checkstack(L, most, "string slice too long");
  int count = 0;
  const char *end = s + last;
  for (s += first - 1; s < end;) {
    uint32_t code;
    s = decode(s, !lax, &code);
    if (s == NULL) return luaL_error(L, INVALID_CODE);
    lua_pushinteger(L, code);
    count++;
  }
  return count;
}

// Counts bytes walked over and charges them when enough have come together.
static inline void walk(lua_State *L, uint64_t *walked) {
  if (++*walked % 256 == 0) script_charge(L, 256 / 4);
}

static int utf8_offset(lua_State *L) {
  size_t length;
  uint64_t walked = 0;
  const char *s = script_check_text(L, 1, &length);
  lua_Integer n = script_check_integer(L, 2);
  lua_Integer end = (lua_Integer)length;
  lua_Integer at = position_of(script_optional_integer(L, 3, n >= 0 ? 1 : end + 1), length);
  luaL_argcheck(L, 1 <= at && --at <= end, 3, "position out of bounds");
  if (n == 0) {
    for (; at > 0 && is_continuation(s[at]); at--) walk(L, &walked);
    lua_pushinteger(L, at + 1);
    return 1;
  }
  if (is_continuation(s[at])) return luaL_error(L, "initial position is a continuation byte");
  if (n < 0) {
    for (; n < 0 && at > 0; n++) {
      do {
        walk(L, &walked);
        at--;
      } while (at > 0 && is_continuation(s[at]));
    }
  } else {
    for (n--; n > 0 && at < end; n--) {
      do {
        walk(L, &walked);
        at++;
      } while (is_continuation(s[at]));  // the zero byte at the end stops it
    }
  }
  if (n == 0) {
    lua_pushinteger(L, at + 1);
  } else {
    lua_pushnil(L);
  }
  return 1;
}

static int next_code(lua_State *L, bool strict) {
  size_t length;
  uint64_t walked = 0;
  uint32_t code;
  const char *s = script_check_text(L, 1, &length);
  lua_Unsigned at = (lua_Unsigned)lua_tointeger(L, 2);
  if (at > 0) {  // from the first byte of the last code to the next one
    for (; at < length && is_continuation(s[at]); at++) walk(L, &walked);
  }
  if (at >= length) return 0;
  const char *next = decode(s + at, strict, &code);
  if (next == NULL || is_continuation(*next)) return luaL_error(L, INVALID_CODE);
  lua_pushinteger(L, (lua_Integer)at + 1);
  lua_pushinteger(L, code);
  return 2;
}

static int next_code_strict(lua_State *L) { return next_code(L, true); }
static int next_code_lax(lua_State *L) { return next_code(L, false); }

static int utf8_codes(lua_State *L) {
  bool lax = lua_toboolean(L, 2);
  const char *s = script_check_text(L, 1, NULL);
  luaL_argcheck(L, !is_continuation(*s), 1, INVALID_CODE);
  lua_pushcfunction(L, lax ? next_code_lax : next_code_strict);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

void script_open_utf8(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"char", utf8_char}, {"codepoint", utf8_codepoint}, {"codes", utf8_codes},
      {"len", utf8_len},   {"offset", utf8_offset},       {NULL, NULL},
  };
  luaL_newlib(L, functions);
  lua_pushlstring(L, "[\0-\x7F\xC2-\xFD][\x80-\xBF]*", 14);
  lua_setfield(L, -2, "charpattern");
}
