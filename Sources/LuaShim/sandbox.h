// The parts of a script's environment.

#ifndef LUA_SHIM_SANDBOX_H
#define LUA_SHIM_SANDBOX_H

#include "vm_internal.h"

void sandbox_open(lua_State *L);     // builds the environment of the profile
void sandbox_prelude(lua_State *L);  // runs the host's own Lua before the file

// Each adds its functions to the table on top of the stack: the environment where nothing else is said.
void base_open(lua_State *L);            // library_base.cpp
void iteration_open(lua_State *L);       // iteration.cpp
void num_open(lua_State *L);             // library_num.cpp
void random_open(lua_State *L);          // library_random.cpp: to `math`
void json_open(lua_State *L);            // library_json.cpp
void base64_open(lua_State *L);          // library_base64.cpp
void modules_open(lua_State *L);         // modules.cpp
void state_lists_open(lua_State *L);     // state_lists.cpp: to `table`
void host_functions_open(lua_State *L);  // host_functions.cpp
void test_cases_open(lua_State *L);      // test_cases.cpp

// library_num.cpp: looks at a chunk on top of the stack before it runs. Raises to have a handler run again.
void num_look_at_chunk(lua_State *L);
// Pushes the keys of the table or handle at `index` as a new list, in order, and returns how many.
lua_Integer keys_push(lua_State *L, int index);
// The prelude's bind(f, value).
int host_function_bind(lua_State *L);

#endif
