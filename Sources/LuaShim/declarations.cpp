// What a script declares while it loads: its state, handlers, keys and rules.

#include <algorithm>

#include "vm_internal.h"

namespace {

void read_fields(lua_State *L, int module) {
  script_vm *vm = vm_of(L);
  std::vector<std::string> &fields = vm->state.fields;
  if (lua_getfield(L, module, "state") == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  if (!lua_istable(L, -1)) luaL_error(L, "M.state: expected a table of fields with defaults, got %s", luaL_typename(L, -1));
  int table = lua_gettop(L);
  lua_pushnil(L);
  while (lua_next(L, table)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      luaL_error(L, "M.state: field names must be text, got a %s; declare a field = {} for a list", luaL_typename(L, -2));
    size_t length;
    const char *name = lua_tolstring(L, -2, &length);
    if (length == 0 || length > 64) luaL_error(L, "M.state: a field's name must have 1 to 64 bytes");
    if (fields.size() == maximum_fields)
      luaL_error(L, "M.state: more than %d fields; declare one field = {} and keep the rest in it", int(maximum_fields));
    fields.emplace_back(name, length);
    lua_pop(L, 1);
  }
  std::sort(fields.begin(), fields.end());
  vm->state.defaults.resize(fields.size());
  for (size_t i = 0; i < fields.size(); i++) {
    lua_pushlstring(L, fields[i].data(), fields[i].size());
    lua_rawget(L, table);
    vm->path.assign("M.state.").append(fields[i]);
    vm->state.defaults[i] = values_to_slot(L, lua_gettop(L), vm->path.c_str());
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
      luaL_error(L, "M.key: expected the path of a field (\"data.s\"), a table of paths by input, or a function; got %s",
                 luaL_typename(L, -1));
  }
  lua_pop(L, 1);
}

void read_group(lua_State *L, int module, const char *group) {
  script_vm *vm = vm_of(L);
  if (lua_getfield(L, module, group) == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  if (!lua_istable(L, -1)) luaL_error(L, "M.%s: expected a table of functions, got %s", group, luaL_typename(L, -1));
  int table = lua_gettop(L);
  size_t first = vm->handlers.size();
  lua_pushnil(L);
  while (lua_next(L, table)) {
    if (lua_type(L, -2) != LUA_TSTRING || !lua_isfunction(L, -1)) {
      lua_pushvalue(L, -2);
      const char *name = lua_tostring(L, -1);
      luaL_error(L, "M.%s.%s: expected a function, got %s", group, name ? name : "?", luaL_typename(L, -2));
    }
    vm->handlers.push_back({group, lua_tostring(L, -2), luaL_ref(L, LUA_REGISTRYINDEX), LUA_NOREF, LUA_NOREF, "",
                            LUA_NOREF});
  }
  lua_pop(L, 1);
  std::sort(vm->handlers.begin() + long(first), vm->handlers.end(),
            [](const Handler &a, const Handler &b) { return a.name < b.name; });
  if (std::string(group) == "on")
    for (size_t i = first; i < vm->handlers.size(); i++) read_key(L, module, &vm->handlers[i]);
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

// --- Rules

int rule_check(lua_State *L) {
  Handle *handle = values_handle(L, 1);
  if (!handle || handle->kind != HandleKind::rule) return luaL_typeerror(L, 1, "rule (call it as rule:check(value))");
  script_vm *vm = vm_of(L);
  if (vm->loading) return luaL_error(L, "a rule can only be checked in a handler");
  if (lua_type(L, 2) != LUA_TNUMBER) {
    if (lua_isnoneornil(L, 2) || values_is_null(L, 2)) return 0;
    return luaL_error(L, "rule:check: expected a number, got %s; num(…) makes one of a text", luaL_typename(L, 2));
  }
  double value = lua_tonumber(L, 2);
  script_text data = {nullptr, 0};
  int32_t truth = -1;
  if (vm->rule_when_refs[handle->index] != LUA_NOREF) {
    lua_settop(L, 3);
    lua_rawgeti(L, LUA_REGISTRYINDEX, vm->rule_when_refs[handle->index]);
    lua_pushnumber(L, value);
    lua_pushvalue(L, 3);
    lua_call(L, 2, 1);
    truth = lua_toboolean(L, -1);
    lua_settop(L, 3);
  }
  if (!lua_isnoneornil(L, 3)) {
    vm->out.clear();
    vm->path.assign("data");
    encode_value(L, 3, vm->limits.nesting);
    data = {vm->out.data(), vm->out.size()};
  }
  script_call call = {vm->message, vm->key, vm->info->time, vm->sequence, vm->info->replayed};
  script_text reason = {nullptr, 0};
  switch (vm->host.check(vm->host.context, handle->index, call, value, truth, data, &reason)) {
    case SCRIPT_VERDICT_NOTHING: return 0;
    case SCRIPT_VERDICT_REFUSE:
      lua_pushlstring(L, reason.bytes, reason.count);
      return luaL_error(L, "%s", lua_tostring(L, -1));
    case SCRIPT_VERDICT_DESCRIBE: break;
  }
  int text = vm->rule_text_refs[handle->index];
  if (text == LUA_NOREF) {
    vm->host.describe(vm->host.context, handle->index, call, {nullptr, 0});
    return 0;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, text);
  lua_pushnumber(L, value);
  lua_pushvalue(L, 3);
  lua_call(L, 2, 1);
  size_t length;
  if (lua_type(L, -1) != LUA_TSTRING) return luaL_error(L, "the rule's text function must return text, got %s", luaL_typename(L, -1));
  const char *bytes = lua_tolstring(L, -1, &length);
  if (!json_valid_utf8(bytes, length)) return luaL_error(L, "the rule's text is not valid UTF-8");
  vm->host.describe(vm->host.context, handle->index, call, {bytes, length});
  return 0;
}

int rule_declare(lua_State *L) {
  script_vm *vm = vm_of(L);
  if (!vm->loading) return luaL_error(L, "alert.rule can only be called while the script loads; keep its result in a local");
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  // A copy without the functions, which stay here; the host learns their names.
  int references[] = {LUA_NOREF, LUA_NOREF};
  static const char *const names[] = {"text", "when"};
  lua_newtable(L);
  lua_newtable(L);
  lua_Integer functions = 0;
  for (int i = 0; i < 2; i++) {
    if (lua_getfield(L, 1, names[i]) == LUA_TFUNCTION) {
      references[i] = luaL_ref(L, LUA_REGISTRYINDEX);
      lua_pushstring(L, names[i]);
      lua_rawseti(L, 3, ++functions);
    } else {
      lua_pop(L, 1);
    }
  }
  if (functions > 0) lua_setfield(L, 2, "$functions");
  lua_settop(L, 2);
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    bool is_kept = false;
    for (int i = 0; i < 2; i++)
      is_kept = is_kept || (references[i] != LUA_NOREF && lua_type(L, -2) == LUA_TSTRING &&
                            strcmp(lua_tostring(L, -2), names[i]) == 0);
    if (is_kept) {
      lua_pop(L, 1);
      continue;
    }
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, 2);
  }
  vm->out.assign("[");
  vm->path.assign("alert.rule");
  encode_value(L, 2, vm->limits.nesting);
  vm->out.push_back(']');
  uint32_t index = vm->rules_declared;
  if (!vm->loaded) {
    if (vm->rule_function == UINT32_MAX) return luaL_error(L, "there are no rules here");
    script_text result = {nullptr, 0};
    script_call call = {0, 0, 0, 0, false};
    if (!vm->host.call(vm->host.context, vm->rule_function, call, {vm->out.data(), vm->out.size()}, &result)) {
      lua_pushlstring(L, result.bytes, result.count);
      return luaL_error(L, "alert.rule: %s", lua_tostring(L, -1));
    }
    vm->rule_count++;
  } else if (index >= vm->rule_count) {
    return luaL_error(L, "alert.rule: the script declares other rules than at its first loading");
  }
  vm->rules_declared++;
  vm->rule_text_refs.push_back(references[0]);
  vm->rule_when_refs.push_back(references[1]);
  auto handle = static_cast<Handle *>(lua_newuserdatauv(L, sizeof(Handle), 0));
  *handle = {HandleKind::rule, index, 0, 0};
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm->metatables[int(HandleKind::rule)]);
  lua_setmetatable(L, -2);
  return 1;
}

}  // namespace

void rule_open(lua_State *L) {
  script_vm *vm = vm_of(L);
  vm->rule_text_refs.clear();
  vm->rule_when_refs.clear();
  vm->rules_declared = 0;
  lua_newtable(L);
  lua_newtable(L);
  lua_pushcfunction(L, rule_check);
  lua_setfield(L, -2, "check");
  lua_setfield(L, -2, "__index");
  lua_pushboolean(L, false);
  lua_setfield(L, -2, "__metatable");
  vm->metatables[int(HandleKind::rule)] = luaL_ref(L, LUA_REGISTRYINDEX);
  if (vm->profile != SCRIPT_PROFILE_SCRIPT) return;
  lua_newtable(L);
  lua_pushcfunction(L, rule_declare);
  lua_setfield(L, -2, "rule");
  lua_setglobal(L, "alert");
}

void declarations_read(lua_State *L, int module) {
  script_vm *vm = vm_of(L);
  if (!lua_istable(L, module))
    luaL_error(L, "%s: expected the script to return a table (local M = {} … return M), got %s", vm->name.c_str(),
               luaL_typename(L, module));
  vm->handlers.clear();
  if (!vm->loaded) read_fields(L, module);
  for (const char *group : {"on", "actions", "events"}) read_group(L, module, group);
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
  out.append(",\"state\":{");
  for (size_t i = 0; i < vm->state.fields.size(); i++) {
    if (i) out.push_back(',');
    append_json_text(out, vm->state.fields[i].data(), vm->state.fields[i].size());
    out.push_back(':');
    vm->state.write_slot(vm->state.defaults[i], out);
  }
  bool keyed = false;
  for (const Handler &handler : vm->handlers) keyed = keyed || !handler.key_path.empty() || handler.key_function != LUA_NOREF;
  out.append("},\"keyed\":").append(keyed ? "true" : "false").append("}");
}
