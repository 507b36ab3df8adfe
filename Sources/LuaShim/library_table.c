// The `table` library (Lua 5.4 manual, section 6.6) over plain tables and the host's handles. Items are read
// and written raw, so no metamethod can lie about a length or swallow a write.

#include "library.h"

#include <limits.h>
#include <string.h>

static int table_concat(lua_State *L) {
  size_t separator_length;
  uint64_t work = 0;
  script_check_table(L, 1);
  const char *separator = script_optional_text(L, 2, "", &separator_length);
  lua_Integer i = script_optional_integer(L, 3, 1);
  lua_Integer last = lua_isnoneornil(L, 4) ? script_length(L, 1) : script_check_integer(L, 4);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  if (i <= last) {
    for (;;) {
      size_t length;
      script_get_item(L, 1, i);
      int type = lua_type(L, -1);
      if (type == LUA_TSTRING) {
        length = lua_rawlen(L, -1);
      } else if (type == LUA_TNUMBER) {
        lua_tolstring(L, -1, &length);
      } else {
        return luaL_error(
            L, "invalid value (%s) at index %I in table for 'concat'", script_type_name(L, -1), (LUAI_UACINT)i);
      }
      work += 1 + (length + separator_length) / SCRIPT_BYTES_PER_STEP;
      if (work >= 64) {
        script_charge(L, work);
        work = 0;
      }
      script_check_text_length(L, luaL_bufflen(&b) + length + separator_length, "concat");
      luaL_addvalue(&b);
      if (i == last) break;
      luaL_addlstring(&b, separator, separator_length);
      i++;
    }
  }
  if (work > 16) script_charge(L, work);
  luaL_pushresult(&b);
  return 1;
}

// Charges for items about to be moved.
static void charge_moves(lua_State *L, lua_Unsigned count) {
  if (count > 0) script_charge(L, count);
}

static int table_insert(lua_State *L) {
  script_check_table(L, 1);
  lua_Integer end = (lua_Integer)((lua_Unsigned)script_length(L, 1) + 1);
  switch (lua_gettop(L)) {
    case 2:
      script_set_item(L, 1, end);
      return 0;
    case 3: {
      lua_Integer position = script_check_integer(L, 2);
      luaL_argcheck(L, (lua_Unsigned)position - 1 < (lua_Unsigned)end, 2, "position out of bounds");
      charge_moves(L, (lua_Unsigned)(end - position));
      for (lua_Integer i = end; i > position; i--) {
        script_get_item(L, 1, i - 1);
        script_set_item(L, 1, i);
      }
      script_set_item(L, 1, position);
      return 0;
    }
    default: return luaL_error(L, "wrong number of arguments to 'insert'");
  }
}

static int table_remove(lua_State *L) {
  script_check_table(L, 1);
  lua_Integer length = script_length(L, 1);
  lua_Integer position = script_optional_integer(L, 2, length);
  if (position != length) {
    luaL_argcheck(
        L, (lua_Unsigned)position - 1 <= (lua_Unsigned)length, 2, "position out of bounds");
  }
  script_get_item(L, 1, position);
  if (position < length) charge_moves(L, (lua_Unsigned)(length - position));
  for (; position < length; position++) {
    script_get_item(L, 1, position + 1);
    script_set_item(L, 1, position);
  }
  lua_pushnil(L);
  script_set_item(L, 1, position);
  return 1;
}

static bool is_same_table(lua_State *L, int a, int b) {
  if (lua_rawequal(L, a, b)) return true;
  // Two handles may stand for one container: the VM's own `__eq` knows.
  return lua_type(L, a) == LUA_TUSERDATA && lua_type(L, b) == LUA_TUSERDATA && lua_compare(L, a, b, LUA_OPEQ);
}

static int table_move(lua_State *L) {
  lua_Integer first = script_check_integer(L, 2);
  lua_Integer last = script_check_integer(L, 3);
  lua_Integer to = script_check_integer(L, 4);
  int target = lua_isnoneornil(L, 5) ? 1 : 5;
  script_check_table(L, 1);
  script_check_table(L, target);
  if (last >= first) {
    luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
    lua_Integer count = last - first + 1;
    luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
    charge_moves(L, (lua_Unsigned)count);
    // Backwards where the target begins inside the source, or items would be overwritten before their move.
    if (to > first && to <= last && is_same_table(L, 1, target)) {
      for (lua_Integer i = count - 1; i >= 0; i--) {
        script_get_item(L, 1, first + i);
        script_set_item(L, target, to + i);
      }
    } else {
      for (lua_Integer i = 0; i < count; i++) {
        script_get_item(L, 1, first + i);
        script_set_item(L, target, to + i);
      }
    }
  }
  lua_pushvalue(L, target);
  return 1;
}

static int table_pack(lua_State *L) {
  int count = lua_gettop(L);
  if (count > 16) script_charge(L, (uint64_t)count);
  lua_createtable(L, count, 1);
  lua_insert(L, 1);
  for (int i = count; i >= 1; i--) lua_rawseti(L, 1, i);
  lua_pushliteral(L, "n");
  lua_pushinteger(L, count);
  lua_rawset(L, 1);
  return 1;
}

static int table_unpack(lua_State *L) {
  script_check_table(L, 1);
  lua_Integer first = script_optional_integer(L, 2, 1);
  lua_Integer last = lua_isnoneornil(L, 3) ? script_length(L, 1) : script_check_integer(L, 3);
  if (first > last) return 0;
  lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;  // one less, lest it wraps around
  if (count >= SCRIPT_RESULTS_LIMIT) return luaL_error(L, "too many results to unpack");
  count++;
  if (count > 16) script_charge(L, count);
  if (!lua_checkstack(L, (int)count)) return luaL_error(L, "too many results to unpack");
  for (lua_Unsigned i = 0; i < count; i++) script_get_item(L, 1, (lua_Integer)((lua_Unsigned)first + i));
  return (int)count;
}

// --- sort: quicksort with a bound on its depth, then heapsort ---------------------------------------------
// An order function that contradicts itself gives some order or an error, never an access outside the range,
// and at most O(n log n) calls. What raises leaves the table with the items it had.

#define SMALL_RANGE 12  // sorted by insertion, on the Lua stack

// Whether the value at stack index `a` comes before the one at `b`.
static bool comes_before(lua_State *L, int a, int b) {
  if (lua_type(L, 2) == LUA_TFUNCTION) {
    script_charge(L, 1);
    a = lua_absindex(L, a);
    b = lua_absindex(L, b);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, a);
    lua_pushvalue(L, b);
    lua_call(L, 2, 1);
    bool before = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return before;
  }
  if (lua_type(L, a) == LUA_TSTRING && lua_type(L, b) == LUA_TSTRING) {
    size_t a_length, b_length;
    const char *a_text = lua_tolstring(L, a, &a_length);
    const char *b_text = lua_tolstring(L, b, &b_length);
    size_t common = a_length < b_length ? a_length : b_length;
    script_charge(L, 1 + common / SCRIPT_BYTES_PER_STEP);
    int order = memcmp(a_text, b_text, common);
    return order != 0 ? order < 0 : a_length < b_length;
  }
  script_charge(L, 1);
  return lua_compare(L, a, b, LUA_OPLT);
}

static void swap_items(lua_State *L, lua_Integer i, lua_Integer j) {
  script_get_item(L, 1, i);
  script_get_item(L, 1, j);
  script_set_item(L, 1, i);
  script_set_item(L, 1, j);
}

// Orders two items of the table.
static void order_items(lua_State *L, lua_Integer low, lua_Integer high) {
  script_get_item(L, 1, low);
  script_get_item(L, 1, high);
  if (comes_before(L, -1, -2)) {
    script_set_item(L, 1, low);
    script_set_item(L, 1, high);
  } else {
    lua_pop(L, 2);
  }
}

static void sort_small(lua_State *L, lua_Integer low, lua_Integer high) {
  int base = lua_gettop(L);
  for (lua_Integer i = low; i <= high; i++) {
    script_get_item(L, 1, i);
    int low_place = base + 1;
    int high_place = lua_gettop(L);
    while (low_place < high_place) {  // binary search for its place among those before it
      int middle = (low_place + high_place) / 2;
      if (comes_before(L, -1, middle)) {
        high_place = middle;
      } else {
        low_place = middle + 1;
      }
    }
    lua_insert(L, low_place);
  }
  for (lua_Integer i = high; i >= low; i--) script_set_item(L, 1, i);
}

// Moves the item at `root` of the heap in low...low+count-1 down to its place.
static void sift_down(lua_State *L, lua_Integer low, lua_Integer root, lua_Integer count) {
  for (;;) {
    lua_Integer child = 2 * root + 1;
    if (child >= count) return;
    script_get_item(L, 1, low + child);
    if (child + 1 < count) {
      script_get_item(L, 1, low + child + 1);
      if (comes_before(L, -2, -1)) {
        lua_remove(L, -2);
        child++;
      } else {
        lua_pop(L, 1);
      }
    }
    script_get_item(L, 1, low + root);
    if (!comes_before(L, -1, -2)) {
      lua_pop(L, 2);
      return;
    }
    script_set_item(L, 1, low + child);
    script_set_item(L, 1, low + root);
    root = child;
  }
}

static void sort_by_heap(lua_State *L, lua_Integer low, lua_Integer high) {
  lua_Integer count = high - low + 1;
  for (lua_Integer root = count / 2 - 1; root >= 0; root--) sift_down(L, low, root, count);
  while (--count > 0) {
    swap_items(L, low, low + count);
    sift_down(L, low, 0, count);
  }
}

// Parts a range in two, everything left not after everything right. Returns the last index on the left.
static lua_Integer part_range(lua_State *L, lua_Integer low, lua_Integer high) {
  lua_Integer middle = low + (high - low) / 2;
  order_items(L, low, middle);
  order_items(L, middle, high);
  order_items(L, low, middle);
  script_get_item(L, 1, middle);
  int pivot = lua_gettop(L);
  lua_Integer i = low;
  lua_Integer j = high;
  for (;;) {
    for (;;) {
      if (++i > high) luaL_error(L, "invalid order function for sorting");
      script_get_item(L, 1, i);
      if (!comes_before(L, -1, pivot)) break;
      lua_pop(L, 1);
    }
    for (;;) {
      if (--j < low) luaL_error(L, "invalid order function for sorting");
      script_get_item(L, 1, j);
      if (!comes_before(L, pivot, -1)) break;
      lua_pop(L, 1);
    }
    if (i >= j) break;
    script_set_item(L, 1, i);
    script_set_item(L, 1, j);
  }
  lua_settop(L, pivot - 1);
  return j;
}

static void sort_range(lua_State *L, lua_Integer low, lua_Integer high, int depth) {
  while (high - low >= SMALL_RANGE) {
    if (depth-- == 0) {
      sort_by_heap(L, low, high);
      return;
    }
    lua_Integer left_end = part_range(L, low, high);
    if (left_end - low < high - left_end) {  // the C stack takes the smaller part
      sort_range(L, low, left_end, depth);
      low = left_end + 1;
    } else {
      sort_range(L, left_end + 1, high, depth);
      high = left_end;
    }
  }
  if (low < high) sort_small(L, low, high);
}

static int table_sort(lua_State *L) {
  script_check_table(L, 1);
  lua_Integer length = script_length(L, 1);
  if (length < 2) return 0;
  luaL_argcheck(L, length < INT_MAX, 1, "array too big");
  if (!lua_isnoneornil(L, 2)) script_check_type(L, 2, LUA_TFUNCTION);
  lua_settop(L, 2);
  luaL_checkstack(L, SMALL_RANGE + 16, NULL);
  int depth = 0;
  for (lua_Integer n = length; n > 1; n /= 2) depth += 2;
  sort_range(L, 1, length, depth);
  return 0;
}

void script_open_table(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"concat", table_concat}, {"insert", table_insert}, {"move", table_move}, {"pack", table_pack},
      {"remove", table_remove}, {"sort", table_sort},     {"unpack", table_unpack}, {NULL, NULL},
  };
  luaL_newlib(L, functions);
}
