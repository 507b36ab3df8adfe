// What scripts see of the host's data: messages and payloads, containers of state, ctx, views of other keys. All are
// userdata that name things by index and generation; none owns anything, and a stale one says so.

#ifndef LUA_SHIM_HANDLES_H
#define LUA_SHIM_HANDLES_H

#include "vm_internal.h"

// What a full userdata of the sandbox is. Scripts can't make any, so the first field can be trusted. Messages are
// none: they are light userdata, see MessageHandle.
// A `statistic` is one of the key in hand, by its field; a `statistic_view` one of any key, to be read; a `declaration`
// is what stats.sma { … } gives while the script loads.
enum class HandleKind : uint32_t { container, field, context, rule, key_view, declaration, statistic, statistic_view };
constexpr int handle_kinds = 8;

struct Handle {
  HandleKind kind;
  uint32_t index;       // container, field, rule, key, declaration or statistic
  uint32_t generation;  // of the call or of the container
  uint32_t writable;    // a container reached through the key of the running handler
};

// An object or a list of the message in hand, as the value of a light userdata: nothing is allocated for a message.
// Scripts can't make light userdata either. The generation is never 0, so none is NULL, which is json.null.
struct MessageHandle {
  uint32_t node = 0, generation = 0;
  explicit operator bool() const { return generation != 0; }
};
static_assert(sizeof(void *) == 8, "a message's handle is as wide as a pointer");

inline void *message_word(MessageHandle handle) {
  return reinterpret_cast<void *>(uintptr_t(handle.generation) << 32 | handle.node);
}

inline MessageHandle message_of(const void *userdata) {
  const uintptr_t word = reinterpret_cast<uintptr_t>(userdata);
  return {uint32_t(word), uint32_t(word >> 32)};
}

// The full userdata at an index, nullptr for anything else.
inline Handle *handle_at(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TUSERDATA ? static_cast<Handle *>(lua_touserdata(L, index)) : nullptr;
}

// The message at an index, false for anything else.
inline MessageHandle message_at(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TLIGHTUSERDATA ? message_of(lua_touserdata(L, index)) : MessageHandle();
}

inline bool null_at(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TLIGHTUSERDATA && !lua_touserdata(L, index);
}

// --- handles.cpp
void handles_open(lua_State *L);
Handle *handle_push(lua_State *L, HandleKind kind, uint32_t index, uint32_t generation, uint32_t writable);
void metatable_push(lua_State *L, const luaL_Reg *functions);  // one that scripts can't see
void handle_metatable(lua_State *L, HandleKind kind, const luaL_Reg *functions);
int handle_equal(lua_State *L);
int handle_read_only(lua_State *L);

// --- messages.cpp
void messages_open(lua_State *L);
void message_push(lua_State *L, uint32_t node);  // of the message in hand
inline void message_push_root(lua_State *L, const script_vm *vm) {
  if (vm->root->type >= JSON_ARRAY) lua_pushlightuserdata(L, message_word({0, vm->generation}));
  else message_push(L, 0);
}
// The node of a message; raises when it is stale.
const json_node *message_node(lua_State *L, MessageHandle handle);
// The node of item n (from 1) of a list, 0 where there is none.
uint32_t message_item(const json_node *root, uint32_t list, lua_Integer n);

// --- context.cpp
void context_open(lua_State *L);
int context_time_now(lua_State *L);

// --- containers.cpp
void containers_open(lua_State *L);
// A handle's container, nullptr when it isn't one; raises when it is stale.
Container *container_at(lua_State *L, const Handle *handle, uint32_t *index);
// Stores under the Lua key at an index, without raising while a C++ object lives; returns the fault's text.
const char *container_store(lua_State *L, uint32_t container, int key_index, Slot value);

// --- library_stats.cpp
void stats_open(lua_State *L);
inline bool statistic_is(const Handle *handle) { return handle && handle->kind >= HandleKind::declaration; }

// --- key_views.cpp
void key_views_open(lua_State *L);

#endif
