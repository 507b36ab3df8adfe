// Running a handler twice from the same state, to find what it keeps outside of state: in locals of the file, upvalues
// and globals. Such things are no part of undo and are gone after a restart. For tests and checks; nothing is spent on it
// otherwise.

#include "rehearsal.h"

#include <algorithm>
#include <functional>
#include <map>

#include "handles.h"

namespace {

// The key's fields as JSON, in the order of their names.
std::vector<std::string> fields_of(script_vm *vm, uint32_t key) {
  std::vector<std::string> texts(vm->state.fields.size());
  for (size_t i = 0; i < texts.size(); i++) vm->state.write_slot(vm->state.key(key).slots[i], texts[i]);
  return texts;
}

// Takes back a run that was accepted.
void take_back(script_vm *vm, uint32_t key, const std::string &row) {
  const std::string name = vm->state.key(key).name;
  script_text reason;
  vm->host.undo(vm->host.context, vm->sequence);
  vm->random = vm->random_saved;
  script_vm_restore(vm, {name.data(), name.size()}, {row.data(), row.size()}, &reason);
}

// Runs a handler once more on what it was given.
using Again = std::function<void(script_failure *failure)>;

constexpr int deepest = 5;

// Notes the plain values that a value leads to, each as a line of its path and its text. The path is vm->path.
void note_hidden(lua_State *L, int index, int seen, int depth) {
  script_vm *vm = vm_of(L);
  luaL_checkstack(L, 8, "nested too deep");
  const int type = lua_type(L, index);
  const size_t path = vm->path.size();
  if (type == LUA_TNUMBER || type == LUA_TBOOLEAN || type == LUA_TSTRING || type == LUA_TNIL) {
    lua_pushvalue(L, index);
    if (type == LUA_TBOOLEAN || type == LUA_TNIL) {
      lua_pop(L, 1);
      lua_pushstring(L, type == LUA_TNIL ? "nil" : lua_toboolean(L, index) ? "true" : "false");
    }
    size_t length;
    const char *text = lua_tolstring(L, -1, &length);
    vm->hidden.append(vm->path).push_back('\t');
    for (size_t i = 0; i < length && i < 200; i++) vm->hidden.push_back(text[i] < ' ' ? ' ' : text[i]);
    vm->hidden.append(" ").append(std::to_string(length)).push_back('\n');
    lua_pop(L, 1);
    return;
  }
  if (depth == deepest || (type != LUA_TTABLE && type != LUA_TFUNCTION) || lua_iscfunction(L, index)) return;
  lua_pushvalue(L, index);
  if (lua_rawget(L, seen) != LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  lua_pop(L, 1);
  lua_pushvalue(L, index);
  lua_pushboolean(L, 1);
  lua_rawset(L, seen);
  if (type == LUA_TFUNCTION) {
    for (int i = 1; const char *name = lua_getupvalue(L, index, i); i++) {
      vm->path.assign(strcmp(name, "_ENV") == 0 ? "" : name);
      note_hidden(L, lua_gettop(L), seen, depth + 1);
      lua_pop(L, 1);
    }
    vm->path.resize(0);
    return;
  }
  const std::string::size_type start = path;
  lua_pushnil(L);
  while (lua_next(L, index)) {
    vm->path.resize(start);
    if (lua_type(L, -2) == LUA_TSTRING) {
      if (start > 0) vm->path.push_back('.');
      vm->path.append(lua_tostring(L, -2), strnlen(lua_tostring(L, -2), 60));
      note_hidden(L, lua_gettop(L), seen, depth + 1);
    } else if (lua_isinteger(L, -2)) {
      vm->path.append("[").append(std::to_string(lua_tointeger(L, -2))).append("]");
      note_hidden(L, lua_gettop(L), seen, depth + 1);
    }
    lua_pop(L, 1);
  }
  vm->path.resize(start);
}

int note_all(lua_State *L) {
  script_vm *vm = vm_of(L);
  const auto handler = static_cast<const Handler *>(lua_touserdata(L, 1));
  vm->hidden.clear();
  vm->path.clear();
  lua_newtable(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, handler->reference);
  note_hidden(L, 3, 2, 0);
  return 0;
}

std::map<std::string, std::string> hidden_of(script_vm *vm, const Handler &handler) {
  script_failure ignored{};
  std::map<std::string, std::string> values;
  if (!vm->L || !vm_protect(vm, note_all, const_cast<Handler *>(&handler), &ignored)) return values;
  for (size_t start = 0; start < vm->hidden.size();) {
    const size_t end = vm->hidden.find('\n', start), tab = vm->hidden.find('\t', start);
    values.emplace(vm->hidden.substr(start, tab - start), vm->hidden.substr(tab + 1, end - tab - 1));
    start = end + 1;
  }
  return values;
}

std::string first_change(
  const std::map<std::string, std::string> &before, const std::map<std::string, std::string> &after) {
  for (const auto &value : after) {
    const auto old = before.find(value.first);
    if (old == before.end() || old->second != value.second) return value.first;
  }
  for (const auto &value : before)
    if (after.find(value.first) == after.end()) return value.first;
  return "";
}

// The name of something outside of state that a third run changes, empty where none is found.
std::string hidden_name(
  script_vm *vm, uint32_t handler, const Again &run_again, uint32_t key, const std::string &row) {
  const auto before = hidden_of(vm, vm->handlers[handler]);
  script_failure failure{};
  run_again(&failure);
  if (failure.outcome == SCRIPT_OK) take_back(vm, key, row);
  const auto after = hidden_of(vm, vm->handlers[handler]);
  const std::string changed = first_change(before, after);
  if (!changed.empty()) return changed;
  // The first run has changed it for good: beside a machine that ran nothing it shows.
  vm_rebuild(vm);
  return first_change(hidden_of(vm, vm->handlers[handler]), after);
}

std::string shortened(const std::string &text) {
  if (text.size() <= 80) return text;
  size_t end = 80;
  while (end > 0 && (text[end] & 0xC0) == 0x80) end--;
  return text.substr(0, end) + "…";
}

// Runs a handler that was accepted once more; false with the failure when something differs.
bool is_same_again(script_vm *vm, uint32_t handler, const Again &run_again, script_failure *failure) {
  const uint32_t key = vm->key;
  const std::string row = vm->row_before, asked = vm->asked;
  const std::vector<std::string> first = fields_of(vm, key);
  take_back(vm, key, row);
  run_again(failure);
  std::string difference;
  if (failure->outcome != SCRIPT_OK) {
    difference = "once it succeeded, once it failed: " + std::string(failure->reason.bytes, failure->reason.count);
  } else {
    const std::vector<std::string> second = fields_of(vm, key);
    for (size_t i = 0; i < first.size() && difference.empty(); i++)
      if (first[i] != second[i])
        difference = "state." + vm->state.fields[i] + ": " + shortened(first[i]) + ", then " + shortened(second[i]);
    if (difference.empty() && asked == vm->asked) return true;
    size_t start = 0;
    while (difference.empty()) {
      const size_t end = asked.find('\n', start), other = vm->asked.find('\n', start);
      const std::string a = asked.substr(start, end - start), b = vm->asked.substr(start, other - start);
      if (a != b)
        difference = (a.empty() ? "nothing" : shortened(a)) + ", then " + (b.empty() ? "nothing" : shortened(b));
      start = end + 1;
    }
    take_back(vm, key, row);
  }
  const std::string name = hidden_name(vm, handler, run_again, key, row);
  vm->reason.assign(vm->name).append(": M.").append(vm->handlers[handler].group).append(".")
    .append(vm->handlers[handler].name)
    .append(" was run twice from the same state and did something else (").append(difference).append("); ")
    .append(name.empty() ? "something" : "'" + name + "'")
    .append(" outside of M.state keeps what earlier runs did: declare it in M.state");
  vm->traceback.clear();
  failure->outcome = SCRIPT_ERROR;
  failure->reason = {vm->reason.data(), vm->reason.size()};
  failure->traceback = {nullptr, 0};
  return false;
}

}  // namespace

void rehearsal_begin(script_vm *vm) {
  vm->asked.clear();
  vm->row_before.clear();
  vm->state.write_row(vm->key, vm->row_before);
  vm->ran = true;
}

void rehearsal_note(script_vm *vm, const char *what, const std::string &arguments) {
  vm->asked.append(what).append(arguments).push_back('\n');
}

uint32_t rehearsal_handle(
  script_vm *vm, uint32_t handler, script_batch *batch, uint32_t from, uint32_t to, script_failure *failure) {
  while (from < to) {
    vm->ran = false;
    const uint32_t next = handle_range(vm, handler, batch, from, from + 1, failure);
    if (failure->outcome != SCRIPT_OK || next == from) return next;
    // Also where the first run asked for something that is due before the message.
    const auto again = [=](script_failure *failure) {
      const int64_t deadline = vm->deadline;
      vm->deadline = INT64_MAX;
      handle_range(vm, handler, batch, from, from + 1, failure);
      vm->deadline = std::min(deadline, vm->deadline);
    };
    if (vm->ran && !is_same_again(vm, handler, again, failure)) {
      failure->message = from;
      return next;
    }
    from = next;
  }
  return from;
}

bool rehearsal_act(
  script_vm *vm, uint32_t handler, script_text key, script_text payload, int64_t time, script_failure *failure) {
  if (!act_once(vm, handler, key, payload, time, failure)) return false;
  const auto again = [=](script_failure *failure) { act_once(vm, handler, key, payload, time, failure); };
  return is_same_again(vm, handler, again, failure);
}

void script_vm_set_twice(script_vm *vm, bool twice) { vm->twice = twice; }
