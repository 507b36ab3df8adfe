// Running a handler twice from the same state; see rehearsal.cpp.

#ifndef LUA_SHIM_REHEARSAL_H
#define LUA_SHIM_REHEARSAL_H

#include "vm_internal.h"

void rehearsal_begin(script_vm *vm);                                          // before a handler, with its key in hand
void rehearsal_note(script_vm *vm, const char *what, const std::string &arguments);  // what it asks the host for
uint32_t rehearsal_handle(
  script_vm *vm, uint32_t handler, script_batch *batch, uint32_t from, uint32_t to, script_failure *failure);

bool rehearsal_act(
  script_vm *vm, uint32_t handler, script_text key, script_text payload, int64_t time, script_failure *failure);

// --- handling.cpp
bool act_once(
  script_vm *vm, uint32_t handler, script_text key, script_text payload, int64_t time, script_failure *failure);
uint32_t handle_range(
  script_vm *vm, uint32_t handler, script_batch *batch, uint32_t from, uint32_t to, script_failure *failure);

#endif
