// Rules, and the texts of their alerts.

#ifndef LUA_SHIM_RULES_H
#define LUA_SHIM_RULES_H

#include "vm_internal.h"

void rules_open(lua_State *L);
// Has the rule's text function, if it has one, write the text of the alert that the host asked for, and hands it
// over. The alert's data, or nil, is on top of the stack.
void rule_describe(lua_State *L, uint32_t rule, script_call call, double value);
// Takes back what the running handler noted in bands; after the host has taken back what it judged.
void rules_undo(script_vm *vm);

#endif
