// math.random, seeded for each script. What it drew is part of undo.

#include "library.h"
#include "sandbox.h"

namespace {

uint64_t rotate(uint64_t x, int k) { return x << k | x >> (64 - k); }

uint64_t random_next(Random *random) {
  uint64_t *s = random->words, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate(s[3], 45);
  return result;
}

int math_random(lua_State *L) {
  Random *random = &vm_of(L)->random;
  lua_Integer low = 1, high;
  switch (lua_gettop(L)) {
    case 0: lua_pushnumber(L, double(random_next(random) >> 11) * 0x1p-53); return 1;
    case 1:
      high = script_check_integer(L, 1);
      if (high == 0) return lua_pushinteger(L, lua_Integer(random_next(random))), 1;
      break;
    case 2:
      low = script_check_integer(L, 1);
      high = script_check_integer(L, 2);
      break;
    default: return luaL_error(L, "wrong number of arguments");
  }
  luaL_argcheck(L, low <= high, lua_gettop(L), "interval is empty");
  uint64_t range = uint64_t(high) - uint64_t(low), drawn;
  uint64_t mask = range;
  for (int shift = 1; shift < 64; shift *= 2) mask |= mask >> shift;
  do drawn = random_next(random) & mask;
  while (drawn > range);
  lua_pushinteger(L, lua_Integer(drawn + uint64_t(low)));
  return 1;
}

}  // namespace

void random_open(lua_State *L) {
  lua_pushcfunction(L, math_random);
  lua_setfield(L, -2, "random");
}
