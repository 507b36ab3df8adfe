// The items of a pattern that take a single byte: a byte, a class, a set. All ASCII, whatever the locale. Inline, since
// matching and searching spend their time here.

#ifndef LUA_SHIM_PATTERN_ITEM_H
#define LUA_SHIM_PATTERN_ITEM_H

#include "pattern.h"

#define PATTERN_WORK_CHUNK 256  // steps that come together before they are charged
#define PATTERN_SET_BYTES_PER_STEP 8

static inline unsigned char byte_at(const char *p) { return (unsigned char)*p; }

static inline void work(pattern_matcher *m, uint64_t steps) {
  m->work += steps;
  if (m->work >= PATTERN_WORK_CHUNK) pattern_work(m, 0);
}

static inline bool between(unsigned char c, unsigned char low, unsigned char high) {
  return (unsigned char)(c - low) <= (unsigned char)(high - low);
}

static inline bool is_lower(unsigned char c) { return between(c, 'a', 'z'); }
static inline bool is_upper(unsigned char c) { return between(c, 'A', 'Z'); }
static inline bool is_letter(unsigned char c) { return is_lower(c | 0x20); }
static inline bool is_digit(unsigned char c) { return between(c, '0', '9'); }
static inline bool is_graphic(unsigned char c) { return between(c, 0x21, 0x7e); }

static inline bool in_class(unsigned char c, unsigned char name) {
  bool is_in;
  if (!is_letter(name)) return c == name;
  switch (name | 0x20) {
    case 'a': is_in = is_letter(c); break;
    case 'c': is_in = c < 0x20 || c == 0x7f; break;
    case 'd': is_in = is_digit(c); break;
    case 'g': is_in = is_graphic(c); break;
    case 'l': is_in = is_lower(c); break;
    case 'p': is_in = is_graphic(c) && !is_letter(c) && !is_digit(c); break;
    case 's': is_in = c == ' ' || between(c, '\t', '\r'); break;
    case 'u': is_in = is_upper(c); break;
    case 'w': is_in = is_letter(c) || is_digit(c); break;
    case 'x': is_in = is_digit(c) || between(c | 0x20, 'a', 'f'); break;
    case 'z': is_in = c == 0; break;
    default: return c == name;
  }
  return is_in != is_upper(name);
}

// Whether a byte is in the set from `[` at `open` to `]` at `close`.
static inline bool in_set(pattern_matcher *m, unsigned char c, const char *open, const char *close) {
  const char *p = open + 1;
  bool found = true;
  work(m, (uint64_t)(close - open) / PATTERN_SET_BYTES_PER_STEP);
  if (*p == '^') {
    found = false;
    p++;
  }
  while (p < close) {
    if (*p == '%') {
      if (in_class(c, byte_at(p + 1))) return found;
      p += 2;
    } else if (p[1] == '-' && p + 2 < close) {
      if (byte_at(p) <= c && c <= byte_at(p + 2)) return found;
      p += 3;
    } else {
      if (byte_at(p) == c) return found;
      p++;
    }
  }
  return !found;
}

// Returns the place after the single-byte item at `p`.
static inline const char *item_end(pattern_matcher *m, const char *p) {
  const char *end = m->pattern_end;
  const char *start = p;
  char first = *p++;
  if (first == '%') {
    if (p == end) luaL_error(m->L, "malformed pattern (ends with '%%')");
    return p + 1;
  }
  if (first != '[') return p;
  if (*p == '^') p++;
  do {  // the first byte of a set never closes it
    if (p == end) luaL_error(m->L, "malformed pattern (missing ']')");
    if (*p++ == '%' && p < end) p++;
  } while (p == end || *p != ']');
  work(m, (uint64_t)(p - start) / PATTERN_SET_BYTES_PER_STEP);
  return p + 1;
}

// Whether the item from `item` to `end` takes the byte at `s`.
static inline bool takes(pattern_matcher *m, const char *s, const char *item, const char *end) {
  if (s == m->subject_end) return false;
  switch (*item) {
    case '.': return true;
    case '%': return in_class(byte_at(s), byte_at(item + 1));
    case '[': return in_set(m, byte_at(s), item, end - 1);
    default: return *item == *s;
  }
}

#endif
