// Functions in a configuration: kept here while its data goes to the host, which calls them by their numbers.

#include <algorithm>
#include <cstring>

#include "encode.h"
#include "slots.h"

namespace {

struct Call {
  uint32_t function;
};

int call_function(lua_State *L) {
  auto data = static_cast<Call *>(lua_touserdata(L, 1));
  script_vm *vm = vm_of(L);
  vm_start_message(vm);
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm->config_functions[data->function]);
  const batch_message &message = vm->payload->messages[0];
  table_push_json(L, vm->payload->tree.nodes + message.root, vm->payload->text + message.start, 0);
  lua_call(L, 1, 1);
  vm->out.clear();
  vm->path.clear();
  encode_value(L, lua_gettop(L), vm->limits.nesting);
  vm->result = vm->out;
  return 0;
}

}  // namespace

bool config_function_encode(lua_State *L, int index) {
  script_vm *vm = vm_of(L);
  if (vm->profile != SCRIPT_PROFILE_CONFIG || !vm->loading || lua_iscfunction(L, index)) return false;
  lua_pushvalue(L, index);
  vm->config_functions.push_back(luaL_ref(L, LUA_REGISTRYINDEX));
  lua_Debug where;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &where);
  vm->out.append("{\"$function\":").append(std::to_string(vm->config_functions.size() - 1));
  // A line of the host's own Lua is none of the file.
  if (std::strcmp(where.source, "=(host)") != 0)
    vm->out.append(",\"$line\":").append(std::to_string(where.linedefined));
  vm->out.push_back('}');
  return true;
}

bool script_vm_call(script_vm *vm, uint32_t function, script_text argument, int64_t time, script_failure *failure) {
  Call what = {function};
  *failure = script_failure{};
  if (vm->dead || function >= vm->config_functions.size() || !vm_hold_payload(vm, argument, time)) {
    vm->reason.assign("there is no such function, or its argument is no JSON");
    failure->outcome = SCRIPT_ERROR;
    failure->reason = {vm->reason.data(), vm->reason.size()};
    return false;
  }
  vm_begin_call(vm, true);
  bool good = vm_protect(vm, call_function, &what, failure);
  bool abandoned = !good && (vm->condemned == Condemned::abandoned || vm->condemned == Condemned::memory);
  vm_end_call(vm);
  if (abandoned) {
    const script_limits limits = vm->limits;
    // Loading may take more than a call.
    vm->limits.steps = std::max(limits.steps, vm->loading_steps);
    vm->limits.nanoseconds = std::max(limits.nanoseconds, vm->loading_nanoseconds);
    vm_rebuild(vm);
    vm->limits = limits;
  }
  return good;
}

void script_vm_bound_calls(script_vm *vm, uint64_t steps, uint64_t nanoseconds) {
  vm->loading_steps = vm->limits.steps;
  vm->loading_nanoseconds = vm->limits.nanoseconds;
  vm->limits.steps = steps;
  vm->limits.nanoseconds = nanoseconds;
}
