// num: a float of a number or of its text.

#include "bytecode.h"
#include "handler_limits.h"
#include "sandbox.h"

namespace {

[[gnu::noinline]] int refuse(lua_State *L, const char *text, size_t length) {
  script_vm *vm = vm_of(L);
  // A table doesn't tell which field was read last: run it again with the message itself, which does.
  if (vm->filled) limits_condemn(L, Condemned::restart);
  const char *field = vm->last_field;
  const char *open = field ? "field '" : "", *close = field ? "': " : "";
  int shown = int(vm->last_field_length < 64 ? vm->last_field_length : 64);
  lua_pushlstring(L, field ? field : "", size_t(field ? shown : 0));
  const char *name = lua_tostring(L, -1);
  if (text) {
    lua_pushlstring(L, text, length < 40 ? length : 40);
    return luaL_error(L, "num: %s%s%sexpected a number or its text, got \"%s\"", open, name, close,
                      lua_tostring(L, -1));
  }
  return luaL_error(L, "num: %s%s%sexpected a number or its text, got %s", open, name, close, script_type_name(L, 1));
}

int base_num(lua_State *L) {
  const int type = lua_type(L, 1);
  if (type == LUA_TNUMBER) {
    lua_pushnumber(L, lua_tonumber(L, 1));
    return 1;
  }
  double number;
  size_t length = 0;
  const char *text = type == LUA_TSTRING ? lua_tolstring(L, 1, &length) : nullptr;
  if (text && length > 256) script_charge(L, length / 16);
  if (text && json_number_text(text, length, &number)) {
    lua_pushnumber(L, number);
    return 1;
  }
  return refuse(L, text, length);
}

}  // namespace

void num_look_at_chunk(lua_State *L) {
  script_vm *vm = vm_of(L);
  if (!vm->num_is_kept || bytecode_leaves_global(L, "num")) return;
  vm->num_is_kept = false;
  // The handler that loads it reads its message from a table in which texts may be numbers already.
  if (vm->filled) limits_condemn(L, Condemned::restart);
}

void num_open(lua_State *L) {
  lua_pushcfunction(L, base_num);
  lua_setfield(L, -2, "num");
}
