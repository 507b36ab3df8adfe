// Messages as scripts see them: light userdata that are valid during the call, read lazily from the decoded tree.

#include "message_values.h"

namespace {

inline const json_node *node_in_hand(lua_State *L, script_vm *vm, MessageHandle handle) {
  if (handle.generation != vm->generation || !vm->root)
    luaL_error(L, "this message belongs to an earlier call: keep the fields you need, or put it into state");
  return vm->root + handle.node;
}

// The light userdata that a metamethod was called for: a message, or json.null, which has the same metatable.
MessageHandle subject(lua_State *L, const char *verb) {
  const MessageHandle handle = message_of(lua_touserdata(L, 1));
  if (handle) return handle;
  const bool named = lua_type(L, 2) == LUA_TSTRING;
  luaL_error(L, "attempt to %s %s%s%sjson.null", verb, named ? "'" : "", named ? lua_tostring(L, 2) : "",
             named ? "' of " : "");
  return handle;
}

// The node of a field of the message itself. Where messages are of one shape, that of the last one is the same: the name
// in it says whether this is the same field.
inline uint32_t field_node(script_vm *vm, const char *name, size_t length) {
  const uint64_t shape = vm->batch ? vm->batch->messages[vm->message].shape : 0;
  FieldPlace &place = vm->places[(reinterpret_cast<uintptr_t>(name) >> 5) % field_places];
  if (shape && place.shape == shape && place.name == name) {
    const json_node &found = vm->root[place.node - 1];
    if (found.length == length && memcmp(vm->text + found.start, name, length) == 0) return place.node;
  }
  const uint32_t node = json_member(vm->root, vm->text, 0, name, length);
  if (node) place = {name, shape, node};
  return node;
}

int message_index(lua_State *L) {
  const MessageHandle handle = subject(L, "read");
  script_vm *vm = vm_of(L);
  const json_node *node = node_in_hand(L, vm, handle);
  uint32_t found = 0;
  if (lua_type(L, 2) == LUA_TSTRING) {
    size_t length;
    const char *name = lua_tolstring(L, 2, &length);
    vm->last_field = name;
    vm->last_field_length = length;
    found = handle.node == 0 ? field_node(vm, name, length)
                             : json_member(vm->root, vm->text, handle.node, name, length);
  } else if (node->type == JSON_ARRAY && lua_isinteger(L, 2)) {
    lua_Integer n = lua_tointeger(L, 2);
    if (n > 64) script_charge(L, uint64_t(n) / 4);
    found = message_item(vm->root, handle.node, n);
  }
  if (!found) return 0;
  message_push_node(L, vm, found);
  return 1;
}

int message_newindex(lua_State *L) {
  subject(L, "write");
  return handle_read_only(L);
}

int message_length(lua_State *L) {
  const json_node *node = message_node(L, subject(L, "take the length of"));
  if (node->type != JSON_ARRAY) return luaL_error(L, "'#' needs a list, got a map");
  lua_pushinteger(L, node->length);
  return 1;
}

// An operand as an error names it.
const char *operand_name(lua_State *L, int index) {
  return null_at(L, index) ? "json.null" : lua_pushfstring(L, "a %s value", script_type_name(L, index));
}

// The operand to blame: the first that is no number, or no text where texts are meant.
const char *blamed(lua_State *L, bool takes_text) {
  const bool is_good = takes_text ? lua_isstring(L, 1) : lua_type(L, 1) == LUA_TNUMBER;
  return operand_name(L, is_good ? 2 : 1);
}

// Raises at the line of the script, also from within a function such as table.sort.
int refuse(lua_State *L, const char *verb, const char *operand) {
  failure_push_place(L);
  lua_pushfstring(L, "attempt to %s %s", verb, operand);
  lua_concat(L, 2);
  return lua_error(L);
}

int no_arithmetic(lua_State *L) { return refuse(L, "perform arithmetic on", blamed(L, false)); }
int no_bits(lua_State *L) { return refuse(L, "perform bitwise operation on", blamed(L, false)); }
int no_concatenation(lua_State *L) { return refuse(L, "concatenate", blamed(L, true)); }
int no_call(lua_State *L) { return refuse(L, "call", operand_name(L, 1)); }

int no_order(lua_State *L) {
  return refuse(L, "compare", lua_pushfstring(L, "%s with %s", script_type_name(L, 1), script_type_name(L, 2)));
}

}  // namespace

void messages_open(lua_State *L) {
  // Lua's own errors would call all of these userdata.
  static const luaL_Reg message[] = {
    {"__index", message_index}, {"__newindex", message_newindex}, {"__len", message_length},
    {"__add", no_arithmetic},   {"__sub", no_arithmetic},         {"__mul", no_arithmetic},
    {"__div", no_arithmetic},   {"__mod", no_arithmetic},         {"__pow", no_arithmetic},
    {"__unm", no_arithmetic},   {"__idiv", no_arithmetic},        {"__band", no_bits},
    {"__bor", no_bits},         {"__bxor", no_bits},              {"__shl", no_bits},
    {"__shr", no_bits},         {"__bnot", no_bits},              {"__concat", no_concatenation},
    {"__lt", no_order},         {"__le", no_order},               {"__call", no_call},
    {nullptr, nullptr}};
  // All light userdata share one metatable.
  lua_pushlightuserdata(L, nullptr);
  metatable_push(L, message);
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

void message_push(lua_State *L, uint32_t index) { message_push_node(L, vm_of(L), index); }

const json_node *message_node(lua_State *L, MessageHandle handle) { return node_in_hand(L, vm_of(L), handle); }

uint32_t message_item(const json_node *root, uint32_t array, lua_Integer n) {
  if (n < 1 || n > lua_Integer(root[array].length)) return 0;
  uint32_t node = array + 1;
  for (lua_Integer i = 1; i < n; i++) node = root[node].next;
  return node;
}
