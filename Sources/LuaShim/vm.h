// What the files of this target share behind the door. Nothing here is visible to Swift.
//
// Every function that says "raises" leaves by a Lua error: no frame between it and the door may hold a
// resource that only a destructor or a later line would give back.

#ifndef LUA_SHIM_VM_H
#define LUA_SHIM_VM_H

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct script_vm script_vm;

// The VM that a Lua state belongs to.
static inline script_vm *vm_of(lua_State *L) { return *(script_vm **)lua_getextraspace(L); }

// --- handler_limits.cpp ----------------------------------------------------------------------------------

// Charges the work of a C loop to the message's steps, before the work is done. Raises when they are spent.
void script_charge(lua_State *L, uint64_t steps);

// True once the running handler was condemned: every pcall must then pass the error on.
bool script_killed(lua_State *L);

// --- type_names.cpp: what scripts call the types, json.null and the host's handles among them ---------------

// "null", "table", "statistic" and so on; for other values Lua's own name.
const char *script_type_name(lua_State *L, int index);

// Raises "bad argument #n to 'f' (number expected, got null)".
int script_type_error(lua_State *L, int argument, const char *expected);

// Raises unless an argument has the type.
void script_check_type(lua_State *L, int argument, int type);

// --- table_face.cpp: plain tables and handles (messages, containers of state) by one face ----------------

// True for a plain table and for a handle that stands for a list or a map.
bool script_is_table(lua_State *L, int index);

// The number of items in the list part: raw length of a table, never a metamethod. Raises for a stale handle.
lua_Integer script_length(lua_State *L, int index);

// Pushes item n (from 1), nil where there is none. Raw for tables. Raises for a stale handle.
void script_get_item(lua_State *L, int index, lua_Integer n);

// Pops a value and stores it as item n. Raw for tables. Raises for a stale or read-only handle and for a value
// that state can't hold.
void script_set_item(lua_State *L, int index, lua_Integer n);

// Checks that an argument is a table or a handle. Raises the usual "bad argument" error otherwise.
void script_check_table(lua_State *L, int argument);

// --- libraries ----------------------------------------------------------------------------------------

// Each pushes one new table with the functions that a script may call.
void script_open_string(lua_State *L);  // library_string*.c, pattern*.c
void script_open_table(lua_State *L);   // library_table.c
void script_open_math(lua_State *L);    // library_math.c (random is added by the VM)
void script_open_utf8(lua_State *L);    // library_utf8.c

#ifdef __cplusplus
}
#endif

#endif
