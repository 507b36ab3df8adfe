// The distribution's Lua with its own libraries, beside which tests hold the sandbox's.

#ifndef LUA_REFERENCE_H
#define LUA_REFERENCE_H

#include <stddef.h>

// Runs a chunk that returns a table with a list of texts under "cases". Gives them one a line, or the error's text;
// the caller frees it.
char *_Nonnull lua_reference_cases(const char *_Nonnull source, size_t length);

#endif
