// Values on their way between Lua, the slots of state and JSON.

#ifndef LUA_SHIM_SLOTS_H
#define LUA_SHIM_SLOTS_H

#include "vm_internal.h"

// --- slots_push.cpp: out of state
void slot_push(lua_State *L, const Slot &slot, bool writable);
void slot_push_key(lua_State *L, const MapKey &key);
void slot_push_copy(lua_State *L, const Slot &slot);  // plain tables, no longer part of state
void slot_push_field(lua_State *L, uint32_t key, uint32_t field);

// --- slots_take.cpp: into state
// Turns a Lua value into a slot of the running key; raises naming `path` for what state can't hold.
Slot slot_take(lua_State *L, int index, const char *path);

// Raises when so many more bytes would put the running key's state over its limit.
void state_check_size(lua_State *L, size_t extra);

// --- slots_json.cpp: from JSON into state
bool slot_from_json(
  script_vm *vm, const json_node *root, const char *text, uint32_t node, uint32_t owner, Slot *slot);

// --- statistic_row.cpp: a statistic of a stored row
bool statistic_in_json(const json_node *root, const char *text, uint32_t node);
// Takes it over where it is of the same kind and window; one that was declared otherwise begins anew. False for
// numbers that no statistic has.
bool statistic_from_json(script_vm *vm, const json_node *root, const char *text, uint32_t node, uint32_t statistic);

// --- tables_json.cpp: from JSON into plain tables
void table_push_json(lua_State *L, const json_node *root, const char *text, uint32_t node);

inline void text_push_json(lua_State *L, const char *content, size_t length, bool escaped) {
  if (!escaped) {
    lua_pushlstring(L, content, length);
    return;
  }
  luaL_Buffer buffer;
  char *plain = luaL_buffinitsize(L, &buffer, length);
  luaL_pushresultsize(&buffer, json_unescape(content, length, plain));
}

#endif
