// The pattern matcher: Lua 5.4's patterns (manual, section 6.4.1) over an explicit stack of choices instead
// of C recursion, so that its depth is bounded, and with each step counted.

#include "pattern.h"

#include <string.h>

#define WORK_CHUNK 256   // steps that come together before they are charged
#define WORK_TRIFLE 16   // steps of a whole call that aren't worth charging
#define SET_BYTES_PER_STEP 8
#define MAX_CHOICES 199  // with the match itself the 200 levels that Lua allows
#define SEARCH_WINDOW 4096

// A place to go back to when the rest of the pattern didn't match.
typedef enum {
  CHOICE_SHORTER,   // a greedy repetition can give back one byte
  CHOICE_LONGER,    // a lazy repetition can take one byte more
  CHOICE_WITHOUT,   // an optional byte can be left out
  CHOICE_OPENED,    // nothing to try: a capture was opened and must be forgotten
  CHOICE_CLOSED,    // nothing to try: a capture was closed and must be open again
} choice_kind;

typedef struct {
  choice_kind kind;
  int capture;          // CLOSED: which
  const char *subject;  // where to go on in the subject
  const char *item;     // LONGER: the repeated item, which ends just before its suffix
  const char *pattern;  // where to go on in the pattern, after item and suffix
  size_t spare;         // SHORTER: bytes that can still be given back
} choice;

static inline unsigned char byte_at(const char *p) { return (unsigned char)*p; }

void pattern_work(pattern_matcher *m, uint64_t steps) {
  m->work += steps;
  if (m->work >= WORK_CHUNK) {
    uint64_t done = m->work;
    m->work = 0;
    script_charge(m->L, done);
  }
}

void pattern_settle(pattern_matcher *m) {
  if (m->work >= WORK_TRIFLE) script_charge(m->L, m->work);
  m->work = 0;
}

static inline void work(pattern_matcher *m, uint64_t steps) {
  m->work += steps;
  if (m->work >= WORK_CHUNK) pattern_work(m, 0);
}

// --- bytes and classes: ASCII, whatever the locale ------------------------------------------------------

static inline bool between(unsigned char c, unsigned char low, unsigned char high) {
  return (unsigned char)(c - low) <= (unsigned char)(high - low);
}

static inline bool is_lower(unsigned char c) { return between(c, 'a', 'z'); }
static inline bool is_upper(unsigned char c) { return between(c, 'A', 'Z'); }
static inline bool is_letter(unsigned char c) { return is_lower(c | 0x20); }
static inline bool is_digit(unsigned char c) { return between(c, '0', '9'); }
static inline bool is_graphic(unsigned char c) { return between(c, 0x21, 0x7e); }

static bool in_class(unsigned char c, unsigned char name) {
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
static bool in_set(pattern_matcher *m, unsigned char c, const char *open, const char *close) {
  const char *p = open + 1;
  bool found = true;
  work(m, (uint64_t)(close - open) / SET_BYTES_PER_STEP);
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
static const char *item_end(pattern_matcher *m, const char *p) {
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
  work(m, (uint64_t)(p - start) / SET_BYTES_PER_STEP);
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

// How many bytes in a row the item takes.
static size_t run_length(pattern_matcher *m, const char *s, const char *item, const char *end) {
  const char *p = s;
  if (*item == '.') return (size_t)(m->subject_end - s);
  while (takes(m, p, item, end)) {
    work(m, 1);
    p++;
  }
  return (size_t)(p - s);
}

// --- the parts of a pattern that aren't single bytes ----------------------------------------------------

// `%bxy` at `p`. Returns the end of the balanced stretch or NULL.
static const char *match_balance(pattern_matcher *m, const char *s, const char *p) {
  char open, close;
  size_t depth = 1;
  if (m->pattern_end - p < 4) luaL_error(m->L, "malformed pattern (missing arguments to '%%b')");
  open = p[2];
  close = p[3];
  if (s == m->subject_end || *s != open) return NULL;
  while (++s < m->subject_end) {
    work(m, 1);
    if (*s == close) {
      if (--depth == 0) return s + 1;
    } else if (*s == open) {
      depth++;
    }
  }
  return NULL;
}

// Whether a frontier with the set at `set` lies at `s`; both ends of the subject count as a zero byte.
static bool is_frontier(pattern_matcher *m, const char *s, const char *set, const char *set_end) {
  unsigned char before = s == m->subject ? 0 : byte_at(s - 1);
  unsigned char after = s == m->subject_end ? 0 : byte_at(s);
  return !in_set(m, before, set, set_end - 1) && in_set(m, after, set, set_end - 1);
}

// `%1` to `%9` at `p`. Returns the end of the repeated text or NULL.
static const char *match_back_reference(pattern_matcher *m, const char *s, const char *p) {
  int index = p[1] - '1';
  size_t length;
  if (index < 0 || index >= m->captures || m->capture[index].length == PATTERN_CAPTURE_OPEN) {
    luaL_error(m->L, "invalid capture index %%%d", index + 1);
  }
  if (m->capture[index].length == PATTERN_CAPTURE_POSITION) return NULL;
  length = (size_t)m->capture[index].length;
  if ((size_t)(m->subject_end - s) < length) return NULL;
  work(m, length / 16);
  return memcmp(m->capture[index].start, s, length) == 0 ? s + length : NULL;
}

static int last_open_capture(pattern_matcher *m) {
  for (int i = m->captures - 1; i >= 0; i--) {
    if (m->capture[i].length == PATTERN_CAPTURE_OPEN) return i;
  }
  return luaL_error(m->L, "invalid pattern capture");
}

// --- the match -------------------------------------------------------------------------------------------

static inline choice *push_choice(
    pattern_matcher *m, choice *choices, int *count, choice_kind kind, const char *subject,
    const char *pattern) {
  if (*count == MAX_CHOICES) luaL_error(m->L, "pattern too complex");
  choice *c = &choices[(*count)++];
  c->kind = kind;
  c->subject = subject;
  c->pattern = pattern;
  return c;
}

// Takes back the newest choices until one gives another way to go on. Returns false when none does.
static bool next_choice(pattern_matcher *m, choice *choices, int *count, const char **s, const char **p) {
  while (*count > 0) {
    choice *c = &choices[*count - 1];
    work(m, 1);
    switch (c->kind) {
      case CHOICE_SHORTER:
        if (c->spare == 0) break;
        c->spare--;
        *s = --c->subject;
        *p = c->pattern;
        return true;
      case CHOICE_LONGER:
        if (!takes(m, c->subject, c->item, c->pattern - 1)) break;
        *s = ++c->subject;
        *p = c->pattern;
        return true;
      case CHOICE_WITHOUT:
        *s = c->subject;
        *p = c->pattern;
        (*count)--;
        return true;
      case CHOICE_OPENED:
        m->captures--;
        break;
      case CHOICE_CLOSED:
        m->capture[c->capture].length = PATTERN_CAPTURE_OPEN;
        break;
    }
    (*count)--;
  }
  return false;
}

const char *pattern_match(pattern_matcher *m, const char *at) {
  choice choices[MAX_CHOICES];
  int count = 0;
  const char *s = at;
  const char *p = m->pattern;
  const char *const end = m->pattern_end;
  m->captures = 0;
  for (;;) {
    const char *after;
    work(m, 1);
    if (p == end) return s;
    switch (*p) {
      case '(': {
        bool position = p[1] == ')';
        if (m->captures == PATTERN_MAX_CAPTURES) luaL_error(m->L, "too many captures");
        push_choice(m, choices, &count, CHOICE_OPENED, s, p);
        m->capture[m->captures].start = s;
        m->capture[m->captures].length = position ? PATTERN_CAPTURE_POSITION : PATTERN_CAPTURE_OPEN;
        m->captures++;
        p += position ? 2 : 1;
        continue;
      }
      case ')': {
        int index = last_open_capture(m);
        push_choice(m, choices, &count, CHOICE_CLOSED, s, p)->capture = index;
        m->capture[index].length = s - m->capture[index].start;
        p++;
        continue;
      }
      case '$':
        if (p + 1 != end) break;
        if (s == m->subject_end) return s;
        goto failed;
      case '%':
        if (p[1] == 'b') {
          s = match_balance(m, s, p);
          if (s == NULL) goto failed;
          p += 4;
          continue;
        }
        if (p[1] == 'f') {
          if (p[2] != '[') luaL_error(m->L, "missing '[' after '%%f' in pattern");
          after = item_end(m, p + 2);
          if (!is_frontier(m, s, p + 2, after)) goto failed;
          p = after;
          continue;
        }
        if (is_digit(byte_at(p + 1))) {
          s = match_back_reference(m, s, p);
          if (s == NULL) goto failed;
          p += 2;
          continue;
        }
        break;
      default: break;
    }

    after = item_end(m, p);
    switch (*after) {  // a zero byte at the end of the pattern
      case '*':
      case '+': {
        size_t length = run_length(m, s, p, after);
        size_t least = *after == '+';
        if (length < least) goto failed;
        if (length > 0) {
          s += length;
          push_choice(m, choices, &count, CHOICE_SHORTER, s, after + 1)->spare = length - least;
        }
        p = after + 1;
        continue;
      }
      case '-':
        if (takes(m, s, p, after)) push_choice(m, choices, &count, CHOICE_LONGER, s, after + 1)->item = p;
        p = after + 1;
        continue;
      case '?':
        if (takes(m, s, p, after)) push_choice(m, choices, &count, CHOICE_WITHOUT, s++, after + 1);
        p = after + 1;
        continue;
      default:
        if (!takes(m, s, p, after)) goto failed;
        s++;
        p = after;
        continue;
    }

  failed:
    if (!next_choice(m, choices, &count, &s, &p)) return NULL;
  }
}

void pattern_prepare(
    pattern_matcher *m, lua_State *L, const char *subject, size_t subject_length, const char *pattern,
    size_t pattern_length) {
  m->L = L;
  m->subject = subject;
  m->subject_end = subject + subject_length;
  m->pattern = pattern;
  m->pattern_end = pattern + pattern_length;
  m->first_end = NULL;
  m->is_first_read = false;
  m->work = 0;
  m->captures = 0;
}

// Sees whether every match begins with a byte that the first item takes. Raises, as a match would, for a
// malformed item.
static void read_first_item(pattern_matcher *m) {
  const char *p = m->pattern;
  m->is_first_read = true;
  if (p == m->pattern_end || *p == '(' || *p == ')' || *p == '$' || *p == '.') return;
  if (*p == '%' && (p[1] == 'b' || p[1] == 'f' || is_digit(byte_at(p + 1)))) return;
  const char *end = item_end(m, p);
  if (*end != '*' && *end != '-' && *end != '?') m->first_end = end;
}

// Returns the next byte that the first item takes, or NULL.
static const char *next_start(pattern_matcher *m, const char *at) {
  const char *item = m->pattern;
  if (*item == '[' || *item == '%') {
    for (; at < m->subject_end; at++) {
      work(m, 1);
      if (takes(m, at, item, m->first_end)) return at;
    }
    return NULL;
  }
  while (at < m->subject_end) {
    size_t length = (size_t)(m->subject_end - at);
    if (length > SEARCH_WINDOW) length = SEARCH_WINDOW;
    const char *found = memchr(at, *item, length);
    if (found != NULL) {
      work(m, (uint64_t)(found - at) / 16);
      return found;
    }
    work(m, length / 16);
    at += length;
  }
  return NULL;
}

const char *pattern_search(pattern_matcher *m, const char *at, const char *last_end, const char **end) {
  if (!m->is_first_read) read_first_item(m);
  for (; at <= m->subject_end; at++) {
    if (m->first_end != NULL && (at = next_start(m, at)) == NULL) return NULL;
    const char *match_end = pattern_match(m, at);
    if (match_end != NULL && match_end != last_end) {
      *end = match_end;
      return at;
    }
  }
  return NULL;
}

// --- captures --------------------------------------------------------------------------------------------

void pattern_push_capture(pattern_matcher *m, int index, const char *start, const char *end) {
  if (index >= m->captures) {
    if (index != 0) luaL_error(m->L, "invalid capture index %%%d", index + 1);
    work(m, (uint64_t)(end - start) / 16);
    lua_pushlstring(m->L, start, (size_t)(end - start));
    return;
  }
  pattern_capture c = m->capture[index];
  if (c.length == PATTERN_CAPTURE_OPEN) luaL_error(m->L, "unfinished capture");
  if (c.length == PATTERN_CAPTURE_POSITION) {
    lua_pushinteger(m->L, c.start - m->subject + 1);
  } else {
    work(m, (uint64_t)c.length / 16);
    lua_pushlstring(m->L, c.start, (size_t)c.length);
  }
}

int pattern_push_captures(pattern_matcher *m, const char *start, const char *end) {
  int count = m->captures == 0 && start != NULL ? 1 : m->captures;
  luaL_checkstack(m->L, count, "too many captures");
  for (int i = 0; i < count; i++) pattern_push_capture(m, i, start, end);
  return count;
}
