// The pattern matcher: Lua 5.4's patterns (manual, section 6.4.1) over an explicit stack of choices instead
// of C recursion, so that its depth is bounded, and with each step counted.

#include "pattern.h"

#include <string.h>

#include "pattern_item.h"

#define MAX_CHOICES 199  // with the match itself the 200 levels that Lua allows

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
