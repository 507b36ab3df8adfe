// What scripts see of the host's data: messages and payloads, containers of state, ctx, views of other keys. All are
// userdata that name things by index and generation; none owns anything, and a stale one says so.

#include <cmath>

#include "vm_internal.h"

namespace {

void push_text(lua_State *L, const char *content, size_t length, bool escaped) {
  if (!escaped) {
    lua_pushlstring(L, content, length);
    return;
  }
  luaL_Buffer buffer;
  char *plain = luaL_buffinitsize(L, &buffer, length);
  luaL_pushresultsize(&buffer, json_unescape(content, length, plain));
}

Handle *new_handle(lua_State *L, HandleKind kind, uint32_t index, uint32_t generation, uint32_t writable) {
  script_vm *vm = vm_of(L);
  auto handle = static_cast<Handle *>(lua_newuserdatauv(L, sizeof(Handle), 0));
  *handle = {kind, index, generation, writable};
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm->metatables[int(kind)]);
  lua_setmetatable(L, -2);
  return handle;
}

// --- Messages

void push_handle(lua_State *L, MessageHandle handle) {
  lua_pushlightuserdata(L, reinterpret_cast<void *>(uintptr_t(handle.generation) << 32 | handle.node));
}

MessageHandle handle_of(const void *userdata) {
  const uintptr_t word = reinterpret_cast<uintptr_t>(userdata);
  return {uint32_t(word), uint32_t(word >> 32)};
}

const json_node *message_node(lua_State *L, MessageHandle handle) {
  script_vm *vm = vm_of(L);
  if (handle.generation != vm->generation || !vm->root)
    luaL_error(L, "this message belongs to an earlier call: keep the fields you need, or put it into state");
  return vm->root + handle.node;
}

// The light userdata that a metamethod was called for: a message, or json.null, which has the same metatable.
MessageHandle subject(lua_State *L, const char *verb) {
  const MessageHandle handle = handle_of(lua_touserdata(L, 1));
  if (handle) return handle;
  const bool named = lua_type(L, 2) == LUA_TSTRING;
  luaL_error(L, "attempt to %s %s%s%sjson.null", verb, named ? "'" : "", named ? lua_tostring(L, 2) : "",
             named ? "' of " : "");
  return handle;
}

uint32_t array_item(const json_node *root, uint32_t array, lua_Integer n) {
  if (n < 1 || n > lua_Integer(root[array].length)) return 0;
  uint32_t node = array + 1;
  for (lua_Integer i = 1; i < n; i++) node = root[node].next;
  return node;
}

int message_index(lua_State *L) {
  const MessageHandle handle = subject(L, "read");
  const json_node *node = message_node(L, handle);
  script_vm *vm = vm_of(L);
  uint32_t found = 0;
  if (lua_type(L, 2) == LUA_TSTRING) {
    size_t length;
    const char *name = lua_tolstring(L, 2, &length);
    vm->last_field = name;
    vm->last_field_length = length;
    found = json_member(vm->root, vm->text, handle.node, name, length);
  } else if (node->type == JSON_ARRAY && lua_isinteger(L, 2)) {
    lua_Integer n = lua_tointeger(L, 2);
    if (n > 64) script_charge(L, uint64_t(n) / 4);
    found = array_item(vm->root, handle.node, n);
  }
  if (!found) return 0;
  values_push_message(L, found);
  return 1;
}

int read_only(lua_State *L) { return luaL_error(L, "messages and ctx can't be changed; keep a value in state instead"); }

int message_newindex(lua_State *L) {
  subject(L, "write");
  return read_only(L);
}

int message_length(lua_State *L) {
  const json_node *node = message_node(L, subject(L, "take the length of"));
  if (node->type != JSON_ARRAY) return luaL_error(L, "'#' needs a list, got a map");
  lua_pushinteger(L, node->length);
  return 1;
}

// --- Context

int context_index(lua_State *L) {
  script_vm *vm = vm_of(L);
  size_t length = 0;
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &length) : "";
  auto is = [&](const char *field) { return std::strcmp(name, field) == 0; };
  const script_message_info *info = vm->info;
  if (is("key")) {
    const std::string &key = vm->state.key(vm->key).name;
    lua_pushlstring(L, key.data(), key.size());
  } else if (is("time")) {
    lua_pushinteger(L, info ? info->time : 0);
  } else if (is("received")) {
    lua_pushinteger(L, info ? info->received : 0);
  } else if (is("source")) {
    lua_pushlstring(L, vm->source.data(), vm->source.size());
  } else if (is("topic")) {
    lua_pushlstring(L, vm->topic.data(), vm->topic.size());
  } else if (is("epoch")) {
    lua_pushinteger(L, info ? info->epoch : 0);
  } else if (is("replayed")) {
    lua_pushboolean(L, info && info->replayed);
  } else {
    return luaL_error(L, "ctx has no field '%s'; it has time, received, source, topic, key, epoch, replayed", name);
  }
  return 1;
}

// --- Containers

// A key of a map from a Lua value; raises for what can't be one. The caller destroys it before anything can raise.
const char *map_key(lua_State *L, int index, MapKey *key) {
  switch (lua_type(L, index)) {
    case LUA_TSTRING: {
      size_t length;
      const char *text = lua_tolstring(L, index, &length);
      if (!json_valid_utf8(text, length)) return "a key of state must be valid UTF-8";
      key->rank = 3;
      key->text.assign(text, length);
      return nullptr;
    }
    case LUA_TBOOLEAN:
      key->rank = 2;
      key->integer = lua_toboolean(L, index);
      return nullptr;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        key->integer = lua_tointeger(L, index);
      } else {
        lua_Number number = lua_tonumber(L, index);
        if (!std::isfinite(number)) return "nan and infinity can't be keys of state";
        lua_Integer whole;
        if (lua_numbertointeger(number, &whole) && lua_Number(whole) == number) {
          key->integer = whole;
        } else {
          key->rank = 1;
          key->number = number;
        }
      }
      return nullptr;
    default: return "keys of state must be numbers, booleans or text";
  }
}

// The slot under a Lua key, nullptr for none. Raises nothing.
const Slot *find_slot(lua_State *L, const Container &owner, int index) {
  if (lua_isinteger(L, index)) {
    lua_Integer n = lua_tointeger(L, index);
    if (n >= 1 && n <= lua_Integer(owner.size())) return &owner.item(size_t(n - 1));
  }
  if (owner.map.empty()) return nullptr;
  MapKey key;
  if (map_key(L, index, &key)) return nullptr;
  auto found = owner.map.find(key);
  return found == owner.map.end() ? nullptr : &found->second;
}

int container_index(lua_State *L) {
  auto handle = static_cast<Handle *>(lua_touserdata(L, 1));
  uint32_t index;
  const Container *owner = values_container(L, handle, &index);
  const Slot *slot = find_slot(L, *owner, 2);
  if (!slot) return 0;
  values_push_slot(L, *slot, handle->writable);
  return 1;
}

// Stores without raising while a C++ object lives; returns the fault's text.
const char *store(lua_State *L, uint32_t container, int key_index, Slot value) {
  script_vm *vm = vm_of(L);
  if (lua_isinteger(L, key_index)) {
    vm->state.set_integer(container, lua_tointeger(L, key_index), value);
    return nullptr;
  }
  MapKey key;
  const char *fault = map_key(L, key_index, &key);
  if (fault)
    vm->state.release(&value, vm->key);
  else if (key.rank == 0)
    vm->state.set_integer(container, key.integer, value);
  else
    vm->state.set_member(container, key, value);
  return fault;
}

void check_size(lua_State *L, size_t extra) {
  script_vm *vm = vm_of(L);
  if (vm->loading || !vm->state.over_limit(vm->key, extra)) return;
  const KeyState &key = vm->state.key(vm->key);
  if (key.bytes + extra > vm->state.key_limit)
    luaL_error(L, "the state of key '%s' would exceed %I bytes; the limit is 'state_size'", key.name.c_str(),
               (LUAI_UACINT)vm->limits.state_size);
  luaL_error(L, "the state of all keys would exceed %I bytes; the limit is 'total_state_size'",
             (LUAI_UACINT)vm->limits.total_state);
}

int container_newindex(lua_State *L) {
  auto handle = static_cast<Handle *>(lua_touserdata(L, 1));
  uint32_t index;
  Container *owner = values_container(L, handle, &index);
  if (!handle->writable) return luaL_error(L, "this state can only be read here");
  // Breaking a list in the middle moves all that follows.
  if (lua_isnil(L, 3) && lua_isinteger(L, 2)) {
    lua_Integer n = lua_tointeger(L, 2), size = lua_Integer(owner->size());
    if (n >= 1 && n < size) script_charge(L, uint64_t(size - n));
  }
  Slot value = values_to_slot(L, 3, "a value of state");
  const char *fault = store(L, index, 2, value);
  if (fault) return luaL_error(L, "%s", fault);
  return 0;
}

int container_length(lua_State *L) {
  auto handle = static_cast<Handle *>(lua_touserdata(L, 1));
  uint32_t index;
  lua_pushinteger(L, lua_Integer(values_container(L, handle, &index)->size()));
  return 1;
}

int handle_equal(lua_State *L) {
  auto a = values_handle(L, 1), b = values_handle(L, 2);
  bool same = a && b && a->kind == b->kind && a->index == b->index && a->generation == b->generation;
  if (!same && a && b) {
    uint32_t left, right;
    bool holds_a = a->kind == HandleKind::container || a->kind == HandleKind::field;
    bool holds_b = b->kind == HandleKind::container || b->kind == HandleKind::field;
    if (holds_a && holds_b && values_container(L, a, &left) && values_container(L, b, &right)) same = left == right;
  }
  lua_pushboolean(L, same);
  return 1;
}

// --- Views of other keys, from each_key

int key_view_index(lua_State *L) {
  auto handle = static_cast<Handle *>(lua_touserdata(L, 1));
  script_vm *vm = vm_of(L);
  if (handle->generation != vm->generation)
    return luaL_error(L, "this view of a key's state belongs to an earlier call");
  size_t length = 0;
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &length) : "";
  int field = vm->state.field(name, length);
  if (field < 0) return luaL_error(L, "state has no field '%s'", name);
  const Slot &slot = vm->state.key(handle->index).slots[field];
  values_push_slot(L, slot, false);
  return 1;
}

int each_key_next(lua_State *L) {
  script_vm *vm = vm_of(L);
  lua_Integer next = lua_tointeger(L, lua_upvalueindex(1));
  if (next >= lua_Integer(vm->state.count())) return 0;
  script_charge(L, 1);
  lua_pushinteger(L, next + 1);
  lua_replace(L, lua_upvalueindex(1));
  const std::string &name = vm->state.key(uint32_t(next)).name;
  lua_pushlstring(L, name.data(), name.size());
  new_handle(L, HandleKind::key_view, uint32_t(next), vm->generation, 0);
  return 2;
}

int each_key(lua_State *L) {
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, each_key_next, 1);
  return 1;
}

void push_metatable(lua_State *L, const luaL_Reg *functions) {
  lua_newtable(L);
  luaL_setfuncs(L, functions, 0);
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
}

void metatable(lua_State *L, HandleKind kind, const luaL_Reg *functions) {
  push_metatable(L, functions);
  vm_of(L)->metatables[int(kind)] = luaL_ref(L, LUA_REGISTRYINDEX);
}

}  // namespace

void values_open(lua_State *L) {
  static const luaL_Reg message[] = {{"__index", message_index}, {"__newindex", message_newindex},
                                     {"__len", message_length}, {nullptr, nullptr}};
  static const luaL_Reg container[] = {{"__index", container_index}, {"__newindex", container_newindex},
                                       {"__len", container_length}, {"__eq", handle_equal}, {nullptr, nullptr}};
  static const luaL_Reg context[] = {{"__index", context_index}, {"__newindex", read_only}, {nullptr, nullptr}};
  static const luaL_Reg view[] = {{"__index", key_view_index}, {"__newindex", read_only}, {nullptr, nullptr}};
  // All light userdata share one metatable.
  lua_pushlightuserdata(L, nullptr);
  push_metatable(L, message);
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
  metatable(L, HandleKind::container, container);
  metatable(L, HandleKind::field, container);
  metatable(L, HandleKind::context, context);
  metatable(L, HandleKind::key_view, view);
  script_vm *vm = vm_of(L);
  new_handle(L, HandleKind::context, 0, 0, 0);
  vm->context_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_pushcfunction(L, each_key);
  lua_setglobal(L, "each_key");
}

Handle *values_handle(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TUSERDATA ? static_cast<Handle *>(lua_touserdata(L, index)) : nullptr;
}

MessageHandle values_message(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TLIGHTUSERDATA ? handle_of(lua_touserdata(L, index)) : MessageHandle();
}

bool values_is_null(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TLIGHTUSERDATA && !lua_touserdata(L, index);
}

void values_push_message(lua_State *L, uint32_t index) {
  script_vm *vm = vm_of(L);
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
      push_text(L, content, node.length, node.flags & JSON_ESCAPED);
      break;
    default: push_handle(L, {index, vm->generation});
  }
}

void values_push_slot(lua_State *L, const Slot &slot, bool writable) {
  switch (slot.kind) {
    case SlotKind::absent: lua_pushnil(L); break;
    case SlotKind::null: lua_pushlightuserdata(L, nullptr); break;
    case SlotKind::no: lua_pushboolean(L, 0); break;
    case SlotKind::yes: lua_pushboolean(L, 1); break;
    case SlotKind::integer: lua_pushinteger(L, slot.integer); break;
    case SlotKind::number: lua_pushnumber(L, slot.number); break;
    case SlotKind::text: lua_pushlstring(L, slot.text->bytes, slot.text->count); break;
    case SlotKind::container:
      new_handle(L, HandleKind::container, slot.container, vm_of(L)->state.container(slot.container).generation,
                 writable);
      break;
  }
}

void values_push_key(lua_State *L, const MapKey &key) {
  switch (key.rank) {
    case 0: lua_pushinteger(L, key.integer); break;
    case 1: lua_pushnumber(L, key.number); break;
    case 2: lua_pushboolean(L, int(key.integer)); break;
    default: lua_pushlstring(L, key.text.data(), key.text.size());
  }
}

void values_push_copy(lua_State *L, const Slot &slot) {
  if (slot.kind != SlotKind::container) {
    values_push_slot(L, slot, false);
    return;
  }
  luaL_checkstack(L, 6, "nested too deep");
  script_vm *vm = vm_of(L);
  const Container &owner = vm->state.container(slot.container);
  script_charge(L, owner.size() + owner.map.size() + 1);
  lua_createtable(L, int(owner.size()), int(owner.map.size()));
  if (owner.tagged_list) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, vm->array_ref);
    lua_setmetatable(L, -2);
  }
  for (size_t i = 0; i < owner.size(); i++) {
    values_push_copy(L, owner.item(i));
    lua_rawseti(L, -2, lua_Integer(i + 1));
  }
  for (auto member = owner.map.begin(); member != owner.map.end(); ++member) {
    values_push_key(L, member->first);
    values_push_copy(L, member->second);
    lua_rawset(L, -3);
  }
}

void values_push_field(lua_State *L, uint32_t key, uint32_t field) {
  script_vm *vm = vm_of(L);
  const Slot &slot = vm->state.key(key).slots[field];
  if (slot.kind != SlotKind::container) {
    values_push_slot(L, slot, true);
    return;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm->field_refs[field]);
}

Container *values_container(lua_State *L, const Handle *handle, uint32_t *index) {
  script_vm *vm = vm_of(L);
  if (handle && handle->kind == HandleKind::field) {
    const Slot &slot = vm->state.key(vm->key).slots[handle->index];
    if (slot.kind != SlotKind::container)
      luaL_error(L, "this part of state was replaced; read it from state again");
    *index = slot.container;
    return &vm->state.container(slot.container);
  }
  if (!handle || handle->kind != HandleKind::container) return nullptr;
  if (!vm->state.valid(handle->index, handle->generation))
    luaL_error(L, "this part of state was removed; read it from state again");
  if (handle->writable && vm->state.container(handle->index).owner != vm->key)
    luaL_error(L, "this part of state belongs to another key");
  *index = handle->index;
  return &vm->state.container(handle->index);
}

// --- Into state

namespace {

struct Copying {
  script_vm *vm;
  const char *path;
  uint32_t depth;
};

Slot copy_in(lua_State *L, int index, Copying *copying);

Slot copy_table(lua_State *L, int index, Copying *copying) {
  script_vm *vm = copying->vm;
  if (++copying->depth > vm->limits.nesting || !lua_checkstack(L, 8))
    luaL_error(L, "%s: nested deeper than %d tables (or a table inside itself)", copying->path,
               int(vm->limits.nesting));
  uint32_t made = vm->state.make_container(vm->key);
  if (lua_getmetatable(L, index)) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, vm->array_ref);
    if (lua_rawequal(L, -1, -2)) vm->state.container(made).tagged_list = true;
    lua_pop(L, 2);
  }
  lua_Integer size = lua_Integer(lua_rawlen(L, index));
  for (lua_Integer i = 1; i <= size; i++) {
    lua_rawgeti(L, index, i);
    Slot item = copy_in(L, lua_gettop(L), copying);
    if (item.kind == SlotKind::absent) luaL_error(L, "%s: a hole at [%I]", copying->path, (LUAI_UACINT)i);
    vm->state.push(made, item);
    lua_pop(L, 1);
  }
  lua_pushnil(L);
  while (lua_next(L, index)) {
    int key = lua_gettop(L) - 1;
    bool listed = lua_isinteger(L, key) && lua_tointeger(L, key) >= 1 && lua_tointeger(L, key) <= size;
    if (!listed) {
      Slot item = copy_in(L, key + 1, copying);
      const char *fault = store(L, made, key, item);
      if (fault) luaL_error(L, "%s: %s", copying->path, fault);
    }
    lua_pop(L, 1);
  }
  copying->depth--;
  Slot slot;
  slot.kind = SlotKind::container;
  slot.container = made;
  return slot;
}

Slot copy_in(lua_State *L, int index, Copying *copying) {
  script_vm *vm = copying->vm;
  Slot slot;
  // All that can raise comes before the host holds a text: the caller stores it without another check.
  script_charge(L, 1);
  check_size(L, 2 * sizeof(MapKey));
  switch (lua_type(L, index)) {
    case LUA_TNIL: break;
    case LUA_TBOOLEAN: slot.kind = lua_toboolean(L, index) ? SlotKind::yes : SlotKind::no; break;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        slot.kind = SlotKind::integer;
        slot.integer = lua_tointeger(L, index);
      } else {
        slot.kind = SlotKind::number;
        slot.number = lua_tonumber(L, index);
        if (!std::isfinite(slot.number))
          luaL_error(L, "%s: state can't hold %s", copying->path, std::isnan(slot.number) ? "nan" : "infinity");
      }
      break;
    case LUA_TSTRING: {
      size_t length;
      const char *text = lua_tolstring(L, index, &length);
      check_size(L, length + 2 * sizeof(MapKey));
      if (length > 256) script_charge(L, length / 64);
      if (!json_valid_utf8(text, length)) luaL_error(L, "%s: the text is not valid UTF-8", copying->path);
      vm->state.set_text(&slot, text, length, vm->key);
      break;
    }
    case LUA_TLIGHTUSERDATA: {
      const MessageHandle handle = values_message(L, index);
      if (!handle) {
        slot.kind = SlotKind::null;
        break;
      }
      const uint32_t nodes = message_node(L, handle)->next - handle.node;
      script_charge(L, nodes);
      check_size(L, size_t(nodes) * sizeof(Slot));
      slot_from_tree(vm, vm->root, vm->text, handle.node, vm->key, &slot);
      break;
    }
    case LUA_TTABLE: return copy_table(L, index, copying);
    case LUA_TUSERDATA: {
      Handle *handle = values_handle(L, index);
      uint32_t container;
      if (values_container(L, handle, &container)) {
        check_size(L, 0);
        slot.kind = SlotKind::container;
        slot.container = vm->state.clone(container, vm->key);
        break;
      }
    }
      [[fallthrough]];
    default: luaL_error(L, "%s: state can't hold a %s", copying->path, luaL_typename(L, index));
  }
  return slot;
}

}  // namespace

Slot values_to_slot(lua_State *L, int index, const char *path) {
  Copying copying = {vm_of(L), path, 0};
  return copy_in(L, lua_absindex(L, index), &copying);
}

static void slot_of_node(script_vm *vm, const char *text, const json_node &node, uint32_t owner, Slot *slot) {
  const char *content = text + node.start;
  switch (node.type) {
    case JSON_NULL: slot->kind = SlotKind::null; break;
    case JSON_FALSE: slot->kind = SlotKind::no; break;
    case JSON_TRUE: slot->kind = SlotKind::yes; break;
    case JSON_INTEGER:
      slot->kind = SlotKind::integer;
      slot->integer = json_integer(content, node.length);
      break;
    case JSON_FLOAT:
      slot->kind = SlotKind::number;
      slot->number = json_double(content, node.length);
      break;
    default:
      if (node.flags & JSON_ESCAPED) {
        std::string plain(node.length, 0);
        plain.resize(json_unescape(content, node.length, plain.data()));
        vm->state.set_text(slot, plain.data(), plain.size(), owner);
      } else {
        vm->state.set_text(slot, content, node.length, owner);
      }
  }
}

static MapKey key_of_node(const char *text, const json_node &node) {
  MapKey key;
  const char *content = text + node.start;
  switch (node.type) {
    case JSON_INTEGER: key.integer = json_integer(content, node.length); break;
    case JSON_FLOAT:
      key.rank = 1;
      key.number = json_double(content, node.length);
      break;
    case JSON_TRUE:
    case JSON_FALSE:
      key.rank = 2;
      key.integer = node.type == JSON_TRUE;
      break;
    default:
      key.rank = 3;
      key.text.resize(node.length);
      if (node.flags & JSON_ESCAPED)
        key.text.resize(json_unescape(content, node.length, key.text.data()));
      else
        key.text.assign(content, node.length);
  }
  return key;
}

bool slot_from_tree(script_vm *vm, const json_node *root, const char *text, uint32_t index, uint32_t owner, Slot *slot) {
  const json_node &node = root[index];
  if (node.type < JSON_ARRAY) {
    slot_of_node(vm, text, node, owner, slot);
    return true;
  }
  uint32_t made = vm->state.make_container(owner);
  slot->kind = SlotKind::container;
  slot->container = made;
  uint32_t child = index + 1;
  if (node.type == JSON_ARRAY) {
    vm->state.container(made).tagged_list = true;
    for (; child < node.next; child = root[child].next) {
      Slot item;
      slot_from_tree(vm, root, text, child, owner, &item);
      vm->state.push(made, item);
    }
    return true;
  }
  uint32_t pairs = node.length == 1 ? json_member(root, text, index, "$pairs", 6) : 0;
  if (pairs && root[pairs].type == JSON_ARRAY) {
    for (uint32_t pair = pairs + 1; pair < root[pairs].next; pair = root[pair].next) {
      if (root[pair].type != JSON_ARRAY || root[pair].length != 2) return false;
      Slot item;
      slot_from_tree(vm, root, text, root[pair + 1].next, owner, &item);
      MapKey key = key_of_node(text, root[pair + 1]);
      if (key.rank == 0)
        vm->state.set_integer(made, key.integer, item);
      else
        vm->state.set_member(made, key, item);
    }
    return true;
  }
  while (child < node.next) {
    Slot item;
    slot_from_tree(vm, root, text, child + 1, owner, &item);
    vm->state.set_member(made, key_of_node(text, root[child]), item);
    child = root[child + 1].next;
  }
  return true;
}

// --- Plain tables from JSON

void values_push_tree(lua_State *L, const json_node *root, const char *text, uint32_t index) {
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
    case JSON_STRING: push_text(L, content, node.length, node.flags & JSON_ESCAPED); return;
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
      values_push_tree(L, root, text, child);
      lua_rawseti(L, -2, i);
    }
    return;
  }
  lua_createtable(L, 0, int(node.length));
  while (child < node.next) {
    push_text(L, text + root[child].start, root[child].length, root[child].flags & JSON_ESCAPED);
    values_push_tree(L, root, text, child + 1);
    lua_rawset(L, -3);
    child = root[child + 1].next;
  }
}

// --- One face for tables and handles

bool script_is_table(lua_State *L, int index) {
  if (lua_type(L, index) == LUA_TTABLE) return true;
  if (values_message(L, index)) return true;
  Handle *handle = values_handle(L, index);
  return handle && (handle->kind == HandleKind::container || handle->kind == HandleKind::field);
}

void script_check_table(lua_State *L, int argument) {
  if (!script_is_table(L, argument)) luaL_typeerror(L, argument, "table");
}

lua_Integer script_length(lua_State *L, int index) {
  if (const MessageHandle message = values_message(L, index)) {
    const json_node *node = message_node(L, message);
    return node->type == JSON_ARRAY ? node->length : 0;
  }
  Handle *handle = values_handle(L, index);
  if (!handle) return lua_Integer(lua_rawlen(L, index));
  uint32_t container;
  Container *owner = values_container(L, handle, &container);
  return owner ? lua_Integer(owner->size()) : 0;
}

void script_get_item(lua_State *L, int index, lua_Integer n) {
  if (const MessageHandle message = values_message(L, index)) {
    const json_node *node = message_node(L, message);
    if (n > 64) script_charge(L, uint64_t(n) / 4);
    uint32_t found = node->type == JSON_ARRAY ? array_item(vm_of(L)->root, message.node, n) : 0;
    if (found)
      values_push_message(L, found);
    else
      lua_pushnil(L);
    return;
  }
  Handle *handle = values_handle(L, index);
  if (!handle) {
    lua_rawgeti(L, index, n);
    return;
  }
  uint32_t container;
  Container *owner = values_container(L, handle, &container);
  if (owner && n >= 1 && n <= lua_Integer(owner->size()))
    values_push_slot(L, owner->item(size_t(n - 1)), handle->writable);
  else
    lua_pushnil(L);
}

void script_set_item(lua_State *L, int index, lua_Integer n) {
  if (values_message(L, index)) read_only(L);
  Handle *handle = values_handle(L, index);
  if (!handle) {
    if (lua_getmetatable(L, index)) {
      lua_rawgeti(L, LUA_REGISTRYINDEX, vm_of(L)->state_metatable_ref);
      if (lua_rawequal(L, -1, -2)) luaL_error(L, "state itself is no list; declare a field = {} for one");
      lua_pop(L, 2);
    }
    lua_rawseti(L, index, n);
    return;
  }
  uint32_t container;
  values_container(L, handle, &container);
  if (!handle->writable) luaL_error(L, "this state can only be read here");
  Slot value = values_to_slot(L, -1, "a value of state");
  vm_of(L)->state.set_integer(container, n, value);
  lua_pop(L, 1);
}
