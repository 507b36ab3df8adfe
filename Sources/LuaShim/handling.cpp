// Handing messages, actions and events to a script's handlers, each accepted or undone for itself.

#include "handles.h"
#include "handler_limits.h"
#include "message_table.h"
#include "rehearsal.h"
#include "rules.h"
#include "slots.h"
#include "view.h"

namespace {

// Makes every handle of an earlier call stale. 0 is no generation.
void next_generation(script_vm *vm) {
  if (++vm->generation == 0) vm->generation = 1;
}

inline void start_message(script_vm *vm) {
  vm->sequence++;
  next_generation(vm);
  if (PROTECTED(STEPS)) vm->steps_left = int64_t(vm->limits.steps);
  vm->effects_left = vm->limits.effects;
  if (PROTECTED(UNDO)) vm->random_saved = vm->random;
  vm->last_field = nullptr;
  vm->judged = vm->in_handler = vm->filled = false;
  vm->noted_count = 0;
  if (vm->counting) vm->deadline_ns = monotonic_ns() + vm->limits.nanoseconds;
}

struct Walk {
  uint32_t handler;
  script_batch *batch;
  uint32_t next, end;
};

// Where the walker keeps what each message needs, on its own stack: behind WALK_NAMES the names of the message's fields
// in WALK_TABLE, and behind those the names of the fields of state.
enum {
  WALK_DATA = 1, WALK_RUN, WALK_LOAD_RUN, WALK_HANDLER, WALK_STATE, WALK_CONTEXT, WALK_TABLE, WALK_NAMES = WALK_TABLE
};

// With so many fields it is cheaper to read them one by one than to have them returned by a function.
constexpr int few_fields = 12;

// Pushes what the walker needs and returns the top of its stack.
int push_walk(lua_State *L, script_vm *vm, const Handler &handler) {
  const int fields = int(vm->state.fields.size());
  luaL_checkstack(L, fields * 3 + int(handler.fields.size()) + 20, "too many fields");
  for (int reference :
       {handler.run, handler.load_run, handler.reference, vm->state_ref, vm->context_ref, handler.table})
    lua_rawgeti(L, LUA_REGISTRYINDEX, reference);
  for (const MessageField &field : handler.fields) lua_pushlstring(L, field.name.data(), field.name.size());
  for (int i = 0; i < fields && fields <= few_fields; i++)
    lua_pushlstring(L, vm->state.fields[size_t(i)].data(), vm->state.fields[size_t(i)].size());
  return lua_gettop(L);
}

// Pushes the message in hand or the payload, for 0 and for where it stands.
inline void push_input(lua_State *L, script_vm *vm, int payload) {
  if (vm->filled) lua_pushvalue(L, WALK_TABLE);
  else if (payload) lua_pushvalue(L, payload);
  else if (vm->root) message_push_root(L, vm);
  else lua_pushlstring(L, vm->text, vm->batch->messages[vm->message].length);
}

// Calls the handler for the key in hand with the payload at the top of the stack, or with the message in hand for 0, and
// takes over what the fields of the view hold then.
inline __attribute__((always_inline)) void run_handler(
  lua_State *L, script_vm *vm, const Handler &handler, int top, int payload) {
  const int fields = int(vm->state.fields.size());
  vm->in_handler = true;
  if (vm->loaded_key != vm->key) {
    lua_pushvalue(L, WALK_LOAD_RUN);
    push_input(L, vm, payload);
    const Slot *slots = vm->state.key(vm->key).slots;
    for (int i = 0; i < fields; i++) {
      if (slots[i].kind == SlotKind::number) lua_pushnumber(L, slots[i].number);
      else if (slots[i].kind == SlotKind::integer) lua_pushinteger(L, slots[i].integer);
      else slot_push_field(L, vm->key, uint32_t(i));
    }
    vm->loaded_key = StateStore::no_key;
    lua_call(L, 1 + fields, fields);
    vm->loaded_key = vm->key;
    view_accept(L, top + 1);
  } else if (fields > few_fields) {
    lua_pushvalue(L, WALK_RUN);
    push_input(L, vm, payload);
    lua_call(L, 1, fields);
    view_accept(L, top + 1);
  } else {
    lua_pushvalue(L, WALK_HANDLER);
    lua_pushvalue(L, WALK_STATE);
    push_input(L, vm, payload);
    lua_pushvalue(L, WALK_CONTEXT);
    lua_call(L, 3, 0);
    view_read(L, top + 1, WALK_STATE, WALK_NAMES + int(handler.fields.size()) + 1);
  }
  vm->state.accept();
}

// Notes the time that the source gave a message of the key in hand; one before the latest comes late.
void note_time(Handler &handler, uint32_t key, script_message_info &info) {
  if (handler.latest.size() <= key) handler.latest.resize(key + 1, INT64_MIN);
  int64_t &latest = handler.latest[key];
  if (info.time < latest) info.late = true;
  else latest = info.time;
}

// Finds the key of the message in hand; false when it has none.
bool find_key(lua_State *L, script_vm *vm, Handler &handler) {
  if (handler.key_function != LUA_NOREF) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, handler.key_function);
    message_push_root(L, vm);
    lua_call(L, 1, 1);
    if (lua_isnil(L, -1) || null_at(L, -1)) return false;
    if (lua_type(L, -1) != LUA_TSTRING && lua_type(L, -1) != LUA_TNUMBER)
      luaL_error(L, "M.key: expected text, got %s", script_type_name(L, -1));
    size_t length;
    const char *name = lua_tolstring(L, -1, &length);
    if (!json_valid_utf8(name, length)) luaL_error(L, "M.key: the key is not valid UTF-8");
    vm->key = vm->state.find_or_make(name, length);
    lua_pop(L, 1);
    return true;
  }
  script_text name;
  const uint64_t shape = vm->batch->messages[vm->message].shape;
  if (shape == 0 || shape != handler.key_shape) {
    if (!script_batch_field(vm->batch, vm->message, handler.key_path.c_str(), &name)) return false;
    // A plain name is at the same node in all messages of a shape.
    if (vm->root && handler.key_path.find('.') == std::string::npos) {
      handler.key_node = json_member(vm->root, vm->text, 0, handler.key_path.data(), handler.key_path.size());
      handler.key_shape = handler.key_node ? shape : 0;
    }
  } else if (!batch_scalar(vm->batch, vm->message, handler.key_node, &name)) {
    return false;
  }
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
  Handler &handler = vm->handlers[data->handler];
  const bool keyed = !handler.key_path.empty() || handler.key_function != LUA_NOREF;
  const int top = push_walk(L, vm, handler);
  const uint32_t default_key = keyed ? StateStore::no_key : vm_default_key(vm);
  for (; data->next < data->end; data->next++) {
    lua_settop(L, top);
    batch_message &message = data->batch->messages[data->next];
    if (message.fault || message.skipped) continue;
    if (message.info.received >= vm->deadline) break;
    hold_message(vm, data->batch, data->next);
    start_message(vm);
    if (!keyed) {
      vm->key = default_key;
    } else if (!find_key(L, vm, handler)) {
      vm->skipped++;
      continue;
    }
    if (PROTECTED(MEMORY) && vm->state.total_bytes > vm->state.total_limit)
      luaL_error(L, "%s: the state of all keys exceeds %I bytes; the limit is 'total_state_size'", vm->name.c_str(),
                 (LUAI_UACINT)vm->limits.total_state);
    if (message.info.dated) note_time(handler, vm->key, message.info);
    vm->state.begin(vm->key);
    if (vm->twice) rehearsal_begin(vm);
    // Counted runs read the message itself: see num's errors.
    vm->filled = handler.table != LUA_NOREF && !vm->counting &&
                 message_table_fill(L, vm, handler, WALK_TABLE, WALK_NAMES + 1);
    run_handler(L, vm, handler, top, 0);
    if (vm->counted_runs > 0 && --vm->counted_runs == 0) limits_uncount(vm);
  }
  return 0;
}

struct KeySearch {
  uint32_t handler;
  script_batch *batch;
  uint32_t index;
  bool found;
};

int search_key(lua_State *L) {
  auto data = static_cast<KeySearch *>(lua_touserdata(L, WALK_DATA));
  script_vm *vm = vm_of(L);
  Handler &handler = vm->handlers[data->handler];
  hold_message(vm, data->batch, data->index);
  vm_start_message(vm);
  const bool keyed = !handler.key_path.empty() || handler.key_function != LUA_NOREF;
  if (!keyed) vm->key = vm_default_key(vm);
  data->found = !keyed || find_key(L, vm, handler);
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
  const Handler &handler = vm->handlers[data->handler];
  push_walk(L, vm, handler);
  vm_start_message(vm);
  vm->state.begin(vm->key);
  if (vm->twice) rehearsal_begin(vm);
  if (data->payload.count == 0) {
    lua_pushnil(L);
  } else {
    const batch_message &message = vm->payload->messages[0];
    table_push_json(L, vm->payload->tree.nodes + message.root, vm->payload->text + message.start, 0);
  }
  run_handler(L, vm, handler, lua_gettop(L), lua_gettop(L));
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
  rules_undo(vm);
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
    if (abandoned) vm_rebuild(vm);
    if (!again) return false;
    // It was slow: this one is counted from its start, and so are the next ones.
    vm->counted_runs = 64;
  }
}

}  // namespace

void vm_start_message(script_vm *vm) { start_message(vm); }

bool vm_hold_payload(script_vm *vm, script_text payload, int64_t time) {
  script_batch_clear(vm->payload);
  script_message_info info = {};
  info.time = info.received = time;
  if (payload.count == 0) payload = {"null", 4};
  if (!script_batch_append(vm->payload, payload.bytes, payload.count, info)) return false;
  if (script_batch_decode(vm->payload) > 0) return false;
  vm->batch = nullptr;
  vm->root = nullptr;
  vm->message = 0;
  vm->info = &vm->payload->messages[0].info;
  return true;
}

uint32_t script_vm_handle(
  script_vm *vm, uint32_t handler, script_batch *batch, uint32_t from, uint32_t to, script_failure *failure) {
  failure->outcome = SCRIPT_OK;
  return (vm->twice ? rehearsal_handle : handle_range)(vm, handler, batch, from, to, failure);
}

uint32_t handle_range(
  script_vm *vm, uint32_t handler, script_batch *batch, uint32_t from, uint32_t to, script_failure *failure) {
  failure->outcome = SCRIPT_OK;
  if (from >= to) return from;
  Walk data = {handler, batch, from, to};
  if (run(vm, walk, &data, failure)) return data.next;
  failure->message = data.next;
  return data.next + 1;
}

bool script_vm_message_key(
  script_vm *vm, uint32_t handler, script_batch *batch, uint32_t index, uint32_t *key) {
  KeySearch data = {handler, batch, index, false};
  script_failure failure = {};
  if (!run(vm, search_key, &data, &failure) || !data.found) return false;
  *key = vm->key;
  return true;
}

bool script_vm_act(
  script_vm *vm, uint32_t handler, script_text key, script_text payload, int64_t time, script_failure *failure) {
  return (vm->twice ? rehearsal_act : act_once)(vm, handler, key, payload, time, failure);
}

bool act_once(
  script_vm *vm, uint32_t handler, script_text key, script_text payload, int64_t time, script_failure *failure) {
  Act data = {handler, payload, time};
  vm->key = key.count ? vm->state.find_or_make(key.bytes, key.count) : vm_default_key(vm);
  for (int attempt = 0;; attempt++) {
    *failure = script_failure{};
    if (!vm_hold_payload(vm, payload, time)) {
      vm->reason.assign("the payload is not JSON");
      vm->condemned = Condemned::no;
      failure_tell(vm, failure);
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
    if (abandoned) vm_rebuild(vm);
    if (!again) return false;
    vm->counted_runs = 64;
  }
}

void script_vm_set_deadline(script_vm *vm, int64_t time) { vm->deadline = time; }

void script_vm_set_source(script_vm *vm, script_text source, script_text topic, uint32_t number) {
  vm->source_number = number;
  vm->source.assign(source.bytes ? source.bytes : "", source.count);
  vm->topic.assign(topic.bytes ? topic.bytes : "", topic.count);
}

uint64_t script_vm_skipped(const script_vm *vm) { return vm->skipped; }
