// The `string` library (Lua 5.4 manual, section 6.4), with the work of its loops charged before it is done.
// Letters are ASCII whatever the locale, and no text shows an address. There is no `dump`.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memmem
#endif

#include "library.h"
#include "pattern.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// --- positions -------------------------------------------------------------------------------------------

// A start position as an index from 1; a negative one counts from the end.
static size_t start_position(lua_Integer position, size_t length) {
  if (position > 0) return (size_t)position;
  if (position == 0 || position < -(lua_Integer)length) return 1;
  return length + (size_t)position + 1;
}

// An end position as an index from 0 (before the first byte) to the length.
static size_t end_position(lua_Integer position, size_t length) {
  if (position > (lua_Integer)length) return length;
  if (position >= 0) return (size_t)position;
  if (position < -(lua_Integer)length) return 0;
  return length + (size_t)position + 1;
}

// --- bytes and pieces ------------------------------------------------------------------------------------

static int string_len(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  lua_pushinteger(L, (lua_Integer)length);
  return 1;
}

static int string_sub(lua_State *L) {
  size_t length;
  const char *s = luaL_checklstring(L, 1, &length);
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
  const char *s = luaL_checklstring(L, 1, &length);
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
  const char *s = luaL_checklstring(L, 1, &length);
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
  const char *s = luaL_checklstring(L, 1, &length);
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
  const char *s = luaL_checklstring(L, 1, &length);
  lua_Integer count = script_check_integer(L, 2);
  const char *separator = luaL_optlstring(L, 3, "", &separator_length);
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

// --- find, match, gmatch, gsub ---------------------------------------------------------------------------

// Finds a plain text. Searches window by window, so that only the work done is charged.
static const char *find_plain(
    lua_State *L, const char *s, size_t length, const char *needle, size_t needle_length) {
  size_t step = needle_length > 1024 ? 4 * needle_length : 4096;
  if (needle_length == 0) return s;
  while (length >= needle_length) {
    size_t window = length - needle_length < step ? length : step + needle_length - 1;
    if (window >= 64) script_charge(L, window / (needle_length == 1 ? 16 : 4) + 1);
    const char *found = memmem(s, window, needle, needle_length);
    if (found != NULL) return found;
    if (window == length) return NULL;
    s += step;
    length -= step;
  }
  return NULL;
}

static bool has_specials(lua_State *L, const char *pattern, size_t length) {
  script_charge_bytes(L, length);
  for (size_t i = 0; i < length; i++) {
    switch (pattern[i]) {
      case '^': case '$': case '*': case '+': case '?': case '.': case '(': case '[': case '%': case '-':
        return true;
      default: break;
    }
  }
  return false;
}

static int find_or_match(lua_State *L, bool find) {
  size_t length, pattern_length;
  const char *s = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  size_t first = start_position(script_optional_integer(L, 3, 1), length) - 1;
  if (first > length) {
    lua_pushnil(L);
    return 1;
  }
  if (find && (lua_toboolean(L, 4) || !has_specials(L, pattern, pattern_length))) {
    const char *found = find_plain(L, s + first, length - first, pattern, pattern_length);
    if (found == NULL) {
      lua_pushnil(L);
      return 1;
    }
    lua_pushinteger(L, found - s + 1);
    lua_pushinteger(L, found - s + (lua_Integer)pattern_length);
    return 2;
  }
  pattern_matcher m;
  bool anchored = *pattern == '^';
  const char *start = s + first;
  const char *end = NULL;
  pattern_prepare(&m, L, s, length, pattern + anchored, pattern_length - anchored);
  if (anchored) {
    end = pattern_match(&m, start);
  } else {
    start = pattern_search(&m, start, NULL, &end);
  }
  int count = 1;
  if (end == NULL) {
    lua_pushnil(L);
  } else if (find) {
    lua_pushinteger(L, start - s + 1);
    lua_pushinteger(L, end - s);
    count = 2 + pattern_push_captures(&m, NULL, NULL);
  } else {
    count = pattern_push_captures(&m, start, end);
  }
  pattern_settle(&m);
  return count;
}

static int string_find(lua_State *L) { return find_or_match(L, true); }
static int string_match(lua_State *L) { return find_or_match(L, false); }

// Upvalues of an iterator: subject, pattern, and the offset where the last match ended; before the first one
// the offset to begin at, as its complement.
static int next_match(lua_State *L) {
  size_t length, pattern_length;
  const char *s = lua_tolstring(L, lua_upvalueindex(1), &length);
  const char *pattern = lua_tolstring(L, lua_upvalueindex(2), &pattern_length);
  lua_Integer offset = lua_tointeger(L, lua_upvalueindex(3));
  bool first = offset < 0;
  if (first) offset = ~offset;
  if (offset > (lua_Integer)length) return 0;
  pattern_matcher m;
  const char *end = NULL;
  pattern_prepare(&m, L, s, length, pattern, pattern_length);
  const char *start = pattern_search(&m, s + offset, first ? NULL : s + offset, &end);
  lua_pushinteger(L, start == NULL ? (lua_Integer)length + 1 : end - s);
  lua_replace(L, lua_upvalueindex(3));
  int count = start == NULL ? 0 : pattern_push_captures(&m, start, end);
  pattern_settle(&m);
  return count;
}

static int string_gmatch(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  luaL_checkstring(L, 2);
  size_t first = start_position(script_optional_integer(L, 3, 1), length) - 1;
  lua_settop(L, 2);
  lua_pushinteger(L, ~(lua_Integer)(first > length ? length + 1 : first));
  lua_pushcclosure(L, next_match, 3);
  return 1;
}

static void add_text(pattern_matcher *m, luaL_Buffer *b, const char *text, size_t length) {
  script_check_text_length(m->L, luaL_bufflen(b) + length, "gsub");
  pattern_work(m, length / SCRIPT_BYTES_PER_STEP);
  luaL_addlstring(b, text, length);
}

// Adds the string or number on top of the stack, and pops it.
static void add_value(pattern_matcher *m, luaL_Buffer *b) {
  size_t length;
  lua_tolstring(m->L, -1, &length);
  script_check_text_length(m->L, luaL_bufflen(b) + length, "gsub");
  pattern_work(m, length / SCRIPT_BYTES_PER_STEP);
  luaL_addvalue(b);
}

// Adds a replacement text with `%0` to `%9` and `%%` filled in.
static void add_replacement(pattern_matcher *m, luaL_Buffer *b, const char *start, const char *end) {
  size_t length;
  const char *text = lua_tolstring(m->L, 3, &length);
  const char *text_end = text + length;
  for (;;) {
    const char *percent = memchr(text, '%', (size_t)(text_end - text));
    add_text(m, b, text, (size_t)((percent == NULL ? text_end : percent) - text));
    if (percent == NULL) return;
    pattern_work(m, 1);
    char c = percent[1];
    if (c == '%') {
      luaL_addchar(b, '%');
    } else if (c == '0') {
      add_text(m, b, start, (size_t)(end - start));
    } else if (c >= '1' && c <= '9') {
      int index = c - '1';
      if (index == 0 && m->captures == 0) {
        add_text(m, b, start, (size_t)(end - start));
      } else if (index < m->captures && m->capture[index].length >= 0) {
        add_text(m, b, m->capture[index].start, (size_t)m->capture[index].length);
      } else {  // a position, or an error
        if (index >= m->captures) {
          luaL_error(m->L, "invalid capture index %%%d", index + 1);
        }
        pattern_push_capture(m, index, start, end);
        add_value(m, b);
      }
    } else {
      luaL_error(m->L, "invalid use of '%%' in replacement string");
    }
    text = percent + 2;
  }
}

// Adds what replaces one match. Returns whether that is anything but the match itself.
static bool replace_match(pattern_matcher *m, luaL_Buffer *b, const char *start, const char *end, int type) {
  lua_State *L = m->L;
  if (type == LUA_TFUNCTION) {
    lua_pushvalue(L, 3);
    int count = pattern_push_captures(m, start, end);
    lua_call(L, count, 1);
  } else if (type == LUA_TTABLE) {
    pattern_push_capture(m, 0, start, end);
    lua_gettable(L, 3);
  } else {
    add_replacement(m, b, start, end);
    return true;
  }
  if (!lua_toboolean(L, -1)) {
    lua_pop(L, 1);
    add_text(m, b, start, (size_t)(end - start));
    return false;
  }
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", luaL_typename(L, -1));
  add_value(m, b);
  return true;
}

static int string_gsub(lua_State *L) {
  size_t length, pattern_length;
  const char *s = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checklstring(L, 2, &pattern_length);
  int type = lua_type(L, 3);
  if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TFUNCTION && type != LUA_TTABLE) {
    return luaL_typeerror(L, 3, "string/function/table");
  }
  if (type == LUA_TNUMBER) lua_tolstring(L, 3, NULL);
  lua_Integer limit = script_optional_integer(L, 4, (lua_Integer)length + 1);
  bool anchored = *pattern == '^';
  pattern_matcher m;
  luaL_Buffer b;
  const char *from = s;
  const char *last_end = NULL;
  lua_Integer count = 0;
  bool changed = false;
  pattern_prepare(&m, L, s, length, pattern + anchored, pattern_length - anchored);
  luaL_buffinit(L, &b);
  while (count < limit) {
    const char *start = from;
    const char *end = NULL;
    if (anchored) {
      end = pattern_match(&m, from);
    } else {
      start = pattern_search(&m, from, last_end, &end);
    }
    if (end == NULL) break;
    add_text(&m, &b, from, (size_t)(start - from));
    count++;
    if (replace_match(&m, &b, start, end, type)) changed = true;
    from = last_end = end;
    if (anchored) break;
  }
  if (changed) {
    add_text(&m, &b, from, (size_t)(s + length - from));
    luaL_pushresult(&b);
  } else {
    lua_pushvalue(L, 1);
  }
  pattern_settle(&m);
  lua_pushinteger(L, count);
  return 2;
}

// --- format ----------------------------------------------------------------------------------------------

// One directive of a format: `%`, flags, width, precision, conversion.
typedef struct {
  char text[32];       // as written, from `%` to the conversion
  size_t flag_length;  // of flags, width and precision
  char conversion;
  int width;
  int precision;  // -1 where there is none
} directive;

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
  int type = luaL_getmetafield(L, index, "__name");
  if (type != LUA_TSTRING) {
    if (type != LUA_TNIL) lua_pop(L, 1);
    lua_pushstring(L, luaL_typename(L, index));
  }
  return lua_tolstring(L, -1, length);
}

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

static int string_format(lua_State *L) {
  size_t length;
  int top = lua_gettop(L);
  int arg = 1;
  uint64_t work = 0;
  const char *p = luaL_checklstring(L, 1, &length);
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

// --- pack, unpack, packsize: liblua's own, called in place so that its messages name our function --------

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

static int string_pack(lua_State *L) {
  size_t length;
  const char *format = luaL_checklstring(L, 1, &length);
  script_charge_bytes(L, length);
  size_t total = fixed_bytes(format, length);
  int top = lua_gettop(L);
  for (int i = 2; i <= top && total <= SCRIPT_TEXT_LIMIT; i++) {
    if (lua_type(L, i) == LUA_TSTRING) total += lua_rawlen(L, i);
  }
  script_check_text_length(L, total, "pack");
  script_check_text_length(L, total + 16 * length, "pack");
  if (length > 8) script_charge(L, length);
  script_charge_bytes(L, total);
  return call_stock(L);
}

static int string_packsize(lua_State *L) {
  size_t length;
  luaL_checklstring(L, 1, &length);
  if (length > 8) script_charge(L, length);
  return call_stock(L);
}

static int string_unpack(lua_State *L) {
  size_t length, data_length;
  luaL_checklstring(L, 1, &length);
  luaL_checklstring(L, 2, &data_length);
  size_t first = start_position(script_optional_integer(L, 3, 1), data_length) - 1;
  if (length > 8) script_charge(L, length);
  if (first < data_length) script_charge_bytes(L, data_length - first);
  return call_stock(L);
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
