#include "vm_internal.h"

#include <cstdio>
#include <cstdlib>

namespace {

// --- Errors on their way out

void append_place(std::string &out, const lua_Debug &where) {
  out.append(where.short_src);
  if (where.currentline > 0) out.append(":").append(std::to_string(where.currentline));
}

// Whether a call runs Lua of the host's own.
bool is_host(const lua_Debug &where) { return strcmp(where.short_src, "(host)") == 0; }

// Runs where the error happened, before anything unwinds. Allocates nothing in the VM.
int message_handler(lua_State *L) {
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
    vm->reason.assign("error object is a ").append(luaL_typename(L, 1)).append(", not text");
  }
  vm->traceback.clear();
  lua_Debug where;
  for (int level = 1; level < 24 && lua_getstack(L, level, &where); level++) {
    lua_getinfo(L, "Sln", &where);
    if (where.currentline < 0 && !where.name) continue;
    if (is_host(where)) break;
    if (!vm->traceback.empty()) vm->traceback.push_back('\n');
    append_place(vm->traceback, where);
    lua_Debug caller;
    const bool has_caller = lua_getstack(L, level + 1, &caller) && lua_getinfo(L, "S", &caller);
    if (has_caller && is_host(caller)) vm->traceback.append(": in the handler");
    else if (where.name) vm->traceback.append(": in ").append(where.namewhat).append(" '").append(where.name).append("'");
    else if (*where.what == 'm') vm->traceback.append(": in the file itself");
  }
  return 1;
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

void fill(script_vm *vm, script_failure *failure) {
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

// --- Making and loading

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
  lua_call(L, 0, 1);
  int result = lua_gettop(L);
  switch (vm->profile) {
    case SCRIPT_PROFILE_SCRIPT: declarations_read(L, result); break;
    case SCRIPT_PROFILE_CONFIG:
      if (!lua_istable(L, result))
        return luaL_error(L, "%s: expected the file to return a table, got %s", vm->name.c_str(), luaL_typename(L, result));
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
  lua_pushcfunction(vm->L, message_handler);
  return true;
}

bool load(script_vm *vm, script_failure *failure) {
  vm->loading = true;
  vm->tests.clear();
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

// Gives a VM up, whatever it was doing, and makes a new one from the same text. State is the host's: it stays.
void rebuild(script_vm *vm) {
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

// --- Handling

struct Walk {
  uint32_t handler;
  script_batch *batch;
  uint32_t next, end;
};

// Where the walker keeps what each message needs, on its own stack.
enum { WALK_DATA = 1, WALK_RUN, WALK_LOAD_RUN, WALK_TOP = WALK_LOAD_RUN };

void push_walk(lua_State *L, const Handler &handler) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, handler.run);
  lua_rawgeti(L, LUA_REGISTRYINDEX, handler.load_run);
}

// Calls the handler for the key in hand with the payload at the top of the stack, or with the message in hand for 0.
void run_handler(lua_State *L, script_vm *vm, int payload) {
  const int fields = int(vm->state.fields.size());
  const bool fill = vm->loaded_key != vm->key;
  lua_pushvalue(L, fill ? WALK_LOAD_RUN : WALK_RUN);
  if (payload) lua_pushvalue(L, payload);
  else if (vm->root) values_push_message(L, 0);
  else lua_pushlstring(L, vm->text, vm->batch->messages[vm->message].length);
  if (fill) {
    for (int i = 0; i < fields; i++) values_push_field(L, vm->key, uint32_t(i));
    vm->loaded_key = StateStore::no_key;
  }
  lua_call(L, 1 + (fill ? fields : 0), fields);
  vm->loaded_key = vm->key;
  view_accept(L, (payload ? payload : int(WALK_TOP)) + 1);
  vm->state.accept();
}

// Makes every handle of an earlier call stale. 0 is no generation.
void next_generation(script_vm *vm) {
  if (++vm->generation == 0) vm->generation = 1;
}

void start_message(script_vm *vm) {
  vm->sequence++;
  next_generation(vm);
  vm->steps_left = int64_t(vm->limits.steps);
  vm->effects_left = vm->limits.effects;
  vm->random_saved = vm->random;
  vm->last_field = nullptr;
  if (vm->counting) vm->deadline_ns = monotonic_ns() + vm->limits.nanoseconds;
}

uint32_t default_key(script_vm *vm) {
  if (vm->default_key == StateStore::no_key) vm->default_key = vm->state.find_or_make("", 0);
  return vm->default_key;
}

// Finds the key of the message in hand; false when it has none.
bool find_key(lua_State *L, script_vm *vm, const Handler &handler) {
  if (handler.key_function != LUA_NOREF) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, handler.key_function);
    values_push_message(L, 0);
    lua_call(L, 1, 1);
    if (lua_isnil(L, -1) || values_is_null(L, -1)) return false;
    if (lua_type(L, -1) != LUA_TSTRING && lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "M.key: expected text, got %s", luaL_typename(L, -1));
    size_t length;
    const char *name = lua_tolstring(L, -1, &length);
    if (!json_valid_utf8(name, length)) luaL_error(L, "M.key: the key is not valid UTF-8");
    vm->key = vm->state.find_or_make(name, length);
    lua_pop(L, 1);
    return true;
  }
  script_text name;
  if (!script_batch_field(vm->batch, vm->message, handler.key_path.c_str(), &name)) return false;
  vm->key = vm->state.find_or_make(name.bytes, name.count);
  return true;
}

void hold_message(script_vm *vm, script_batch *batch, uint32_t index) {
  batch_message &message = batch->messages[index];
  vm->batch = batch;
  vm->message = index;
  vm->info = &message.info;
  vm->text = batch->text + message.start;
  vm->root = message.info.text ? nullptr : batch->tree.nodes + message.root;
}

int walk(lua_State *L) {
  auto data = static_cast<Walk *>(lua_touserdata(L, WALK_DATA));
  script_vm *vm = vm_of(L);
  const Handler &handler = vm->handlers[data->handler];
  const bool keyed = !handler.key_path.empty() || handler.key_function != LUA_NOREF;
  luaL_checkstack(L, int(vm->state.fields.size()) * 2 + 20, "too many fields");
  push_walk(L, handler);
  for (; data->next < data->end; data->next++) {
    lua_settop(L, WALK_TOP);
    batch_message &message = data->batch->messages[data->next];
    if (message.fault || message.skipped) continue;
    if (message.info.time >= vm->deadline) break;
    hold_message(vm, data->batch, data->next);
    start_message(vm);
    if (!keyed) {
      vm->key = default_key(vm);
    } else if (!find_key(L, vm, handler)) {
      vm->skipped++;
      continue;
    }
    if (vm->state.total_bytes > vm->state.total_limit)
      luaL_error(L, "%s: the state of all keys exceeds %I bytes; the limit is 'total_state_size'", vm->name.c_str(),
                 (LUAI_UACINT)vm->limits.total_state);
    vm->state.begin(vm->key);
    run_handler(L, vm, 0);
    if (vm->counted_runs > 0 && --vm->counted_runs == 0) limits_uncount(vm);
  }
  return 0;
}

struct Act {
  uint32_t handler;
  script_text payload;
  int64_t time;
};

int act(lua_State *L) {
  auto data = static_cast<Act *>(lua_touserdata(L, WALK_DATA));
  script_vm *vm = vm_of(L);
  luaL_checkstack(L, int(vm->state.fields.size()) * 2 + 20, "too many fields");
  push_walk(L, vm->handlers[data->handler]);
  start_message(vm);
  vm->state.begin(vm->key);
  if (data->payload.count == 0) {
    lua_pushnil(L);
  } else {
    const batch_message &message = vm->payload->messages[0];
    values_push_tree(L, vm->payload->tree.nodes + message.root, vm->payload->text + message.start, 0);
  }
  run_handler(L, vm, lua_gettop(L));
  return 0;
}

// Takes back all that the running handler did, here and in the host.
void undo(script_vm *vm) {
  vm->state.undo();
  vm->state.release_all(vm->accepted);
  vm->random = vm->random_saved;
  vm->loaded_key = StateStore::no_key;
  next_generation(vm);
  vm->host.undo(vm->host.context, vm->sequence);
}

struct Describe {
  uint32_t rule;
  double value;
  script_text data;
};

int describe(lua_State *L) {
  auto data = static_cast<Describe *>(lua_touserdata(L, 1));
  script_vm *vm = vm_of(L);
  start_message(vm);
  script_call call = {vm->message, vm->key, vm->info->time, vm->sequence, vm->info->replayed};
  int reference = vm->rule_text_refs[data->rule];
  if (reference == LUA_NOREF) {
    vm->host.describe(vm->host.context, data->rule, call, {nullptr, 0});
    return 0;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  lua_pushnumber(L, data->value);
  if (data->data.count > 0) {
    const batch_message &message = vm->payload->messages[0];
    values_push_tree(L, vm->payload->tree.nodes + message.root, vm->payload->text + message.start, 0);
  } else {
    lua_pushnil(L);
  }
  lua_call(L, 2, 1);
  size_t length;
  if (lua_type(L, -1) != LUA_TSTRING) return luaL_error(L, "the rule's text function must return text, got %s", luaL_typename(L, -1));
  const char *bytes = lua_tolstring(L, -1, &length);
  if (!json_valid_utf8(bytes, length)) return luaL_error(L, "the rule's text is not valid UTF-8");
  vm->host.describe(vm->host.context, data->rule, call, {bytes, length});
  return 0;
}

// Runs a handler's C function; undone and run once more under the count when it was slow.
bool run(script_vm *vm, lua_CFunction function, void *data, script_failure *failure) {
  for (;;) {
    if (vm->dead) {
      failure->outcome = SCRIPT_ERROR;
      failure->reason = {vm->reason.data(), vm->reason.size()};
      failure->traceback = {nullptr, 0};
      failure->message = vm->message;
      return false;
    }
    vm_begin_call(vm, vm->counted_runs > 0);
    bool good = vm_protect(vm, function, data, failure);
    bool again = !good && vm->condemned == Condemned::restart;
    if (good) {
      vm_end_call(vm);
      failure->outcome = SCRIPT_OK;
      return true;
    }
    undo(vm);
    bool abandoned = vm->condemned == Condemned::abandoned || vm->condemned == Condemned::memory;
    vm_end_call(vm);
    if (abandoned) rebuild(vm);
    if (!again) return false;
    // It was slow: this one is counted from its start, and so are the next ones.
    vm->counted_runs = 64;
  }
}

bool hold_payload(script_vm *vm, script_text payload, int64_t time) {
  script_batch_clear(vm->payload);
  script_message_info info = {time, time, 0, false, false};
  if (!script_batch_append(vm->payload, payload.count ? payload.bytes : "null", payload.count ? payload.count : 4, info))
    return false;
  if (script_batch_decode(vm->payload) > 0) return false;
  vm->batch = nullptr;
  vm->root = nullptr;
  vm->message = 0;
  vm->info = &vm->payload->messages[0].info;
  return true;
}

struct TestRun {
  uint32_t test;
};

int run_test(lua_State *L) {
  auto data = static_cast<TestRun *>(lua_touserdata(L, 1));
  script_vm *vm = vm_of(L);
  start_message(vm);
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm->tests[data->test].reference);
  lua_call(L, 0, 0);
  return 0;
}

}  // namespace

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
  fill(vm, failure);
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
  vm->running = false;
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

uint32_t script_vm_handle(
  script_vm *vm, uint32_t handler, script_batch *batch, uint32_t from, uint32_t to, script_failure *failure) {
  failure->outcome = SCRIPT_OK;
  if (from >= to) return from;
  Walk data = {handler, batch, from, to};
  if (run(vm, walk, &data, failure)) return data.next;
  failure->message = data.next;
  return data.next + 1;
}

bool script_vm_act(
  script_vm *vm, uint32_t handler, script_text key, script_text payload, int64_t time, script_failure *failure) {
  Act data = {handler, payload, time};
  vm->key = key.count ? vm->state.find_or_make(key.bytes, key.count) : default_key(vm);
  for (int attempt = 0;; attempt++) {
    *failure = script_failure{};
    if (!hold_payload(vm, payload, time)) {
      vm->reason.assign("the payload is not JSON");
      vm->condemned = Condemned::no;
      fill(vm, failure);
      return false;
    }
    // A restart under the count clears the payload: the first attempt ends, the second holds it again.
    vm_begin_call(vm, vm->counted_runs > 0);
    if (vm->dead || vm_protect(vm, act, &data, failure)) {
      bool dead = vm->dead;
      vm_end_call(vm);
      failure->outcome = dead ? SCRIPT_ERROR : SCRIPT_OK;
      return !dead;
    }
    bool again = vm->condemned == Condemned::restart && attempt == 0;
    bool abandoned = vm->condemned == Condemned::abandoned || vm->condemned == Condemned::memory;
    undo(vm);
    vm_end_call(vm);
    if (abandoned) rebuild(vm);
    if (!again) return false;
    vm->counted_runs = 64;
  }
}

bool script_vm_describe(
  script_vm *vm, uint32_t rule, uint32_t key, double value, script_text data, int64_t time, script_failure *failure) {
  Describe what = {rule, value, data};
  vm->key = key;
  *failure = script_failure{};
  if (vm->dead || !hold_payload(vm, data, time)) {
    failure->outcome = SCRIPT_ERROR;
    failure->reason = {vm->reason.data(), vm->reason.size()};
    return false;
  }
  vm_begin_call(vm, true);
  bool good = vm_protect(vm, describe, &what, failure);
  if (!good) vm->host.undo(vm->host.context, vm->sequence);
  bool abandoned = !good && (vm->condemned == Condemned::abandoned || vm->condemned == Condemned::memory);
  vm_end_call(vm);
  if (abandoned) rebuild(vm);
  return good;
}

void script_vm_set_prelude(script_vm *vm, script_text source) {
  vm->prelude.assign(source.bytes ? source.bytes : "", source.count);
}

void script_vm_set_deadline(script_vm *vm, int64_t time) { vm->deadline = time; }

void script_vm_set_source(script_vm *vm, script_text source, script_text topic) {
  vm->source.assign(source.bytes ? source.bytes : "", source.count);
  vm->topic.assign(topic.bytes ? topic.bytes : "", topic.count);
}

uint64_t script_vm_skipped(const script_vm *vm) { return vm->skipped; }
uint64_t script_vm_rebuilds(const script_vm *vm) { return vm->rebuilds; }
size_t script_vm_memory(const script_vm *vm) { return vm->memory.live; }

uint32_t script_vm_test_count(const script_vm *vm) { return uint32_t(vm->tests.size()); }
script_text script_vm_test_name(const script_vm *vm, uint32_t test) {
  return {vm->tests[test].name.data(), vm->tests[test].name.size()};
}
uint32_t script_vm_test_line(const script_vm *vm, uint32_t test) { return vm->tests[test].line; }

bool script_vm_test_run(script_vm *vm, uint32_t test, script_failure *failure) {
  TestRun data = {test};
  *failure = script_failure{};
  vm_begin_call(vm, true);
  bool good = vm_protect(vm, run_test, &data, failure);
  vm_end_call(vm);
  return good;
}

uint32_t script_vm_calling_line(const script_vm *vm) {
  lua_Debug where;
  for (int level = 1; vm->L && lua_getstack(vm->L, level, &where); level++) {
    lua_getinfo(vm->L, "Sl", &where);
    if (where.currentline > 0 && strcmp(where.short_src, "(host)") != 0) return uint32_t(where.currentline);
  }
  return 0;
}

// --- State

uint32_t script_vm_key_count(const script_vm *vm) { return vm->state.count(); }

uint32_t script_vm_key(script_vm *vm, script_text name) {
  return name.count ? vm->state.find_or_make(name.bytes, name.count) : default_key(vm);
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
  if (!hold_payload(vm, row, 0) || vm->payload->tree.nodes[vm->payload->messages[0].root].type != JSON_OBJECT) {
    vm->reason.assign("the stored row is not a JSON object");
    *reason = {vm->reason.data(), vm->reason.size()};
    return false;
  }
  uint32_t key = script_vm_key(vm, key_name);
  const batch_message &message = vm->payload->messages[0];
  const json_node *root = vm->payload->tree.nodes + message.root;
  const char *text = vm->payload->text + message.start;
  vm->state.begin(key);
  for (uint32_t member = 1; member < root->next; member = root[member + 1].next) {
    const json_node &name = root[member];
    if (name.length == 0) {
      for (uint32_t nil = member + 2; nil < root[member + 1].next; nil = root[nil].next) {
        int field = vm->state.field(text + root[nil].start, root[nil].length);
        if (field >= 0) vm->state.set_field(key, uint32_t(field), Slot());
      }
      continue;
    }
    int field = vm->state.field(text + name.start, name.length);
    if (field < 0) continue;  // no longer declared
    Slot value;
    slot_from_tree(vm, root, text, member + 1, key, &value);
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

bool script_vm_has_dirty(const script_vm *vm) { return vm->state.has_dirty(); }
