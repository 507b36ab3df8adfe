// Lua patterns with every step of the matching charged.

#ifndef LUA_SHIM_PATTERN_H
#define LUA_SHIM_PATTERN_H

#include "vm.h"

#define PATTERN_MAX_CAPTURES 32

// What a capture holds instead of a length.
enum { PATTERN_CAPTURE_OPEN = -1, PATTERN_CAPTURE_POSITION = -2 };

typedef struct {
  const char *start;
  ptrdiff_t length;
} pattern_capture;

// One subject and one pattern, and the captures of the last match. It owns nothing: the texts must stay on
// the Lua stack while it is used.
typedef struct {
  lua_State *L;
  const char *subject, *subject_end;
  const char *pattern, *pattern_end;  // without a leading anchor
  const char *first_end;              // end of the single-byte item that every match begins with, or NULL
  bool is_first_read;                 // whether `first_end` was looked for
  uint64_t work;                      // done and not charged yet
  int captures;
  pattern_capture capture[PATTERN_MAX_CAPTURES];
} pattern_matcher;

// Prepares a matcher. The caller has taken a leading `^` off the pattern.
void pattern_prepare(
    pattern_matcher *m, lua_State *L, const char *subject, size_t subject_length, const char *pattern,
    size_t pattern_length);

// Matches at one place of the subject. Returns the end of the match or NULL. Raises for a malformed pattern
// and when the steps are spent.
const char *pattern_match(pattern_matcher *m, const char *at);

// Finds the first match that begins at `at` or later and doesn't end at `last_end` (which may be NULL).
// Returns its start and sets its end, or returns NULL.
const char *pattern_search(pattern_matcher *m, const char *at, const char *last_end, const char **end);

// Adds to the work done and charges it when enough has come together.
void pattern_work(pattern_matcher *m, uint64_t steps);

// Charges what is left of the work, unless it is trifling.
void pattern_settle(pattern_matcher *m);

// Pushes capture number `index` (from 0) of a match; 0 is the whole match where the pattern has no captures.
void pattern_push_capture(pattern_matcher *m, int index, const char *start, const char *end);

// Pushes all captures, or the whole match where the pattern has none. Returns how many.
int pattern_push_captures(pattern_matcher *m, const char *start, const char *end);

#endif
