// The values of a message, made when they are read.

#ifndef LUA_SHIM_MESSAGE_VALUES_H
#define LUA_SHIM_MESSAGE_VALUES_H

#include "handles.h"
#include "slots.h"

// Pushes the value at a node of the message in hand; an object or a list is a handle.
inline __attribute__((always_inline)) void message_push_node(lua_State *L, script_vm *vm, uint32_t index) {
  const json_node &node = vm->root[index];
  const char *content = vm->text + node.start;
  switch (node.type) {
    case JSON_NULL: lua_pushlightuserdata(L, nullptr); break;
    case JSON_FALSE: lua_pushboolean(L, 0); break;
    case JSON_TRUE: lua_pushboolean(L, 1); break;
    case JSON_INTEGER: lua_pushinteger(L, json_integer(content, node.length)); break;
    case JSON_FLOAT: lua_pushnumber(L, json_double(content, node.length)); break;
    case JSON_BIG: lua_pushlstring(L, content, node.length); break;
    case JSON_STRING:
      if (node.length > 256) script_charge(L, node.length / 64);
      text_push_json(L, content, node.length, node.flags & JSON_ESCAPED);
      break;
    default: lua_pushlightuserdata(L, message_word({index, vm->generation}));
  }
}

#endif
