// Errors on their way out: noted where they happen, told when the door is closed.

#include "vm_internal.h"

#include <cstdio>

namespace {

void append_place(std::string &out, const lua_Debug &where) {
  out.append(where.short_src);
  if (where.currentline > 0) out.append(":").append(std::to_string(where.currentline));
}

// Whether a call runs Lua of the host's own.
bool is_host(const lua_Debug &where) { return strcmp(where.short_src, "(host)") == 0; }

// Whether the call at a level is that of the handler: by Lua of the host's own, or by the walker.
bool is_handler(lua_State *L, int level) {
  lua_Debug caller, below;
  if (!lua_getstack(L, level + 1, &caller) || !lua_getinfo(L, "S", &caller)) return false;
  if (is_host(caller)) return true;
  return vm_of(L)->in_handler && *caller.what == 'C' && !lua_getstack(L, level + 2, &below);
}

script_outcome outcome_of(Condemned why) {
  switch (why) {
    case Condemned::steps: return SCRIPT_OVER_STEPS;
    case Condemned::time: return SCRIPT_OVER_TIME;
    case Condemned::memory:
    case Condemned::abandoned: return SCRIPT_OVER_MEMORY;
    case Condemned::effects: return SCRIPT_OVER_EFFECTS;
    default: return SCRIPT_ERROR;
  }
}

}  // namespace

int failure_note(lua_State *L) {
  script_vm *vm = vm_of(L);
  if (lua_type(L, 1) == LUA_TSTRING) {
    size_t length;
    const char *text = lua_tolstring(L, 1, &length);
    vm->reason.assign(text, length < 4096 ? length : 4096);
  } else if (lua_type(L, 1) == LUA_TNUMBER) {
    char number[48];
    if (lua_isinteger(L, 1)) snprintf(number, sizeof number, "%lld", (long long)lua_tointeger(L, 1));
    else snprintf(number, sizeof number, "%.14g", lua_tonumber(L, 1));
    vm->reason.assign(number);
  } else {
    const char *type = script_type_name(L, 1);
    vm->reason.assign("error object is ").append(strcmp(type, "null") == 0 ? "json.null" : std::string("a ") + type)
      .append(", not text");
  }
  vm->traceback.clear();
  lua_Debug where;
  for (int level = 1; level < 24 && lua_getstack(L, level, &where); level++) {
    lua_getinfo(L, "Sln", &where);
    if (where.currentline < 0 && !where.name) continue;
    if (is_host(where)) break;
    if (!vm->traceback.empty()) vm->traceback.push_back('\n');
    append_place(vm->traceback, where);
    if (is_handler(L, level))
      vm->traceback.append(": in the handler");
    else if (where.name)
      vm->traceback.append(": in ").append(where.namewhat).append(" '").append(where.name).append("'");
    else if (*where.what == 'm')
      vm->traceback.append(": in the file itself");
  }
  return 1;
}

void failure_push_place(lua_State *L) {
  lua_Debug where;
  for (int level = 0; lua_getstack(L, level, &where); level++) {
    lua_getinfo(L, "Sl", &where);
    if (where.currentline <= 0) continue;
    lua_pushfstring(L, "%s:%d: ", where.short_src, where.currentline);
    return;
  }
  lua_pushliteral(L, "");
}

void failure_tell(script_vm *vm, script_failure *failure) {
  failure->outcome = outcome_of(vm->condemned);
  failure->message = vm->message;
  if (vm->condemned == Condemned::abandoned) {
    vm->reason.assign(vm->name).append(": used more than four times its ")
      .append(std::to_string(vm->limits.memory)).append(" bytes of memory at once; the limit is 'memory'");
    vm->traceback.clear();
  }
  failure->reason = {vm->reason.data(), vm->reason.size()};
  failure->traceback = {vm->traceback.data(), vm->traceback.size()};
}

uint32_t script_vm_calling_line(const script_vm *vm) {
  lua_Debug where;
  for (int level = 1; vm->L && lua_getstack(vm->L, level, &where); level++) {
    lua_getinfo(vm->L, "Sl", &where);
    if (where.currentline > 0 && !is_host(where)) return uint32_t(where.currentline);
  }
  return 0;
}
