// From Lua to JSON: what leaves a VM for the host. Writes into a buffer of the host's, so a raise leaks nothing.

#include <algorithm>
#include <cmath>

#include "encode.h"

#include "handles.h"

namespace {

constexpr size_t maximum_bytes = 8 << 20;

void check(lua_State *L, script_vm *vm) {
  script_charge(L, 1);
  if (vm->out.size() > maximum_bytes) luaL_error(L, "%s: more than 8 MiB of JSON", vm->path.c_str());
}

void append_message_text(script_vm *vm, const json_node &node) {
  const char *content = vm->text + node.start;
  if (!(node.flags & JSON_ESCAPED)) return append_json_text(vm->out, content, node.length);
  std::string plain(node.length, 0);
  const size_t length = json_unescape(content, node.length, plain.data());
  append_json_text(vm->out, plain.data(), length);
}

// The order of two names of an object by their bytes: below, at or above 0.
int compare_names(const script_vm *vm, const json_node &a, const json_node &b) {
  std::string plain[2];
  const char *bytes[2];
  size_t lengths[2];
  const json_node *nodes[2] = {&a, &b};
  for (int i = 0; i < 2; i++) {
    bytes[i] = vm->text + nodes[i]->start;
    lengths[i] = nodes[i]->length;
    if (!(nodes[i]->flags & JSON_ESCAPED)) continue;
    plain[i].resize(lengths[i]);
    lengths[i] = json_unescape(bytes[i], lengths[i], plain[i].data());
    bytes[i] = plain[i].data();
  }
  const int order = memcmp(bytes[0], bytes[1], std::min(lengths[0], lengths[1]));
  return order != 0 ? order : lengths[0] < lengths[1] ? -1 : lengths[0] > lengths[1];
}

void encode_message(lua_State *L, script_vm *vm, uint32_t index);

// The members of an object in the order of their names, of equal ones the last. Their nodes wait in vm->members, behind
// those of the objects around.
void encode_members(lua_State *L, script_vm *vm, const json_node &object, uint32_t first) {
  std::vector<uint32_t> &members = vm->members;
  const size_t start = members.size();
  for (uint32_t child = first; child < object.next; child = vm->root[child + 1].next) members.push_back(child);
  std::sort(members.begin() + long(start), members.end(), [vm](uint32_t a, uint32_t b) {
    const int order = compare_names(vm, vm->root[a], vm->root[b]);
    return order != 0 ? order < 0 : a < b;
  });
  const size_t end = members.size();
  bool is_first = true;
  for (size_t i = start; i < end; i++) {
    const uint32_t member = members[i];
    if (i + 1 < end && compare_names(vm, vm->root[member], vm->root[members[i + 1]]) == 0) continue;
    if (!is_first) vm->out.push_back(',');
    is_first = false;
    append_message_text(vm, vm->root[member]);
    vm->out.push_back(':');
    encode_message(L, vm, member + 1);
  }
  members.resize(start);
}

// A message is written as a table of the same content would be, not as its sender wrote it.
void encode_message(lua_State *L, script_vm *vm, uint32_t index) {
  const json_node &node = vm->root[index];
  const char *content = vm->text + node.start;
  char number[32];
  check(L, vm);
  switch (node.type) {
    case JSON_NULL: vm->out.append("null"); return;
    case JSON_FALSE: vm->out.append("false"); return;
    case JSON_TRUE: vm->out.append("true"); return;
    case JSON_INTEGER:
      vm->out.append(number, json_write_integer(json_integer(content, node.length), number));
      return;
    case JSON_FLOAT: vm->out.append(number, json_write_double(json_double(content, node.length), number)); return;
    case JSON_ARRAY: {
      vm->out.push_back('[');
      for (uint32_t child = index + 1; child < node.next; child = vm->root[child].next) {
        if (child != index + 1) vm->out.push_back(',');
        encode_message(L, vm, child);
      }
      vm->out.push_back(']');
      return;
    }
    case JSON_OBJECT:
      script_charge(L, node.length * 2);
      vm->out.push_back('{');
      encode_members(L, vm, node, index + 1);
      vm->out.push_back('}');
      return;
    default:  // a text, or an integer of too many digits
      script_charge(L, 1 + node.length / 64);
      append_message_text(vm, node);
  }
}

// Puts the keys of the map at `index` in order of their bytes, as a list on top of the stack.
lua_Integer push_sorted_keys(lua_State *L, int index) {
  script_vm *vm = vm_of(L);
  lua_newtable(L);
  int keys = lua_gettop(L);
  lua_Integer count = 0;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "%s: keys must be text or an unbroken list from 1, got a %s", vm->path.c_str(),
                 script_type_name(L, -2));
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_rawseti(L, keys, ++count);
    script_charge(L, 1);
  }
  // Heap order, by bytes; the list is ours, so raw access is enough.
  auto less = [&](lua_Integer a, lua_Integer b) {
    lua_rawgeti(L, keys, a);
    lua_rawgeti(L, keys, b);
    size_t la, lb;
    const char *ta = lua_tolstring(L, -2, &la), *tb = lua_tolstring(L, -1, &lb);
    int order = memcmp(ta, tb, std::min(la, lb));
    bool result = order != 0 ? order < 0 : la < lb;
    lua_pop(L, 2);
    return result;
  };
  auto swap = [&](lua_Integer a, lua_Integer b) {
    lua_rawgeti(L, keys, a);
    lua_rawgeti(L, keys, b);
    lua_rawseti(L, keys, a);
    lua_rawseti(L, keys, b);
  };
  auto sift = [&](lua_Integer root, lua_Integer end) {
    for (lua_Integer child = root * 2; child <= end; child = root * 2) {
      if (child < end && less(child, child + 1)) child++;
      if (!less(root, child)) return;
      swap(root, child);
      root = child;
    }
  };
  script_charge(L, uint64_t(count) * 4);
  for (lua_Integer i = count / 2; i >= 1; i--) sift(i, count);
  for (lua_Integer end = count; end > 1; end--) {
    swap(1, end);
    sift(1, end - 1);
  }
  return count;
}

void encode_table(lua_State *L, int index, uint32_t depth) {
  script_vm *vm = vm_of(L);
  if (depth == 0) luaL_error(L, "%s: nested too deep, or a table inside itself", vm->path.c_str());
  luaL_checkstack(L, 10, "nested too deep");
  size_t path = vm->path.size();
  lua_Integer size = lua_Integer(lua_rawlen(L, index));
  bool tagged = false;
  if (lua_getmetatable(L, index)) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, vm->array_ref);
    tagged = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
  }
  if (size > 0 || tagged) {
    vm->out.push_back('[');
    for (lua_Integer i = 1; i <= size; i++) {
      if (i > 1) vm->out.push_back(',');
      vm->path.append("[").append(std::to_string(i)).append("]");
      lua_rawgeti(L, index, i);
      if (lua_isnil(L, -1)) luaL_error(L, "%s: a hole in a list; use json.null", vm->path.c_str());
      encode_value(L, lua_gettop(L), depth - 1);
      lua_pop(L, 1);
      vm->path.resize(path);
    }
    vm->out.push_back(']');
    // Nothing but the list may stand there.
    lua_pushnil(L);
    while (lua_next(L, index)) {
      bool listed = lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 && lua_tointeger(L, -2) <= size;
      if (!listed) luaL_error(L, "%s: a list with other keys besides; use one or the other", vm->path.c_str());
      lua_pop(L, 1);
      script_charge(L, 1);
    }
    return;
  }
  lua_Integer count = push_sorted_keys(L, index);
  int keys = lua_gettop(L);
  vm->out.push_back('{');
  for (lua_Integer i = 1; i <= count; i++) {
    if (i > 1) vm->out.push_back(',');
    lua_rawgeti(L, keys, i);
    size_t length;
    const char *name = lua_tolstring(L, -1, &length);
    append_json_text(vm->out, name, length);
    vm->out.push_back(':');
    if (path) vm->path.push_back('.');
    vm->path.append(name, std::min(length, size_t(64)));
    lua_rawget(L, index);
    encode_value(L, lua_gettop(L), depth - 1);
    lua_pop(L, 1);
    vm->path.resize(path);
  }
  vm->out.push_back('}');
  lua_pop(L, 1);
}

}  // namespace

void encode_value(lua_State *L, int index, uint32_t depth) {
  script_vm *vm = vm_of(L);
  check(L, vm);
  char number[32];
  switch (lua_type(L, index)) {
    case LUA_TNIL: vm->out.append("null"); return;
    case LUA_TBOOLEAN: vm->out.append(lua_toboolean(L, index) ? "true" : "false"); return;
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) {
        vm->out.append(number, json_write_integer(lua_tointeger(L, index), number));
      } else {
        double value = lua_tonumber(L, index);
        if (!std::isfinite(value))
          luaL_error(L, "%s: %s is no JSON", vm->path.empty() ? "value" : vm->path.c_str(),
                     std::isnan(value) ? "nan" : "infinity");
        vm->out.append(number, json_write_double(value, number));
      }
      return;
    case LUA_TSTRING: {
      size_t length;
      const char *text = lua_tolstring(L, index, &length);
      if (length > maximum_bytes) luaL_error(L, "%s: more than 8 MiB of text", vm->path.c_str());
      if (length > 64) script_charge(L, length / 16);
      if (!json_valid_utf8(text, length))
        luaL_error(L, "%s: the text is not valid UTF-8", vm->path.empty() ? "value" : vm->path.c_str());
      append_json_text(vm->out, text, length);
      return;
    }
    case LUA_TLIGHTUSERDATA: {
      const MessageHandle message = message_at(L, index);
      if (!message) {
        vm->out.append("null");
        return;
      }
      script_length(L, index);  // raises when it is stale
      vm->members.clear();
      encode_message(L, vm, message.node);
      return;
    }
    case LUA_TTABLE: encode_table(L, index, depth); return;
    case LUA_TUSERDATA: {
      Handle *handle = handle_at(L, index);
      uint32_t container;
      if (statistic_is(handle))
        luaL_error(L, "%s: a statistic can't leave the script; stats.value gives its value",
                   vm->path.empty() ? "value" : vm->path.c_str());
      if (container_at(L, handle, &container)) {
        Slot slot;
        slot.kind = SlotKind::container;
        slot.container = container;
        script_charge(L, vm->state.key(vm->key).bytes / 64);
        vm->state.write_slot(slot, vm->out);
        return;
      }
    }
      [[fallthrough]];
    default:
      if (lua_type(L, index) == LUA_TFUNCTION && config_function_encode(L, index)) return;
      luaL_error(L, "%s: a %s can't leave the script", vm->path.empty() ? "value" : vm->path.c_str(),
                 script_type_name(L, index));
  }
}
