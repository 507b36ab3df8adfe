// The text of an alert whose time came without a message.

#include "rules.h"
#include "slots.h"

namespace {

struct Describe {
  uint32_t rule;
  double value;
  script_text data;
};

int describe(lua_State *L) {
  auto data = static_cast<Describe *>(lua_touserdata(L, 1));
  script_vm *vm = vm_of(L);
  vm_start_message(vm);
  const script_call call = vm_call(vm);
  if (data->data.count > 0) {
    const batch_message &message = vm->payload->messages[0];
    table_push_json(L, vm->payload->tree.nodes + message.root, vm->payload->text + message.start, 0);
  } else {
    lua_pushnil(L);
  }
  rule_describe(L, data->rule, call, data->value);
  return 0;
}

}  // namespace

bool script_vm_describe(
  script_vm *vm, uint32_t rule, uint32_t key, double value, script_text data, int64_t time, script_failure *failure) {
  Describe what = {rule, value, data};
  vm->key = key;
  *failure = script_failure{};
  if (vm->dead || !vm_hold_payload(vm, data, time)) {
    failure->outcome = SCRIPT_ERROR;
    failure->reason = {vm->reason.data(), vm->reason.size()};
    return false;
  }
  vm_begin_call(vm, true);
  bool good = vm_protect(vm, describe, &what, failure);
  if (!good) {
    vm->host.undo(vm->host.context, vm->sequence);
    rules_undo(vm);
  }
  bool abandoned = !good && (vm->condemned == Condemned::abandoned || vm->condemned == Condemned::memory);
  vm_end_call(vm);
  if (abandoned) vm_rebuild(vm);
  return good;
}
