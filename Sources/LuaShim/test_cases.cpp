// The tests of a test file: collected by it(…), run one by one.

#include "library.h"
#include "sandbox.h"

namespace {

int test_it(lua_State *L) {
  script_vm *vm = vm_of(L);
  if (!vm->loading) return luaL_error(L, "it(…) can't stand inside a test");
  size_t length;
  const char *name = script_check_text(L, 1, &length);
  script_check_type(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  int reference = luaL_ref(L, LUA_REGISTRYINDEX);
  vm->tests.push_back({std::string(name, length), script_vm_calling_line(vm), reference});
  return 0;
}

struct TestRun {
  uint32_t test;
};

int run_test(lua_State *L) {
  auto data = static_cast<TestRun *>(lua_touserdata(L, 1));
  script_vm *vm = vm_of(L);
  vm_start_message(vm);
  lua_rawgeti(L, LUA_REGISTRYINDEX, vm->tests[data->test].reference);
  lua_call(L, 0, 0);
  return 0;
}

}  // namespace

void test_cases_open(lua_State *L) {
  lua_pushcfunction(L, test_it);
  lua_setfield(L, -2, "it");
}

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
