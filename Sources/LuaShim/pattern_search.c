// Searching a subject for a pattern's first match, what a match gives, and the account of the work.

#include <string.h>

#include "pattern_item.h"

#define WORK_TRIFLE 16  // steps of a whole call that aren't worth charging
#define SEARCH_WINDOW 4096

void pattern_work(pattern_matcher *m, uint64_t steps) {
  m->work += steps;
  if (m->work >= PATTERN_WORK_CHUNK) {
    uint64_t done = m->work;
    m->work = 0;
    script_charge(m->L, done);
  }
}

void pattern_settle(pattern_matcher *m) {
  if (m->work >= WORK_TRIFLE) script_charge(m->L, m->work);
  m->work = 0;
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
