// find, match, gmatch and gsub over our own matcher; see pattern.h.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memmem
#endif

#include <string.h>

#include "library_string.h"
#include "pattern.h"

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
  const char *s = script_check_text(L, 1, &length);
  const char *pattern = script_check_text(L, 2, &pattern_length);
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

int string_find(lua_State *L) { return find_or_match(L, true); }
int string_match(lua_State *L) { return find_or_match(L, false); }

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

int string_gmatch(lua_State *L) {
  size_t length;
  script_check_text(L, 1, &length);
  script_check_text(L, 2, NULL);
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
  if (!lua_isstring(L, -1)) luaL_error(L, "invalid replacement value (a %s)", script_type_name(L, -1));
  add_value(m, b);
  return true;
}

int string_gsub(lua_State *L) {
  size_t length, pattern_length;
  const char *s = script_check_text(L, 1, &length);
  const char *pattern = script_check_text(L, 2, &pattern_length);
  int type = lua_type(L, 3);
  if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TFUNCTION && type != LUA_TTABLE) {
    return script_type_error(L, 3, "string/function/table");
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
