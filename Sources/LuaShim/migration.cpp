// M.migrate: turns the state of a key, as an older form of the script kept it, into what this one declares.

#include "handles.h"
#include "handler_limits.h"
#include "slots.h"

namespace {

// Where the function keeps what it needs, on its own stack.
enum { MIGRATION_OLD = 2, MIGRATION_NEW };

// The old fields as plain tables; statistics go on by themselves and are left out.
void push_old(lua_State *L, script_vm *vm) {
  const batch_message &message = vm->payload->messages[0];
  const json_node *root = vm->payload->tree.nodes + message.root;
  const char *text = vm->payload->text + message.start;
  lua_newtable(L);
  for (uint32_t member = 1; member < root->next; member = root[member + 1].next) {
    const json_node &name = root[member];
    if (name.length == 0 || statistic_in_json(root, text, member + 1)) continue;
    // Held by the VM while Lua may raise.
    vm->state.release_all(vm->accepted);
    vm->accepted.resize(1);
    slot_from_json(vm, root, text, member + 1, vm->key, &vm->accepted[0]);
    text_push_json(L, text + name.start, name.length, name.flags & JSON_ESCAPED);
    slot_push_copy(L, vm->accepted[0]);
    lua_rawset(L, MIGRATION_OLD);
  }
  vm->state.release_all(vm->accepted);
}

void check_fields(lua_State *L, script_vm *vm) {
  if (lua_type(L, MIGRATION_NEW) != LUA_TTABLE)
    luaL_error(L, "M.migrate: expected it to return the new state as a table, got %s",
               script_type_name(L, MIGRATION_NEW));
  lua_pushnil(L);
  while (lua_next(L, MIGRATION_NEW)) {
    size_t length = 0;
    const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tolstring(L, -2, &length) : nullptr;
    if (!name) luaL_error(L, "M.migrate: the new state has a %s for a name", script_type_name(L, -2));
    const int field = vm->state.field(name, length);
    if (field < 0)
      luaL_error(L, "M.migrate: the new state has the field '%s', which M.state does not declare; leave it out", name);
    if (vm->state.defaults[size_t(field)].kind == SlotKind::statistic)
      luaL_error(L, "M.migrate: '%s' is a statistic, which goes on by itself; leave it out", name);
    lua_pop(L, 1);
  }
}

int migrate(lua_State *L) {
  script_vm *vm = vm_of(L);
  const uint32_t count = uint32_t(vm->state.fields.size());
  luaL_checkstack(L, 20, "too many fields");
  vm_start_message(vm);
  vm->state.begin(vm->key);
  push_old(L, vm);
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm->migrate_ref);
  lua_pushvalue(L, MIGRATION_OLD);
  const std::string &key = vm->state.key(vm->key).name;
  lua_pushlstring(L, key.data(), key.size());
  lua_call(L, 2, 1);
  check_fields(L, vm);
  // Check and copy all before the first is stored: a refused one leaves everything as it was.
  vm->state.release_all(vm->accepted);
  vm->accepted.resize(count);
  for (uint32_t i = 0; i < count; i++) {
    if (vm->state.defaults[i].kind == SlotKind::statistic) continue;
    vm->path.assign("M.migrate: the new state.").append(vm->state.fields[i]);
    lua_pushlstring(L, vm->state.fields[i].data(), vm->state.fields[i].size());
    if (lua_rawget(L, MIGRATION_NEW) == LUA_TNIL) vm->accepted[i] = vm->state.clone(vm->state.defaults[i], vm->key);
    else vm->accepted[i] = slot_take(L, lua_gettop(L), vm->path.c_str());
    lua_pop(L, 1);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (vm->state.defaults[i].kind == SlotKind::statistic) continue;
    vm->state.set_field(vm->key, i, vm->accepted[i]);
    vm->accepted[i] = Slot();
  }
  vm->state.accept();
  return 0;
}

}  // namespace

bool script_vm_migrates(const script_vm *vm) { return vm->migrate_ref != LUA_NOREF; }

bool script_vm_migrate(
  script_vm *vm, script_text key, script_text row, int64_t time, script_failure *failure) {
  *failure = script_failure{};
  vm->key = script_vm_key(vm, key);
  vm->loaded_key = StateStore::no_key;
  if (vm->dead || !vm_hold_payload(vm, row, time)) {
    if (!vm->dead) vm->reason.assign(vm->name).append(": the stored row is not JSON");
    vm->condemned = Condemned::no;
    failure_tell(vm, failure);
    return false;
  }
  // Counted from the start: it runs once for each key, and nobody waits for a message here.
  vm_begin_call(vm, true);
  vm->migrating = true;
  const bool good = vm_protect(vm, migrate, nullptr, failure);
  vm->migrating = false;
  const bool abandoned = vm->condemned == Condemned::abandoned || vm->condemned == Condemned::memory;
  if (!good) {
    vm->state.undo();
    vm->state.release_all(vm->accepted);
  }
  vm->random = vm->random_saved;
  vm_end_call(vm);
  if (!good && abandoned) vm_rebuild(vm);
  return good;
}

void script_vm_touch(script_vm *vm, script_text key) { vm->state.mark_dirty(script_vm_key(vm, key)); }
