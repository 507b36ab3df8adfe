// stats: declaring statistics while a script loads, and using those of its state in handlers.

#include <cmath>

#include "handles.h"
#include "slots.h"

namespace {

struct Unit {
  const char *name;
  int64_t milliseconds;
};

// The number of milliseconds in a text such as "5m", 0 for what is none.
int64_t duration(const char *text) {
  static const Unit units[] = {{"d", 86400000}, {"h", 3600000}, {"m", 60000}, {"s", 1000}, {"ms", 1}};
  int64_t number = 0;
  const char *p = text;
  for (; *p >= '0' && *p <= '9'; p++) {
    if (number > 100000000000) return 0;
    number = number * 10 + (*p - '0');
  }
  if (p == text) return 0;
  for (const Unit &unit : units)
    if (std::strcmp(p, unit.name) == 0) return number * unit.milliseconds;
  return 0;
}

int64_t check_duration(lua_State *L, const char *name, const char *option) {
  const bool is_text = lua_type(L, -1) == LUA_TSTRING;
  const int64_t milliseconds = is_text ? duration(lua_tostring(L, -1)) : 0;
  constexpr int64_t longest = int64_t(366) * 86400000;
  if (milliseconds < 1 || milliseconds > longest)
    luaL_error(L, "stats.%s: %s: expected a duration up to a year such as \"5m\", got %s%s%s", name, option,
               is_text ? "\"" : "", is_text ? lua_tostring(L, -1) : script_type_name(L, -1), is_text ? "\"" : "");
  return milliseconds;
}

void read_option(lua_State *L, const char *name, StatisticSpec *spec) {
  const char *option = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
  if (std::strcmp(option, "count") == 0) {
    const bool needs_two = spec->kind == StatisticKind::rate || spec->kind == StatisticKind::zscore;
    const lua_Integer least = needs_two ? 2 : 1, most = StatisticSpec::largest_count;
    int is_integer = 0;
    const lua_Integer count = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &is_integer) : 0;
    if (!is_integer || count < least || count > most) {
      const char *got = lua_type(L, -1) == LUA_TNUMBER ? lua_tostring(L, -1) : script_type_name(L, -1);
      luaL_error(L, "stats.%s: count: expected a whole number from %I to %I, got %s", name, (LUAI_UACINT)least,
                 (LUAI_UACINT)most, got);
    }
    spec->count = uint32_t(count);
  } else if (std::strcmp(option, "over") == 0) {
    spec->over = check_duration(L, name, option);
  } else if (std::strcmp(option, "per") == 0 && spec->kind == StatisticKind::rate) {
    spec->per = check_duration(L, name, option);
  } else {
    luaL_error(L, "stats.%s: unknown option '%s'; it takes count or over%s", name,
               *option ? option : script_type_name(L, -2), spec->kind == StatisticKind::rate ? ", and per" : "");
  }
}

int declare(lua_State *L) {
  script_vm *vm = vm_of(L);
  StatisticSpec spec;
  spec.kind = StatisticKind(lua_tointeger(L, lua_upvalueindex(1)));
  const char *name = statistic_names[int(spec.kind)];
  if (!vm->loading)
    return luaL_error(L, "stats.%s is called while the script loads: M.state = { x = stats.%s { count = 14 } }", name,
                      name);
  if (lua_type(L, 1) != LUA_TTABLE)
    return luaL_error(L, "stats.%s: expected its options, { count = 14 } or { over = \"5m\" }, got %s", name,
                      lua_isnone(L, 1) ? "nothing" : script_type_name(L, 1));
  lua_settop(L, 1);
  lua_pushnil(L);
  while (lua_next(L, 1)) {
    read_option(L, name, &spec);
    lua_pop(L, 1);
  }
  if ((spec.count == 0) == (spec.over == 0))
    return luaL_error(L, "stats.%s: expected %s", name,
                      spec.count ? "count or over, got both" : "a window, count = 14 or over = \"5m\"");
  if (spec.largest_bytes() > vm->limits.state_size)
    return luaL_error(L, "stats.%s: a full window takes %I bytes of each key; the limit is 'state_size' (%I bytes)", name,
                      (LUAI_UACINT)spec.largest_bytes(), (LUAI_UACINT)vm->limits.state_size);
  handle_push(L, HandleKind::declaration, uint32_t(vm->statistics.size()), 0, 0);
  vm->statistics.push_back(spec);
  return 1;
}

// A statistic in the first argument of a function: where it is, and how texts call it.
struct Found {
  uint32_t index;
  const char *kind, *field;
};

Found statistic_at(lua_State *L, const char *function, bool to_write) {
  script_vm *vm = vm_of(L);
  const Handle *handle = handle_at(L, 1);
  if (!statistic_is(handle) || handle->kind == HandleKind::declaration)
    luaL_error(L, "stats.%s: expected a statistic of state, such as state.mean%s", function,
               statistic_is(handle) ? "; what stats.… { } returns is for M.state" : "");
  if (vm->loading) luaL_error(L, "stats.%s can only be called in a handler", function);
  if (handle->kind == HandleKind::statistic) {
    const uint32_t index = vm->state.key(vm->key).slots[handle->index].statistic;
    return {index, statistic_names[int(vm->state.statistic(index).spec.kind)], vm->state.fields[handle->index].c_str()};
  }
  if (handle->generation != vm->generation) luaL_error(L, "this view of a key's state belongs to an earlier call");
  if (to_write) luaL_error(L, "stats.%s: the statistics of other keys can only be read", function);
  return {handle->index, "", ""};
}

double check_value(lua_State *L, const Found &found, int argument, const char *what) {
  if (lua_type(L, argument) != LUA_TNUMBER)
    luaL_error(L, "stats.add: %s of %s '%s': expected a number, got %s%s", what, found.kind, found.field,
               lua_isnone(L, argument) ? "nothing" : script_type_name(L, argument),
               lua_type(L, argument) == LUA_TSTRING ? "; num(…) makes one of a text" : "");
  const double value = lua_tonumber(L, argument);
  if (!(std::fabs(value) <= Statistic::largest_value))
    luaL_error(L, "stats.add: %s of %s '%s': expected a number within 1e100, got %s", what, found.kind, found.field,
               std::isnan(value) ? "nan" : std::isinf(value) ? "infinity" : lua_tostring(L, argument));
  return value;
}

double time_in_hand(lua_State *L) {
  script_vm *vm = vm_of(L);
  return vm->info ? double(vm->info->time) : 0;
}

int push_value(lua_State *L, uint32_t index) {
  const Statistic &statistic = vm_of(L)->state.statistic(index);
  const double time = time_in_hand(L);
  script_charge(L, 1 + statistic.walked(time) / 4);
  double value;
  if (statistic.value(time, &value)) lua_pushnumber(L, value);
  else lua_pushnil(L);
  return 1;
}

int add(lua_State *L) {
  const Found found = statistic_at(L, "add", true);
  script_vm *vm = vm_of(L);
  const StatisticSpec &spec = vm->state.statistic(found.index).spec;
  const double value = check_value(L, found, 2, "the value");
  double weight = 0;
  if (spec.kind == StatisticKind::vwap) {
    weight = check_value(L, found, 3, "the volume");
    if (weight < 0)
      return luaL_error(L, "stats.add: the volume of vwap '%s': expected 0 or more, got %s", found.field,
                        lua_tostring(L, 3));
  } else if (!lua_isnoneornil(L, 3)) {
    return luaL_error(L, "stats.add: %s '%s' takes one number; only vwap takes a volume too", found.kind, found.field);
  }
  state_check_size(L, spec.width() * sizeof(double));
  const size_t touched = vm->state.add_to_statistic(found.index, time_in_hand(L), value, weight);
  script_charge(L, 2 + touched / 4);
  return push_value(L, found.index);
}

int value(lua_State *L) { return push_value(L, statistic_at(L, "value", false).index); }

int count(lua_State *L) {
  const Found found = statistic_at(L, "count", false);
  lua_pushinteger(L, lua_Integer(vm_of(L)->state.statistic(found.index).added()));
  return 1;
}

int reset(lua_State *L) {
  vm_of(L)->state.reset_statistic(statistic_at(L, "reset", true).index);
  return 0;
}

int no_value(lua_State *L) {
  return luaL_error(L, "a statistic is no number and has no fields; stats.value(…) gives its value");
}

}  // namespace

void stats_open(lua_State *L) {
  static const luaL_Reg refusals[] = {
    {"__index", no_value}, {"__newindex", no_value}, {"__lt", no_value},  {"__le", no_value},
    {"__add", no_value},   {"__sub", no_value},      {"__mul", no_value}, {"__div", no_value},
    {"__mod", no_value},   {"__pow", no_value},      {"__unm", no_value}, {"__idiv", no_value},
    {"__concat", no_value}, {"__len", no_value},     {nullptr, nullptr}};
  for (HandleKind kind : {HandleKind::declaration, HandleKind::statistic, HandleKind::statistic_view})
    handle_metatable(L, kind, refusals);
  if (vm_of(L)->profile != SCRIPT_PROFILE_SCRIPT) return;
  static const luaL_Reg functions[] = {
    {"add", add}, {"value", value}, {"count", count}, {"reset", reset}, {nullptr, nullptr}};
  luaL_newlib(L, functions);
  for (int kind = 0; kind < statistic_kinds; kind++) {
    lua_pushinteger(L, kind);
    lua_pushcclosure(L, declare, 1);
    lua_setfield(L, -2, statistic_names[kind]);
  }
  lua_setglobal(L, "stats");
}
