// What compiled functions do, read from their bytecode (Lua 5.4, as lua_dump writes it). Raises nothing.

#ifndef LUA_SHIM_BYTECODE_H
#define LUA_SHIM_BYTECODE_H

#include <lua.h>

#include <string>
#include <vector>

// A field that a function reads of a parameter.
struct FieldRead {
  std::string name;
  // The upvalue in whose table the callee is that every read of the field is handed to, -1 where there is none.
  int upvalue;
};

// Whether all that the Lua function on top of the stack does with one of its parameters (from 0) is to read fields of
// it by constant names, so that nobody else ever gets hold of it. Gives those fields, each once, and tells the ones of
// which each read is but the argument of the callee: `callee(parameter.field)`. False also for what isn't understood,
// for more than so many fields, and for functions of more than 32 KiB.
bool bytecode_reads_fields(
  lua_State *L, unsigned parameter, const char *callee, size_t most, std::vector<FieldRead> *fields);

// Whether the chunk on top of the stack, and what it defines, can only read a global: it neither assigns to it nor gets
// hold of the table of globals.
bool bytecode_leaves_global(lua_State *L, const char *name);

#endif
