// A script's state, key by key: read, restored from stored rows, handed out to be stored.

#include "slots.h"
#include "vm_internal.h"

uint32_t vm_default_key(script_vm *vm) {
  if (vm->default_key == StateStore::no_key) vm->default_key = vm->state.find_or_make("", 0);
  return vm->default_key;
}

uint32_t script_vm_key_count(const script_vm *vm) { return vm->state.count(); }

uint32_t script_vm_key(script_vm *vm, script_text name) {
  return name.count ? vm->state.find_or_make(name.bytes, name.count) : vm_default_key(vm);
}

script_text script_vm_key_name(const script_vm *vm, uint32_t key) {
  const std::string &name = vm->state.key(key).name;
  return {name.data(), name.size()};
}

script_text script_vm_state(script_vm *vm, uint32_t key) {
  vm->out.clear();
  vm->state.write_row(key, vm->out);
  return {vm->out.data(), vm->out.size()};
}

bool script_vm_restore(script_vm *vm, script_text key_name, script_text row, script_text *reason) {
  if (!vm_hold_payload(vm, row, 0) || vm->payload->tree.nodes[vm->payload->messages[0].root].type != JSON_OBJECT) {
    vm->reason.assign("the stored row is not a JSON object");
    *reason = {vm->reason.data(), vm->reason.size()};
    return false;
  }
  uint32_t key = script_vm_key(vm, key_name);
  const batch_message &message = vm->payload->messages[0];
  const json_node *root = vm->payload->tree.nodes + message.root;
  const char *text = vm->payload->text + message.start;
  vm->state.begin(key);
  vm->loaded_key = StateStore::no_key;
  for (uint32_t member = 1; member < root->next; member = root[member + 1].next) {
    const json_node &name = root[member];
    if (name.length == 0) {
      for (uint32_t nil = member + 2; nil < root[member + 1].next; nil = root[nil].next) {
        int field = vm->state.field(text + root[nil].start, root[nil].length);
        if (field >= 0 && vm->state.key(key).slots[field].kind != SlotKind::statistic)
          vm->state.set_field(key, uint32_t(field), Slot());
      }
      continue;
    }
    int field = vm->state.field(text + name.start, name.length);
    if (field < 0) continue;  // no longer declared
    // A field that became a statistic, or was one, begins with its default.
    const Slot &slot = vm->state.key(key).slots[field];
    if ((slot.kind == SlotKind::statistic) != statistic_in_json(root, text, member + 1)) continue;
    if (slot.kind == SlotKind::statistic) {
      if (statistic_from_json(vm, root, text, member + 1, slot.statistic)) continue;
      vm->state.undo();
      vm->reason.assign("state.").append(vm->state.fields[size_t(field)]).append(": the stored statistic is damaged");
      *reason = {vm->reason.data(), vm->reason.size()};
      vm->info = nullptr;
      script_batch_clear(vm->payload);
      return false;
    }
    Slot value;
    slot_from_json(vm, root, text, member + 1, key, &value);
    vm->state.set_field(key, uint32_t(field), value);
  }
  vm->state.accept();
  vm->info = nullptr;
  script_batch_clear(vm->payload);
  return true;
}

uint32_t script_vm_take_dirty(
  script_vm *vm, void *context, void (*visit)(void *context, uint32_t key, script_text name, script_text row)) {
  std::vector<uint32_t> keys = vm->state.take_dirty();
  for (uint32_t key : keys) {
    script_text row = script_vm_state(vm, key);
    visit(context, key, script_vm_key_name(vm, key), row);
  }
  return uint32_t(keys.size());
}

uint32_t script_vm_dirty_count(const script_vm *vm) { return vm->state.dirty_count(); }
bool script_vm_has_dirty(const script_vm *vm) { return vm->state.has_dirty(); }
