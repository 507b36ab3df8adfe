// The one table that a script's handlers see as `state`. It shows the key in hand: before a handler of another
// key its fields are filled from the host's slots, and after each handler they come back as results, are checked and
// stored. Assigning to a field is an ordinary table write; only an undeclared name meets a metamethod.

#include <cmath>

#include "protections.h"
#include "view.h"

#include "handles.h"
#include "slots.h"

namespace {

int undeclared(lua_State *L, const char *what) {
  script_vm *vm = vm_of(L);
  size_t length = 0;
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &length) : nullptr;
  if (!name) return luaL_error(L, "state is %s by the names that M.state declares, not by a %s", what,
                               script_type_name(L, 2));
  // Within two edits of a declared name it is likely meant.
  const std::string *meant = nullptr;
  for (const std::string &field : vm->state.fields) {
    size_t common = 0, longest = field.size() > length ? field.size() : length;
    while (common < length && common < field.size() && field[common] == name[common]) common++;
    size_t tail = 0;
    while (tail < length - common && tail < field.size() - common &&
           field[field.size() - 1 - tail] == name[length - 1 - tail])
      tail++;
    if (longest > 2 && longest - common - tail <= 2) meant = &field;
  }
  if (meant)
    return luaL_error(L, "state has no field '%s'; did you mean '%s'? (declare it in M.state)", name, meant->c_str());
  return luaL_error(L, "state has no field '%s'; declare it in M.state", name);
}

int state_index(lua_State *L) {
  size_t length = 0;
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &length) : "";
  if (vm_of(L)->state.field(name, length) < 0) return undeclared(L, "read");
  return 0;
}

int state_newindex(lua_State *L) {
  size_t length = 0;
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tolstring(L, 2, &length) : "";
  if (vm_of(L)->state.field(name, length) < 0) return undeclared(L, "written");
  lua_rawset(L, 1);
  return 0;
}

void append_quoted(std::string &out, const std::string &text) {
  out.push_back('"');
  for (unsigned char c : text) {
    char escaped[8];
    snprintf(escaped, sizeof escaped, "\\%03u", c);
    out.append(escaped);
  }
  out.push_back('"');
}

void append_field(std::string &out, const std::string &field) {
  out.append("state[");
  append_quoted(out, field);
  out.push_back(']');
}

// Lua source of a function that runs a handler and returns the view's fields; one that fills them first where the
// view shows another key. Field reads and writes are cheapest inside the VM, and so are upvalues beside arguments and
// a local beside an upvalue that is read for each field.
void append_runner(std::string &out, const std::vector<std::string> &fields, bool fills) {
  out.append("function(message");
  for (size_t i = 0; fills && i < fields.size(); i++) out.append(", f").append(std::to_string(i));
  out.append(")\nlocal state = state\n");
  for (size_t i = 0; fills && i < fields.size(); i++) {
    append_field(out, fields[i]);
    out.append(" = f").append(std::to_string(i)).append("\n");
  }
  out.append("handler(state, message, ctx)\nreturn ");
  for (size_t i = 0; i < fields.size(); i++) {
    if (i) out.append(", ");
    append_field(out, fields[i]);
  }
  out.append("\nend");
}

// Makes the two functions that run each handler; the view is on top of the stack.
void make_runners(lua_State *L) {
  script_vm *vm = vm_of(L);
  const int state = lua_gettop(L);
  vm->out.assign("local handler, state, ctx = ...\nreturn ");
  append_runner(vm->out, vm->state.fields, false);
  vm->out.append(", ");
  append_runner(vm->out, vm->state.fields, true);
  if (luaL_loadbufferx(L, vm->out.data(), vm->out.size(), "=(host)", "t") != LUA_OK) lua_error(L);
  for (Handler &handler : vm->handlers) {
    lua_pushvalue(L, state + 1);
    lua_rawgeti(L, LUA_REGISTRYINDEX, handler.reference);
    lua_pushvalue(L, state);
    lua_rawgeti(L, LUA_REGISTRYINDEX, vm->context_ref);
    lua_call(L, 3, 2);
    handler.load_run = luaL_ref(L, LUA_REGISTRYINDEX);
    handler.run = luaL_ref(L, LUA_REGISTRYINDEX);
  }
  lua_settop(L, state);
}

// Whether a field still holds what the slot holds.
bool unchanged(lua_State *L, int index, const Slot &slot, uint32_t field) {
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      if (lua_isinteger(L, index)) return slot.kind == SlotKind::integer && lua_tointeger(L, index) == slot.integer;
      if (slot.kind != SlotKind::number) return false;
      {
        double number = lua_tonumber(L, index);
        return memcmp(&number, &slot.number, sizeof number) == 0;
      }
    case LUA_TSTRING: {
      if (slot.kind != SlotKind::text) return false;
      size_t length;
      const char *text = lua_tolstring(L, index, &length);
      return length == slot.text->count && memcmp(text, slot.text->bytes, length) == 0;
    }
    case LUA_TBOOLEAN: return slot.kind == (lua_toboolean(L, index) ? SlotKind::yes : SlotKind::no);
    case LUA_TNIL: return slot.kind == SlotKind::absent;
    case LUA_TLIGHTUSERDATA: return slot.kind == SlotKind::null && null_at(L, index);
    case LUA_TUSERDATA: {
      Handle *handle = handle_at(L, index);
      if (handle->index != field) return false;
      return (handle->kind == HandleKind::field && slot.kind == SlotKind::container) ||
             (handle->kind == HandleKind::statistic && slot.kind == SlotKind::statistic);
    }
    default: return false;
  }
}

// A number read from the view; its bits are those of a slot.
struct Number {
  SlotKind kind;
  union {
    int64_t integer;
    double number;
  };
};

}  // namespace

void view_open(lua_State *L) {
  script_vm *vm = vm_of(L);
  lua_newtable(L);
  static const luaL_Reg functions[] = {{"__index", state_index}, {"__newindex", state_newindex}, {nullptr, nullptr}};
  luaL_setfuncs(L, functions, 0);
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  lua_pushvalue(L, -1);
  vm->state_metatable_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  lua_createtable(L, 0, int(vm->state.fields.size()));
  lua_rotate(L, -2, 1);
  lua_setmetatable(L, -2);
  make_runners(L);
  vm->state_ref = luaL_ref(L, LUA_REGISTRYINDEX);
  vm->field_refs.clear();
  for (uint32_t i = 0; i < vm->state.fields.size(); i++) {
    auto handle = static_cast<Handle *>(lua_newuserdatauv(L, sizeof(Handle), 0));
    const bool holds_statistic = vm->state.defaults[i].kind == SlotKind::statistic;
    const HandleKind kind = holds_statistic ? HandleKind::statistic : HandleKind::field;
    *handle = {kind, i, 0, 1};
    lua_rawgeti(L, LUA_REGISTRYINDEX, vm->metatables[int(kind)]);
    lua_setmetatable(L, -2);
    vm->field_refs.push_back(luaL_ref(L, LUA_REGISTRYINDEX));
  }
  vm->loaded_key = StateStore::no_key;
}

bool view_is_state(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm_of(L)->state_metatable_ref);
  bool same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

#ifdef PIPELINE_BENCH
// What is left where nothing needs to be taken back: numbers are stored as they come.
static void view_store(lua_State *L, int first, KeyState &key, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (lua_type(L, first + int(i)) != LUA_TNUMBER) continue;
    Slot &slot = key.slots[i];
    if (lua_isinteger(L, first + int(i))) {
      slot.kind = SlotKind::integer;
      slot.integer = lua_tointeger(L, first + int(i));
    } else {
      slot.kind = SlotKind::number;
      slot.number = lua_tonumber(L, first + int(i));
    }
  }
}
#endif

// Takes fields over of which some are no numbers, or are none that state can hold.
[[gnu::noinline]] static void take_fields(lua_State *L, script_vm *vm, int first) {
  KeyState &key = vm->state.key(vm->key);
  const uint32_t count = uint32_t(vm->state.fields.size());
  bool changed = vm->state.changed(), reload = false;
  // Check and copy all before the first is stored: a refused one leaves everything as it was.
  vm->state.release_all(vm->accepted);
  vm->accepted.resize(count);
  for (uint32_t i = 0; i < count; i++) {
    int index = first + int(i);
    if (unchanged(L, index, key.slots[i], i)) continue;
    vm->path.assign("state.").append(vm->state.fields[i]);
    if (key.slots[i].kind == SlotKind::statistic)
      luaL_error(L, "%s is a statistic and can't be replaced; stats.add gives it a value, stats.reset empties it",
                 vm->path.c_str());
    vm->accepted[i] = slot_take(L, index, vm->path.c_str());
  }
  for (uint32_t i = 0; i < count; i++) {
    if (unchanged(L, first + int(i), key.slots[i], i)) continue;
    Slot &value = vm->accepted[i];
    // A table becomes the host's: the view shows a handle for it from now on.
    reload = reload || value.kind == SlotKind::container;
    vm->state.set_field(vm->key, i, value);
    value = Slot();
    changed = true;
  }
  if (changed) vm->state.mark_dirty(vm->key);
  if (reload) vm->loaded_key = StateStore::no_key;
}

// Takes the fields' values over: they stand from `first` on, or are pushed there by their names in the view.
template <bool pushes>
static inline __attribute__((always_inline)) void accept_fields(lua_State *L, int first, int state, int name) {
  script_vm *vm = vm_of(L);
  const KeyState &key = vm->state.key(vm->key);
  const uint32_t count = uint32_t(vm->state.fields.size());
#ifdef PIPELINE_BENCH
  if (!PROTECTED(UNDO)) {
    for (uint32_t i = 0; pushes && i < count; i++) {
      lua_pushvalue(L, name + int(i));
      lua_rawget(L, state);
    }
    view_store(L, first, vm->state.key(vm->key), count);
    return vm->state.mark_dirty(vm->key);
  }
#endif
  // Numbers are the usual case: read once, and stored when every field was found good.
  bool changed = vm->state.changed(), is_usual = true;
  Slot *slot = key.slots, *const end = slot + count;
  Number numbers[maximum_fields], *number = numbers;
  for (int index = first; slot < end; index++, slot++, number++) {
    if (pushes) lua_pushvalue(L, name++);
    const int type = pushes ? lua_rawget(L, state) : lua_type(L, index);
    if (type != LUA_TNUMBER) {
      is_usual = is_usual && unchanged(L, index, *slot, uint32_t(slot - key.slots));
      number->kind = SlotKind::absent;
      continue;
    }
    if (lua_isinteger(L, index)) {
      number->kind = SlotKind::integer;
      number->integer = lua_tointeger(L, index);
    } else {
      number->kind = SlotKind::number;
      number->number = lua_tonumber(L, index);
      is_usual &= std::isfinite(number->number);
    }
    is_usual &= slot->kind < SlotKind::text;
    changed |= slot->kind != number->kind || slot->integer != number->integer;
  }
  if (!is_usual) return take_fields(L, vm, first);
  if (!changed) return;
  for (slot = key.slots, number = numbers; slot < end; slot++, number++) {
    if (number->kind == SlotKind::absent) continue;
    slot->kind = number->kind;
    slot->integer = number->integer;
  }
  vm->state.mark_dirty(vm->key);
}

void view_accept(lua_State *L, int first) { accept_fields<false>(L, first, 0, 0); }

void view_read(lua_State *L, int first, int state, int names) { accept_fields<true>(L, first, state, names); }
