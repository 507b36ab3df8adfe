// JSON into plain tables: payloads, answers of the host, what json.decode gives.

#include "slots.h"

void table_push_json(lua_State *L, const json_node *root, const char *text, uint32_t index) {
  script_vm *vm = vm_of(L);
  const json_node &node = root[index];
  const char *content = text + node.start;
  switch (node.type) {
    case JSON_NULL: lua_pushlightuserdata(L, nullptr); return;
    case JSON_FALSE: lua_pushboolean(L, 0); return;
    case JSON_TRUE: lua_pushboolean(L, 1); return;
    case JSON_INTEGER: lua_pushinteger(L, json_integer(content, node.length)); return;
    case JSON_FLOAT: lua_pushnumber(L, json_double(content, node.length)); return;
    case JSON_BIG: lua_pushlstring(L, content, node.length); return;
    case JSON_STRING: text_push_json(L, content, node.length, node.flags & JSON_ESCAPED); return;
    default: break;
  }
  luaL_checkstack(L, 6, "nested too deep");
  script_charge(L, node.length + 1);
  uint32_t child = index + 1;
  if (node.type == JSON_ARRAY) {
    lua_createtable(L, int(node.length), 0);
    lua_rawgeti(L, LUA_REGISTRYINDEX, vm->array_ref);
    lua_setmetatable(L, -2);
    for (lua_Integer i = 1; child < node.next; child = root[child].next, i++) {
      table_push_json(L, root, text, child);
      lua_rawseti(L, -2, i);
    }
    return;
  }
  lua_createtable(L, 0, int(node.length));
  while (child < node.next) {
    text_push_json(L, text + root[child].start, root[child].length, root[child].flags & JSON_ESCAPED);
    table_push_json(L, root, text, child + 1);
    lua_rawset(L, -3);
    child = root[child + 1].next;
  }
}
