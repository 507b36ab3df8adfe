// string.format: liblua's conversions, charged by what the C library's cost.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "library_string.h"

// One directive of a format: `%`, flags, width, precision, conversion.
typedef struct {
  char text[32];       // as written, from `%` to the conversion
  size_t flag_length;  // of flags, width and precision
  char conversion;
  int width;
  int precision;  // -1 where there is none
} directive;

// Reads the directive after a `%` and returns the place after it.
static const char *read_directive(lua_State *L, const char *p, directive *d) {
  size_t length = strspn(p, "-+ #0123456789.");
  if (length + 1 >= 22) luaL_error(L, "invalid format (too long)");
  d->text[0] = '%';
  memcpy(d->text + 1, p, length + 1);
  d->text[length + 2] = '\0';
  d->flag_length = length;
  d->conversion = p[length];
  return p + length + 1;
}

static const char *read_two_digits(const char *p, int *number) {
  *number = 0;
  for (int i = 0; i < 2 && *p >= '0' && *p <= '9'; i++) *number = *number * 10 + (*p++ - '0');
  return p;
}

// Checks what stands between `%` and the conversion against what that conversion allows.
static void check_directive(lua_State *L, directive *d, const char *flags, bool allows_precision) {
  const char *p = d->text + 1 + strspn(d->text + 1, flags);
  d->width = 0;
  d->precision = -1;
  if (*p != '0') {
    p = read_two_digits(p, &d->width);
    if (*p == '.' && allows_precision) p = read_two_digits(p + 1, &d->precision);
  }
  if (p != d->text + 1 + d->flag_length) luaL_error(L, "invalid conversion specification: '%s'", d->text);
}

static void add_formatted(lua_State *L, luaL_Buffer *b, const char *text, size_t length) {
  script_check_text_length(L, luaL_bufflen(b) + length, "format");
  luaL_addlstring(b, text, length);
}

// Adds a text with spaces up to the width, on the left unless the flags say `-`.
static void add_padded(lua_State *L, luaL_Buffer *b, const directive *d, const char *text, size_t length) {
  size_t padding = (size_t)d->width > length ? (size_t)d->width - length : 0;
  bool left = memchr(d->text, '-', 1 + d->flag_length) != NULL;
  char spaces[100];
  memset(spaces, ' ', padding);
  if (!left) add_formatted(L, b, spaces, padding);
  add_formatted(L, b, text, length);
  if (left) add_formatted(L, b, spaces, padding);
}

// Makes the decimal separator of whatever locale a dot.
static size_t fix_decimal_point(char *text, size_t length) {
  size_t out = 0;
  bool in_point = false;
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)text[i];
    bool letter = (unsigned char)((c | 0x20) - 'a') < 26;
    bool known = letter || (c >= '0' && c <= '9') || c == '-' || c == '+' || c == ' ';
    if (known) text[out++] = (char)c;
    else if (!in_point) text[out++] = '.';
    in_point = !known;
  }
  return out;
}

// What the C library's exact decimal conversion costs: with many digits it works on big numbers.
static uint64_t conversion_cost(const directive *d, lua_Number number) {
  uint64_t cost = d->precision > 20 ? 4 * (uint64_t)d->precision : 8;
  if (d->conversion == 'f' && isfinite(number) && fabs(number) >= 1e18) {
    int exponent;
    frexp(number, &exponent);
    cost += 2 * (uint64_t)exponent;
  }
  return cost;
}

static void add_float(lua_State *L, luaL_Buffer *b, const directive *d, lua_Number number) {
  char text[512];  // the longest is "%.99f" of the largest number: 309 digits, point and 99 more
  script_charge(L, conversion_cost(d, number));
  int length = snprintf(text, sizeof text, d->text, number);
  add_formatted(L, b, text, fix_decimal_point(text, (size_t)length));
}

static void add_integer(lua_State *L, luaL_Buffer *b, const directive *d, lua_Integer number) {
  char form[40];
  char text[128];  // two digits of width and precision at most, sign and base prefix
  memcpy(form, d->text, 1 + d->flag_length);
  memcpy(form + 1 + d->flag_length, (char[]){'l', 'l', d->conversion, '\0'}, 4);
  int length = snprintf(text, sizeof text, form, (long long)number);
  add_formatted(L, b, text, (size_t)length);
}

static void add_quoted_text(lua_State *L, luaL_Buffer *b, const char *s, size_t length) {
  luaL_addchar(b, '"');
  for (size_t i = 0; i < length; i++) {
    unsigned char c = (unsigned char)s[i];
    if (c == '"' || c == '\\' || c == '\n') {
      luaL_addchar(b, '\\');
      luaL_addchar(b, (char)c);
    } else if (c < 0x20 || c == 0x7f) {
      bool digit_follows = s[i + 1] >= '0' && s[i + 1] <= '9';  // then all three are written
      luaL_addchar(b, '\\');
      if (digit_follows || c >= 100) luaL_addchar(b, (char)('0' + c / 100));
      if (digit_follows || c >= 10) luaL_addchar(b, (char)('0' + c / 10 % 10));
      luaL_addchar(b, (char)('0' + c % 10));
    } else {
      luaL_addchar(b, (char)c);
    }
  }
  luaL_addchar(b, '"');
  script_check_text_length(L, luaL_bufflen(b), "format");
}

// Adds a value as a literal that Lua reads back.
static void add_quoted(lua_State *L, luaL_Buffer *b, int arg) {
  char text[128];
  int written;
  size_t length;
  const char *s;
  switch (lua_type(L, arg)) {
    case LUA_TSTRING:
      s = lua_tolstring(L, arg, &length);
      script_check_text_length(L, luaL_bufflen(b) + length, "format");
      script_charge_bytes(L, 4 * length);
      add_quoted_text(L, b, s, length);
      return;
    case LUA_TNUMBER:
      if (lua_isinteger(L, arg)) {
        lua_Integer n = lua_tointeger(L, arg);
        // The smallest integer has no decimal literal.
        written = snprintf(text, sizeof text, n == LUA_MININTEGER ? "0x%llx" : "%lld", (long long)n);
        luaL_addlstring(b, text, (size_t)written);
        return;
      }
      lua_Number n = lua_tonumber(L, arg);
      if (isnan(n)) {
        luaL_addstring(b, "(0/0)");
      } else if (isinf(n)) {
        luaL_addstring(b, n > 0 ? "1e9999" : "-1e9999");
      } else {
        written = snprintf(text, sizeof text, "%a", n);
        luaL_addlstring(b, text, fix_decimal_point(text, (size_t)written));
      }
      return;
    case LUA_TNIL: luaL_addstring(b, "nil"); return;
    case LUA_TBOOLEAN: luaL_addstring(b, lua_toboolean(L, arg) ? "true" : "false"); return;
    default: luaL_argerror(L, arg, "value has no literal form");
  }
}

static void add_text_argument(lua_State *L, luaL_Buffer *b, directive *d, int arg) {
  size_t length;
  const char *s = script_push_text(L, arg, &length);
  script_charge_bytes(L, length);
  if (d->flag_length == 0) {
    script_check_text_length(L, luaL_bufflen(b) + length, "format");
    luaL_addvalue(b);
    return;
  }
  luaL_argcheck(L, memchr(s, '\0', length) == NULL, arg, "string contains zeros");
  check_directive(L, d, "-", true);
  if (d->precision >= 0 && length > (size_t)d->precision) length = (size_t)d->precision;
  if (length >= 100 || (size_t)d->width <= length) {
    lua_pushlstring(L, s, length);  // the buffer takes only what is on top of the stack
    lua_remove(L, -2);
    script_check_text_length(L, luaL_bufflen(b) + length, "format");
    luaL_addvalue(b);
    return;
  }
  char short_text[100];
  memcpy(short_text, s, length);
  lua_pop(L, 1);
  add_padded(L, b, d, short_text, length);
}

static const char *add_directive(lua_State *L, luaL_Buffer *b, const char *p, int arg) {
  directive d;
  p = read_directive(L, p, &d);
  switch (d.conversion) {
    case 'c': {
      check_directive(L, &d, "-", false);
      char c = (char)(unsigned char)script_check_integer(L, arg);
      add_padded(L, b, &d, &c, 1);
      break;
    }
    case 'd':
    case 'i': {
      lua_Integer n = script_check_integer(L, arg);
      check_directive(L, &d, "-+0 ", true);
      add_integer(L, b, &d, n);
      break;
    }
    case 'u': {
      lua_Integer n = script_check_integer(L, arg);
      check_directive(L, &d, "-0", true);
      add_integer(L, b, &d, n);
      break;
    }
    case 'o':
    case 'x':
    case 'X': {
      lua_Integer n = script_check_integer(L, arg);
      check_directive(L, &d, "-#0", true);
      add_integer(L, b, &d, n);
      break;
    }
    case 'a':
    case 'A':
      check_directive(L, &d, "-+#0 ", true);
      add_float(L, b, &d, script_check_number(L, arg));
      break;
    case 'e':
    case 'E':
    case 'f':
    case 'g':
    case 'G': {
      lua_Number n = script_check_number(L, arg);
      check_directive(L, &d, "-+#0 ", true);
      add_float(L, b, &d, n);
      break;
    }
    case 'q':
      if (d.flag_length != 0) luaL_error(L, "specifier '%%q' cannot have modifiers");
      add_quoted(L, b, arg);
      break;
    case 's': add_text_argument(L, b, &d, arg); break;
    default: luaL_error(L, "invalid conversion '%s' to 'format'", d.text);
  }
  return p;
}

int string_format(lua_State *L) {
  size_t length;
  int top = lua_gettop(L);
  int arg = 1;
  uint64_t work = 0;
  const char *p = script_check_text(L, 1, &length);
  const char *end = p + length;
  luaL_Buffer b;
  script_charge_bytes(L, length);
  luaL_buffinit(L, &b);
  while (p < end) {
    const char *percent = memchr(p, '%', (size_t)(end - p));
    add_formatted(L, &b, p, (size_t)((percent == NULL ? end : percent) - p));
    if (percent == NULL) break;
    p = percent + 1;
    if (*p == '%') {
      luaL_addchar(&b, '%');
      p++;
      continue;
    }
    if (++arg > top) return luaL_argerror(L, arg, "no value");
    size_t before = luaL_bufflen(&b);
    p = add_directive(L, &b, p, arg);
    work += 1 + (luaL_bufflen(&b) - before) / SCRIPT_BYTES_PER_STEP;
    if (work >= 32) {
      script_charge(L, work);
      work = 0;
    }
  }
  luaL_pushresult(&b);
  return 1;
}
