// pairs, next and ipairs in one order for every table: list part, then numbers, booleans, text by bytes.

#include "library.h"
#include "handles.h"
#include "sandbox.h"
#include "slots.h"

namespace {

int rank(lua_State *L, int index) {
  switch (lua_type(L, index)) {
    case LUA_TNUMBER: return 0;
    case LUA_TBOOLEAN: return 1;
    case LUA_TSTRING: return 2;
    default: return 3;
  }
}

bool key_less(lua_State *L, int a, int b) {
  int ra = rank(L, a), rb = rank(L, b);
  if (ra != rb) return ra < rb;
  if (ra == 0) return lua_compare(L, a, b, LUA_OPLT);
  if (ra == 1) return lua_toboolean(L, a) < lua_toboolean(L, b);
  size_t la, lb;
  const char *ta = lua_tolstring(L, a, &la), *tb = lua_tolstring(L, b, &lb);
  int order = memcmp(ta, tb, la < lb ? la : lb);
  return order != 0 ? order < 0 : la < lb;
}

bool item_less(lua_State *L, int keys, lua_Integer a, lua_Integer b) {
  lua_rawgeti(L, keys, a);
  lua_rawgeti(L, keys, b);
  bool less = key_less(L, -2, -1);
  lua_pop(L, 2);
  return less;
}

void item_swap(lua_State *L, int keys, lua_Integer a, lua_Integer b) {
  lua_rawgeti(L, keys, a);
  lua_rawgeti(L, keys, b);
  lua_rawseti(L, keys, a);
  lua_rawseti(L, keys, b);
}

// Sorts the keys behind the first `done`, by heap: no script can make it slow.
void sort_keys(lua_State *L, int keys, lua_Integer done, lua_Integer all) {
  const lua_Integer count = all - done;
  auto sift = [&](lua_Integer root, lua_Integer end) {
    for (lua_Integer child = root * 2; child <= end; child = root * 2) {
      if (child < end && item_less(L, keys, done + child, done + child + 1)) child++;
      if (!item_less(L, keys, done + root, done + child)) return;
      item_swap(L, keys, done + root, done + child);
      root = child;
    }
  };
  for (lua_Integer i = count / 2; i >= 1; i--) {
    script_charge(L, 8);
    sift(i, count);
  }
  for (lua_Integer end = count; end > 1; end--) {
    script_charge(L, 8);
    item_swap(L, keys, done + 1, done + end);
    sift(1, end - 1);
  }
}

// Keys on their way into a list on the stack.
struct Keys {
  lua_State *L;
  int list;
  lua_Integer count;

  // Takes the key on top of the stack.
  void add() { lua_rawseti(L, list, ++count); }
  void add_positions(lua_Integer size) {
    while (count < size) {
      lua_pushinteger(L, count + 1);
      add();
    }
  }
};

void add_message_keys(Keys *keys, MessageHandle message) {
  lua_State *L = keys->L;
  script_vm *vm = vm_of(L);
  const json_node *node = message_node(L, message);
  script_charge(L, node->length + 1);
  if (node->type == JSON_ARRAY) {
    keys->add_positions(node->length);
    return;
  }
  bool sorted = true;
  for (uint32_t child = message.node + 1; child < node->next; child = vm->root[child + 1].next) {
    const json_node &name = vm->root[child];
    if (node->flags & JSON_DUPLICATES) {
      // Each name once: the value that counts is the last one's.
      const char *content = vm->text + name.start;
      if (!(name.flags & JSON_ESCAPED) &&
          json_member(vm->root, vm->text, message.node, content, name.length) != child + 1)
        continue;
      script_charge(L, node->length);
    }
    text_push_json(L, vm->text + name.start, name.length, name.flags & JSON_ESCAPED);
    keys->add();
    if (keys->count > 1) sorted = sorted && item_less(L, keys->list, keys->count - 1, keys->count);
  }
  if (!sorted) sort_keys(L, keys->list, 0, keys->count);
}

void add_container_keys(Keys *keys, const Container &owner) {
  script_charge(keys->L, owner.size() + owner.map.size() + 1);
  keys->add_positions(lua_Integer(owner.size()));
  // A map is ordered already. The iterator holds nothing, so a raise in between would lose nothing.
  for (auto member = owner.map.begin(); member != owner.map.end(); ++member) {
    slot_push_key(keys->L, member->first);
    keys->add();
  }
}

void add_table_keys(Keys *keys, int table) {
  lua_State *L = keys->L;
  while (lua_rawgeti(L, table, keys->count + 1) != LUA_TNIL) {
    lua_pop(L, 1);
    script_charge(L, 1);
    lua_pushinteger(L, keys->count + 1);
    keys->add();
  }
  lua_pop(L, 1);
  const lua_Integer listed = keys->count;
  bool sorted = true;
  lua_pushnil(L);
  while (lua_next(L, table)) {
    lua_pop(L, 1);
    if (lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= listed) continue;
    if (rank(L, -1) > 2) luaL_error(L, "a %s can't be a key: its order would be chance", script_type_name(L, -1));
    script_charge(L, 1);
    if (sorted && keys->count > listed) {
      lua_rawgeti(L, keys->list, keys->count);
      sorted = key_less(L, -1, -2);
      lua_pop(L, 1);
    }
    lua_pushvalue(L, -1);
    keys->add();
  }
  if (!sorted) sort_keys(L, keys->list, listed, keys->count);
}

}  // namespace

lua_Integer keys_push(lua_State *L, int index) {
  index = lua_absindex(L, index);
  lua_newtable(L);
  Keys keys = {L, lua_gettop(L), 0};
  if (const MessageHandle message = message_at(L, index)) {
    add_message_keys(&keys, message);
    return keys.count;
  }
  const Handle *handle = handle_at(L, index);
  if (!handle) {
    add_table_keys(&keys, index);
  } else if (handle->kind == HandleKind::key_view) {
    for (const std::string &field : vm_of(L)->state.fields) {
      lua_pushlstring(L, field.data(), field.size());
      keys.add();
    }
  } else {
    uint32_t container;
    const Container *owner = container_at(L, handle, &container);
    if (!owner) luaL_error(L, "a %s has no fields to walk", script_type_name(L, index));
    add_container_keys(&keys, *owner);
  }
  return keys.count;
}

namespace {

void push_value_of(lua_State *L, int table, int key) {
  key = lua_absindex(L, key);
  lua_pushvalue(L, key);
  if (lua_type(L, table) == LUA_TTABLE) lua_rawget(L, table);
  else lua_gettable(L, table);
}

// Upvalues: the table, its keys, the position.
int pairs_step(lua_State *L) {
  lua_settop(L, 0);
  lua_Integer position = lua_tointeger(L, lua_upvalueindex(3));
  for (;;) {
    if (lua_rawgeti(L, lua_upvalueindex(2), ++position) == LUA_TNIL) return 1;
    lua_pushvalue(L, lua_upvalueindex(1));
    push_value_of(L, 2, 1);
    if (!lua_isnil(L, 3)) break;
    lua_settop(L, 0);  // removed meanwhile
  }
  lua_pushinteger(L, position);
  lua_replace(L, lua_upvalueindex(3));
  lua_remove(L, 2);
  return 2;
}

int base_pairs(lua_State *L) {
  luaL_checkany(L, 1);
  Handle *handle = handle_at(L, 1);
  if (!script_is_table(L, 1) && !(handle && handle->kind == HandleKind::key_view)) script_check_table(L, 1);
  lua_settop(L, 1);
  keys_push(L, 1);
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, pairs_step, 3);
  return 1;
}

// `next` has no place to keep its keys, so the last table's are kept here.
int base_next(lua_State *L) {
  script_check_table(L, 1);
  lua_settop(L, 2);
  lua_Integer position = 0;
  bool known = false;
  if (!lua_isnil(L, 2)) {
    lua_rawgeti(L, lua_upvalueindex(1), 1);
    if (lua_rawequal(L, 1, -1)) {
      lua_rawgeti(L, lua_upvalueindex(1), 3);
      position = lua_tointeger(L, -1);
      lua_rawgeti(L, lua_upvalueindex(1), 2);
      lua_rawgeti(L, -1, position);
      known = lua_rawequal(L, 2, -1);
    }
  }
  if (known) {
    lua_rawgeti(L, lua_upvalueindex(1), 2);
    lua_replace(L, 3);
    lua_settop(L, 3);
  } else {
    lua_settop(L, 2);
    lua_Integer count = keys_push(L, 1);
    position = 0;
    if (!lua_isnil(L, 2)) {
      for (position = 1; position <= count; position++) {
        script_charge(L, 1);
        lua_rawgeti(L, 3, position);
        bool same = lua_compare(L, 2, -1, LUA_OPEQ) && lua_type(L, 2) == lua_type(L, -1);
        lua_pop(L, 1);
        if (same) break;
      }
      if (position > count) return luaL_error(L, "the key given to 'next' is not in the table");
    }
    lua_pushvalue(L, 1);
    lua_rawseti(L, lua_upvalueindex(1), 1);
    lua_pushvalue(L, 3);
    lua_rawseti(L, lua_upvalueindex(1), 2);
  }
  for (;;) {
    lua_settop(L, 3);
    if (lua_rawgeti(L, 3, ++position) == LUA_TNIL) return 1;
    push_value_of(L, 1, 4);
    if (!lua_isnil(L, 5)) break;
  }
  lua_pushinteger(L, position);
  lua_rawseti(L, lua_upvalueindex(1), 3);
  return 2;
}

int ipairs_step(lua_State *L) {
  script_check_table(L, 1);  // a script can call it with anything
  lua_Integer i = script_check_integer(L, 2) + 1;
  lua_pushinteger(L, i);
  if (lua_type(L, 1) == LUA_TTABLE) lua_geti(L, 1, i);
  else script_get_item(L, 1, i);
  return lua_isnil(L, -1) ? 1 : 2;
}

int base_ipairs(lua_State *L) {
  script_check_table(L, 1);
  lua_pushcfunction(L, ipairs_step);
  lua_pushvalue(L, 1);
  lua_pushinteger(L, 0);
  return 3;
}

}  // namespace

void iteration_open(lua_State *L) {
  static const luaL_Reg functions[] = {{"ipairs", base_ipairs}, {"pairs", base_pairs}, {nullptr, nullptr}};
  luaL_setfuncs(L, functions, 0);
  lua_createtable(L, 3, 0);
  lua_pushcclosure(L, base_next, 1);
  lua_setfield(L, -2, "next");
}
