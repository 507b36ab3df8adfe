// The table from which a handler reads its message; see message_table.cpp.

#ifndef LUA_SHIM_MESSAGE_TABLE_H
#define LUA_SHIM_MESSAGE_TABLE_H

#include "vm_internal.h"

// Makes the table for a handler that can have one.
void message_table_open(lua_State *L, Handler *handler);
// Puts the fields of the message in hand into the handler's table, which stands at an index, with the fields' names
// from another one on. False for a message that has to be read as it is.
bool message_table_fill(lua_State *L, script_vm *vm, Handler &handler, int table, int names);

#endif
