// Rules: declared while the script loads, judged by the host when a handler checks a value.

#include "rules.h"

#include "encode.h"
#include "handles.h"
#include "protections.h"
#include "rehearsal.h"

namespace {

// Notes a value that is nothing new to the host; false for one that it has to judge. Behind the first that it judged all
// of a run go there: so each side's changes are taken back as a whole.
inline __attribute__((always_inline)) bool note_value(script_vm *vm, uint32_t rule, double value) {
  if (vm->judged || vm->twice || rule >= vm->bands.size()) return false;
  const RuleBands &bands = vm->bands[rule];
  const script_message_info *info = vm->info;
  if (vm->key >= bands.count || !info || info->replayed || info->late) return false;
  script_band &band = bands.bands[vm->key];
  if (!(value >= band.low && value <= band.high)) return false;
  if (info->time < band.time || info->time == INT64_MAX || band.source != vm->source_number) return false;
  if (PROTECTED(UNDO)) {
    if (vm->noted_count == vm->noted.size()) vm->noted.resize(vm->noted_count * 2 + 8);
    vm->noted[vm->noted_count++] = {rule, vm->key, band.value, band.time};
  }
  band.value = value;
  band.time = info->time;
  return true;
}

// Has the host judge a value; the data, if there are any, are the third argument.
[[gnu::noinline]] int judge(lua_State *L, script_vm *vm, uint32_t rule, double value) {
  script_text data = {nullptr, 0};
  int32_t truth = -1;
  if (vm->rule_when_refs[rule] != LUA_NOREF) {
    lua_settop(L, 3);
    lua_rawgeti(L, LUA_REGISTRYINDEX, vm->rule_when_refs[rule]);
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
  if (vm->twice) {
    const std::string number = std::to_string(value);
    rehearsal_note(vm, "rule:check ", number + (data.count ? " " + vm->out : std::string()));
  }
  const script_call call = vm_call(vm);
  script_text reason = {nullptr, 0};
  vm->judged = true;
  switch (vm->host.check(vm->host.context, rule, call, value, truth, data, &reason)) {
    case SCRIPT_VERDICT_NOTHING: return 0;
    case SCRIPT_VERDICT_REFUSE:
      lua_pushlstring(L, reason.bytes, reason.count);
      return luaL_error(L, "%s", lua_tostring(L, -1));
    case SCRIPT_VERDICT_DESCRIBE: break;
  }
  lua_settop(L, 3);
  rule_describe(L, rule, call, value);
  return 0;
}

int rule_check(lua_State *L) {
  Handle *handle = handle_at(L, 1);
  if (!handle || handle->kind != HandleKind::rule) return script_type_error(L, 1, "rule (call it as rule:check(value))");
  script_vm *vm = vm_of(L);
  if (vm->loading || vm->migrating) return luaL_error(L, "a rule can only be checked in a handler");
  if (lua_type(L, 2) != LUA_TNUMBER) {
    if (lua_isnoneornil(L, 2) || null_at(L, 2)) return 0;
    return luaL_error(L, "rule:check: expected a number, got %s; num(…) makes one of a text", script_type_name(L, 2));
  }
  const double value = lua_tonumber(L, 2);
  if (lua_gettop(L) == 2 && note_value(vm, handle->index, value)) return 0;
  return judge(L, vm, handle->index, value);
}

int rule_declare(lua_State *L) {
  script_vm *vm = vm_of(L);
  if (!vm->loading)
    return luaL_error(L, "alert.rule can only be called while the script loads; keep its result in a local");
  script_check_type(L, 1, LUA_TTABLE);
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
    const script_call call = {};
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

void rule_describe(lua_State *L, uint32_t rule, script_call call, double value) {
  script_vm *vm = vm_of(L);
  const int function = vm->rule_text_refs[rule];
  if (function == LUA_NOREF) {
    vm->host.describe(vm->host.context, rule, call, {nullptr, 0});
    return;
  }
  lua_rawgeti(L, LUA_REGISTRYINDEX, function);
  lua_pushnumber(L, value);
  lua_pushvalue(L, -3);
  lua_call(L, 2, 1);
  if (lua_type(L, -1) != LUA_TSTRING)
    luaL_error(L, "the rule's text function must return text, got %s", script_type_name(L, -1));
  size_t length;
  const char *bytes = lua_tolstring(L, -1, &length);
  if (!json_valid_utf8(bytes, length)) luaL_error(L, "the rule's text is not valid UTF-8");
  if (vm->twice) rehearsal_note(vm, "the alert's text ", std::string(bytes, length));
  vm->host.describe(vm->host.context, rule, call, {bytes, length});
}

void rules_undo(script_vm *vm) {
  while (vm->noted_count > 0) {
    const NotedValue &noted = vm->noted[--vm->noted_count];
    script_band &band = vm->bands[noted.rule].bands[noted.key];
    band.value = noted.value;
    band.time = noted.time;
  }
}

void script_vm_set_bands(script_vm *vm, uint32_t rule, script_band *bands, uint32_t count) {
  if (rule >= vm->bands.size()) vm->bands.resize(rule + 1);
  vm->bands[rule] = {bands, count};
}

void rules_open(lua_State *L) {
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
