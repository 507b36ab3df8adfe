// A message as a plain table, for a handler that does nothing with it but read fields by constant names. Its bytecode
// says so when it is loaded, and which they are: nobody else can see the table, keep it or write to it. So one table
// serves all messages, only what differs from the last one is put into it, and reading a field is Lua's cheapest way.
// All other handlers get a handle that looks up what it is asked for.
//
// A text that only goes to `num` is put there as the number that num would give, as long as `num` is what it was.

#include "message_table.h"

#include "bytecode.h"
#include "message_values.h"

namespace {

// With more fields than this a handler likely reads a few of them for each kind of message: filling all costs more.
constexpr size_t most_fields = 12;

// Longer texts, and numbers of more digits, cost the handler steps or memory when it reads them, and only then.
constexpr uint32_t longest_value = 256;

// Whether an upvalue of the function on top of the stack, from 0, is the table of globals.
bool is_globals(lua_State *L, int upvalue) {
  if (upvalue < 0 || !lua_getupvalue(L, -1, upvalue + 1)) return false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
  const bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

// Finds what the handler on top of the stack reads of its message; false where it does anything else with it.
bool find_reads(lua_State *L, Handler *handler) {
  std::vector<FieldRead> reads;
  if (!bytecode_reads_fields(L, 1, "num", most_fields, &reads) || reads.empty()) return false;
  handler->fields.resize(reads.size());
  for (size_t i = 0; i < reads.size(); i++) {
    handler->fields[i].name.swap(reads[i].name);
    handler->fields[i].is_number = is_globals(L, reads[i].upvalue);
  }
  return true;
}

void find_fields(script_vm *vm, Handler &handler, uint64_t shape) {
  for (MessageField &field : handler.fields)
    field.node = json_member(vm->root, vm->text, 0, field.name.data(), field.name.size());
  handler.shape = shape;
}

// The first bytes of a text that has so many; the rest are zero. At least 16 can be read.
inline void take_bytes(const char *text, uint32_t length, uint64_t *bytes) {
  static const unsigned char kept[32] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                         0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  uint64_t mask[2];
  std::memcpy(mask, kept + 16 - length, sizeof mask);
  std::memcpy(bytes, text, sizeof mask);
  bytes[0] &= mask[0];
  bytes[1] &= mask[1];
}

// Whether the table holds the value at a node already; if not, notes that it will.
inline bool holds(script_vm *vm, MessageField &field, const json_node &node, bool is_number) {
  if (node.type >= JSON_ARRAY || node.length > 16) {
    field.kind = MessageField::other;
    return false;
  }
  const uint16_t kind = uint16_t(node.type | node.flags << 8 | is_number << 15);
  uint64_t bytes[2];
  take_bytes(vm->text + node.start, node.length, bytes);
  if (kind == field.kind && node.length == field.length && bytes[0] == field.bytes[0] && bytes[1] == field.bytes[1])
    return true;
  field.kind = kind;
  field.length = node.length;
  field.bytes[0] = bytes[0];
  field.bytes[1] = bytes[1];
  return false;
}

}  // namespace

void message_table_open(lua_State *L, Handler *handler) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, handler->reference);
  if (find_reads(L, handler)) {
    lua_createtable(L, 0, int(handler->fields.size()));
    handler->table = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  lua_pop(L, 1);
}

bool message_table_fill(lua_State *L, script_vm *vm, Handler &handler, int table, int names) {
  if (!vm->root || vm->root->type != JSON_OBJECT) return false;
  const uint64_t shape = vm->batch->messages[vm->message].shape;
  if (shape == 0 || shape != handler.shape) find_fields(vm, handler, shape);
  for (MessageField &field : handler.fields) {
    const int name = names++;
    if (field.node == 0) {
      if (field.kind == MessageField::none) continue;
      field.kind = MessageField::none;
      lua_pushvalue(L, name);
      lua_pushnil(L);
    } else {
      const json_node &node = vm->root[field.node];
      const bool is_number = field.is_number && vm->num_is_kept && node.type == JSON_STRING && node.flags == 0;
      if (holds(vm, field, node, is_number)) continue;
      if (node.type < JSON_ARRAY && node.length > longest_value) return false;
      lua_pushvalue(L, name);
      double number;
      if (is_number && json_number_text(vm->text + node.start, node.length, &number)) lua_pushnumber(L, number);
      else message_push_node(L, vm, field.node);
    }
    lua_rawset(L, table);
  }
  return true;
}
