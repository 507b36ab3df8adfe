// Making a VM, loading its file, the door, and giving a VM up for a new one.

#include "vm_internal.h"

#include "coverage.h"
#include "declarations.h"
#include "encode.h"
#include "handler_limits.h"
#include "sandbox.h"

namespace {

int open_state(lua_State *L) {
  sandbox_open(L);
  return 0;
}

int load_file(lua_State *L) {
  script_vm *vm = vm_of(L);
  sandbox_prelude(L);
  lua_pushfstring(L, "@%s", vm->name.c_str());
  if (luaL_loadbufferx(L, vm->source_text.data(), vm->source_text.size(), lua_tostring(L, -1), "t") != LUA_OK)
    return lua_error(L);
  coverage_chunk(L);
  num_look_at_chunk(L);
  lua_call(L, 0, 1);
  int result = lua_gettop(L);
  switch (vm->profile) {
    case SCRIPT_PROFILE_SCRIPT: declarations_read(L, result); break;
    case SCRIPT_PROFILE_CONFIG:
      if (!lua_istable(L, result))
        return luaL_error(L, "%s: expected the file to return a table, got %s", vm->name.c_str(),
                          script_type_name(L, result));
      vm->out.clear();
      vm->path.clear();
      encode_value(L, result, vm->limits.nesting);
      vm->result = vm->out;
      break;
    case SCRIPT_PROFILE_TEST: break;
  }
  return 0;
}

bool make_state(script_vm *vm) {
  arena_open(&vm->memory);
  vm->L = lua_newstate(limits_allocate, vm);
  if (!vm->L) return false;
  *static_cast<script_vm **>(lua_getextraspace(vm->L)) = vm;
  lua_pushcfunction(vm->L, failure_note);
  return true;
}

bool load(script_vm *vm, script_failure *failure) {
  vm->loading = vm->num_is_kept = true;
  limits_open(vm);
  vm->tests.clear();
  vm->statistics.clear();
  vm->config_functions.clear();
  if (vm->payload) script_batch_clear(vm->payload);
  bool good = vm_protect(vm, open_state, nullptr, failure);
  if (good) {
    vm_begin_call(vm, true);
    good = vm_protect(vm, load_file, nullptr, failure);
    vm_end_call(vm);
  }
  vm->loading = false;
  return good;
}

}  // namespace

void vm_rebuild(script_vm *vm) {
  arena_drop(&vm->memory);
  vm->L = nullptr;
  vm->condemned = Condemned::no;
  vm->counting = vm->armed_memory = false;
  vm->loaded_key = StateStore::no_key;
  vm->rebuilds++;
  script_failure failure;
  std::string reason = vm->reason, traceback = vm->traceback;
  script_batch *batch = vm->batch;
  vm->dead = !make_state(vm) || !load(vm, &failure);
  vm->batch = batch;
  vm->reason = reason;
  vm->traceback = traceback;
}

bool vm_protect(script_vm *vm, lua_CFunction function, void *data, script_failure *failure) {
  Door door;
  door.outer = vm->door;
  lua_State *L = vm->L;
  const int top = lua_gettop(L);
  int status;
  if (_setjmp(door.jump) == 0) {
    vm->door = &door;
    lua_pushcfunction(L, function);
    lua_pushlightuserdata(L, data);
    status = lua_pcall(L, 1, 0, 1);
  } else {
    status = LUA_ERRMEM;
  }
  vm->door = door.outer;
  if (status == LUA_OK) return true;
  if (status == LUA_ERRERR && vm->condemned == Condemned::no) {
    vm->reason.assign(vm->name).append(": an error in handling an error (too deep a recursion?)");
    vm->traceback.clear();
  }
  failure_tell(vm, failure);
  if (vm->condemned != Condemned::abandoned) lua_settop(L, top);
  return false;
}

void vm_begin_call(script_vm *vm, bool counted) {
  vm->running = true;
  vm->condemned = Condemned::no;
  vm->armed_memory = false;
  vm->steps_left = int64_t(vm->limits.steps);
  vm->effects_left = vm->limits.effects;
  vm->soft = vm->limits.memory;
  vm->hard = vm->limits.memory * 4;
  vm->deadline_ns = counted ? monotonic_ns() + vm->limits.nanoseconds : 0;
  vm->sequence++;
  if (counted) limits_count(vm);
  else watch_enter(vm);
}

void vm_end_call(script_vm *vm) {
  vm->running = vm->filled = false;
  watch_leave(vm);
  vm->info = nullptr;
  vm->root = nullptr;
  if (vm->L && vm->condemned != Condemned::abandoned) limits_uncount(vm);
  vm->counting = false;
  if (vm->payload && script_batch_count(vm->payload) > 0) script_batch_clear(vm->payload);
}

script_vm *script_vm_create(script_profile profile, script_limits limits, script_host host) {
  auto vm = new script_vm();
  vm->profile = profile;
  vm->limits = limits;
  vm->host = host;
  vm->soft = vm->hard = SIZE_MAX;
  vm->payload = script_batch_create(limits.nesting);
  vm->state.key_limit = limits.state_size;
  vm->state.total_limit = limits.total_state;
  uint64_t seed = 0x243F6A8885A308D3ull;
  for (uint64_t &word : vm->random.words) word = seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  if (make_state(vm)) return vm;
  script_vm_destroy(vm);
  return nullptr;
}

void script_vm_destroy(script_vm *vm) {
  // Never lua_close: finalizers don't exist here, and the arena holds all of it.
  arena_drop(&vm->memory);
  script_batch_destroy(vm->payload);
  delete vm;
}

void script_vm_register(script_vm *vm, const char *name, uint32_t function, script_phase phase, bool is_effect) {
  vm->functions.push_back({name, function, phase, is_effect});
}

void script_vm_add_module(script_vm *vm, const char *name, script_text source) {
  vm->modules.push_back({name, std::string(source.bytes ? source.bytes : "", source.count)});
}

void script_vm_register_rules(script_vm *vm, uint32_t function) { vm->rule_function = function; }

bool script_vm_load(script_vm *vm, const char *name, script_text source, script_failure *failure) {
  vm->name = name;
  vm->source_text.assign(source.bytes ? source.bytes : "", source.count);
  uint64_t seed = 14695981039346656037ull;
  for (char c : vm->name) seed = (seed ^ uint8_t(c)) * 1099511628211ull;
  for (uint64_t &word : vm->random.words) word = seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  *failure = script_failure{};
  bool good = load(vm, failure);
  vm->loaded = good;
  vm->dead = !good;
  return good;
}

script_text script_vm_result(const script_vm *vm) { return {vm->result.data(), vm->result.size()}; }

int32_t script_vm_handler(const script_vm *vm, const char *group, const char *name) {
  for (size_t i = 0; i < vm->handlers.size(); i++)
    if (vm->handlers[i].group == group && vm->handlers[i].name == name) return int32_t(i);
  return -1;
}

void script_vm_set_prelude(script_vm *vm, script_text source) {
  vm->prelude.assign(source.bytes ? source.bytes : "", source.count);
}

uint64_t script_vm_rebuilds(const script_vm *vm) { return vm->rebuilds; }
size_t script_vm_memory(const script_vm *vm) { return vm->memory.live; }
