// What a script declares while it loads: its state, handlers and keys.

#include "declarations.h"

#include <algorithm>

#include "encode.h"
#include "handles.h"
#include "message_table.h"
#include "slots.h"
#include "view.h"

namespace {

void read_fields(lua_State *L, int module) {
  script_vm *vm = vm_of(L);
  std::vector<std::string> &fields = vm->state.fields;
  if (lua_getfield(L, module, "state") == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  if (!lua_istable(L, -1))
    luaL_error(L, "M.state: expected a table of fields with defaults, got %s", script_type_name(L, -1));
  int table = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "M.state: field names must be text, got a %s; declare a field = {} for a list",
                 script_type_name(L, -2));
    size_t length;
    const char *name = lua_tolstring(L, -2, &length);
    if (length == 0 || length > 64) luaL_error(L, "M.state: a field's name must have 1 to 64 bytes");
    if (fields.size() == maximum_fields)
      luaL_error(L, "M.state: more than %d fields; declare one field = {} and keep the rest in it",
                 int(maximum_fields));
    fields.emplace_back(name, length);
    lua_pop(L, 1);
  }
  std::sort(fields.begin(), fields.end());
  vm->state.defaults.resize(fields.size());
  for (size_t i = 0; i < fields.size(); i++) {
    lua_pushlstring(L, fields[i].data(), fields[i].size());
    lua_rawget(L, table);
    vm->path.assign("M.state.").append(fields[i]);
    const Handle *handle = handle_at(L, -1);
    if (handle && handle->kind == HandleKind::declaration) {
      vm->state.defaults[i].kind = SlotKind::statistic;
      vm->state.defaults[i].statistic =
        vm->state.make_statistic(vm->statistics[handle->index], StateStore::no_key);
    } else {
      vm->state.defaults[i] = slot_take(L, lua_gettop(L), vm->path.c_str());
    }
    if (vm->state.defaults[i].kind == SlotKind::container)
      vm->state.container(vm->state.defaults[i].container).attached = true;
    lua_pop(L, 1);
  }
  vm->state.accept();
  lua_pop(L, 1);
}

// M.key, for one input: a path for all, a path or a function each.
void read_key(lua_State *L, int module, Handler *handler) {
  if (lua_getfield(L, module, "key") == LUA_TTABLE) {
    lua_pushlstring(L, handler->name.data(), handler->name.size());
    lua_rawget(L, -2);
    lua_remove(L, -2);
  }
  switch (lua_type(L, -1)) {
    case LUA_TNIL: break;
    case LUA_TSTRING: handler->key_path = lua_tostring(L, -1); break;
    case LUA_TFUNCTION:
      handler->key_function = luaL_ref(L, LUA_REGISTRYINDEX);
      return;
    default:
      luaL_error(L,
                 "M.key: expected the path of a field (\"data.s\"), a table of paths by input, or a function; got %s",
                 script_type_name(L, -1));
  }
  lua_pop(L, 1);
}

void read_group(lua_State *L, int module, const char *group) {
  script_vm *vm = vm_of(L);
  if (lua_getfield(L, module, group) == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  if (!lua_istable(L, -1)) luaL_error(L, "M.%s: expected a table of functions, got %s", group, script_type_name(L, -1));
  int table = lua_gettop(L);
  size_t first = vm->handlers.size();
  lua_pushnil(L);
  while (lua_next(L, table)) {
    if (lua_type(L, -2) != LUA_TSTRING || !lua_isfunction(L, -1)) {
      lua_pushvalue(L, -2);
      const char *name = lua_tostring(L, -1);
      luaL_error(L, "M.%s.%s: expected a function, got %s", group, name ? name : "?", script_type_name(L, -2));
    }
    vm->handlers.push_back({group, lua_tostring(L, -2), luaL_ref(L, LUA_REGISTRYINDEX), LUA_NOREF, LUA_NOREF, "",
                            LUA_NOREF});
  }
  lua_pop(L, 1);
  std::sort(vm->handlers.begin() + long(first), vm->handlers.end(),
            [](const Handler &a, const Handler &b) { return a.name < b.name; });
  if (std::string(group) != "on") return;
  for (size_t i = first; i < vm->handlers.size(); i++) {
    read_key(L, module, &vm->handlers[i]);
    message_table_open(L, &vm->handlers[i]);
  }
}

void append_names(std::string &out, const char *label, const script_vm *vm, const char *group) {
  append_json_text(out, label, strlen(label));
  out.append(":[");
  bool first = true;
  for (const Handler &handler : vm->handlers) {
    if (handler.group != group) continue;
    if (!first) out.push_back(',');
    first = false;
    append_json_text(out, handler.name.data(), handler.name.size());
  }
  out.push_back(']');
}

// M.migrate, which is no handler: it runs before any.
void read_migration(lua_State *L, int module) {
  script_vm *vm = vm_of(L);
  vm->migrate_ref = LUA_NOREF;
  switch (lua_getfield(L, module, "migrate")) {
    case LUA_TNIL: lua_pop(L, 1); return;
    case LUA_TFUNCTION: vm->migrate_ref = luaL_ref(L, LUA_REGISTRYINDEX); return;
    default: luaL_error(L, "M.migrate: expected a function of the old state, got %s", script_type_name(L, -1));
  }
}

// A list of the module's as plain data; what it may hold is the host's business.
void append_list(lua_State *L, int module, const char *name, std::string &out) {
  script_vm *vm = vm_of(L);
  if (lua_getfield(L, module, name) == LUA_TNIL) {
    out.append("[]");
  } else {
    vm->out.clear();
    vm->path.assign("M.").append(name);
    encode_value(L, lua_gettop(L), vm->limits.nesting);
    out.append(vm->out);
  }
  lua_pop(L, 1);
}

// M.timers as plain data; what it may hold is the host's business.
void append_timers(lua_State *L, int module, std::string &out) {
  script_vm *vm = vm_of(L);
  if (lua_getfield(L, module, "timers") == LUA_TNIL) {
    out.append("{}");
  } else {
    vm->out.clear();
    vm->path.assign("M.timers");
    encode_value(L, lua_gettop(L), vm->limits.nesting);
    out.append(vm->out);
  }
  lua_pop(L, 1);
}

}  // namespace

void declarations_read(lua_State *L, int module) {
  script_vm *vm = vm_of(L);
  if (!lua_istable(L, module))
    luaL_error(L, "%s: expected the script to return a table (local M = {} … return M), got %s", vm->name.c_str(),
               script_type_name(L, module));
  vm->handlers.clear();
  if (!vm->loaded) read_fields(L, module);
  for (const char *group : {"on", "actions", "events"}) read_group(L, module, group);
  read_migration(L, module);
  view_open(L);
  if (vm->loaded) return;
  std::string &out = vm->result;
  out.assign("{");
  append_names(out, "inputs", vm, "on");
  out.push_back(',');
  append_names(out, "actions", vm, "actions");
  out.push_back(',');
  append_names(out, "events", vm, "events");
  out.append(",\"timers\":");
  append_timers(L, module, out);
  out.append(",\"dropped\":");
  append_list(L, module, "dropped", out);
  out.append(",\"state\":{");
  for (size_t i = 0; i < vm->state.fields.size(); i++) {
    if (i) out.push_back(',');
    append_json_text(out, vm->state.fields[i].data(), vm->state.fields[i].size());
    out.push_back(':');
    vm->state.write_slot(vm->state.defaults[i], out);
  }
  bool keyed = false;
  for (const Handler &handler : vm->handlers)
    keyed = keyed || !handler.key_path.empty() || handler.key_function != LUA_NOREF;
  out.append("},\"keyed\":").append(keyed ? "true" : "false").append(",\"keys\":{");
  bool first = true;
  for (const Handler &handler : vm->handlers) {
    const bool has_function = handler.key_function != LUA_NOREF;
    if (handler.key_path.empty() && !has_function) continue;
    if (!first) out.push_back(',');
    first = false;
    append_json_text(out, handler.name.data(), handler.name.size());
    out.push_back(':');
    // What a function finds is known to the script alone.
    if (has_function) out.append("true");
    else append_json_text(out, handler.key_path.data(), handler.key_path.size());
  }
  out.append("}}");
}
