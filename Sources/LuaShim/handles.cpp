// Making handles, and what all kinds of them have in common.

#include "handles.h"

Handle *handle_push(lua_State *L, HandleKind kind, uint32_t index, uint32_t generation, uint32_t writable) {
  script_vm *vm = vm_of(L);
  auto handle = static_cast<Handle *>(lua_newuserdatauv(L, sizeof(Handle), 0));
  *handle = {kind, index, generation, writable};
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm->metatables[int(kind)]);
  lua_setmetatable(L, -2);
  return handle;
}

void metatable_push(lua_State *L, const luaL_Reg *functions) {
  int count = 0;
  while (functions[count].name) count++;
  // With room for all, and for a name: the first one, __index, is found at once.
  lua_createtable(L, 0, count + 2);
  luaL_setfuncs(L, functions, 0);
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
}

void handle_metatable(lua_State *L, HandleKind kind, const luaL_Reg *functions) {
  metatable_push(L, functions);
  // What errors call it: scripts see a container as a table.
  static const char *const names[handle_kinds] = {"table",     "table",     "ctx",      "rule",
                                                  "table", "statistic", "statistic", "statistic"};
  lua_pushstring(L, names[int(kind)]);
  lua_setfield(L, -2, "__name");
  vm_of(L)->metatables[int(kind)] = luaL_ref(L, LUA_REGISTRYINDEX);
}

int handle_equal(lua_State *L) {
  auto a = handle_at(L, 1), b = handle_at(L, 2);
  bool same = a && b && a->kind == b->kind && a->index == b->index && a->generation == b->generation;
  if (!same && a && b) {
    uint32_t left, right;
    bool holds_a = a->kind == HandleKind::container || a->kind == HandleKind::field;
    bool holds_b = b->kind == HandleKind::container || b->kind == HandleKind::field;
    if (holds_a && holds_b && container_at(L, a, &left) && container_at(L, b, &right)) same = left == right;
  }
  lua_pushboolean(L, same);
  return 1;
}

int handle_read_only(lua_State *L) {
  return luaL_error(L, "messages and ctx can't be changed; keep a value in state instead");
}

void handles_open(lua_State *L) {
  messages_open(L);
  containers_open(L);
  context_open(L);
  key_views_open(L);
  stats_open(L);
}
