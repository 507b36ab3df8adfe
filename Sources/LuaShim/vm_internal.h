// One virtual machine: what its parts share.

#ifndef LUA_SHIM_VM_INTERNAL_H
#define LUA_SHIM_VM_INTERNAL_H

#include <csetjmp>
#include <string>
#include <vector>

#include "arena.h"
#include "batch.h"
#include "state.h"
#include "vm.h"

// The most fields that M.state may declare: a function that takes and returns all of them needs a register of Lua's 255
// for each, twice.
constexpr unsigned maximum_fields = 120;

// A way out of the VM that passes over C frames only.
struct Door {
  jmp_buf jump;
  Door *outer;
};

// Why the running handler must end. Once set, no protected call of the script stops the error.
enum class Condemned : uint8_t { no, restart, steps, time, memory, effects, abandoned };

struct HostFunction {
  std::string name;
  uint32_t function;
  script_phase phase;
  bool is_effect;
};

struct Module {
  std::string name, source;
};

// A field of the message that a handler reads, and what of it stands in the handler's table.
struct MessageField {
  static constexpr uint16_t other = UINT16_MAX;  // what has to be put there again
  static constexpr uint16_t none = UINT16_MAX - 1;
  std::string name;
  uint32_t node = 0;  // of the value in messages of the handler's shape, 0 where they have none
  bool is_number = false;  // all that is done with it is num(message.field)
  uint16_t kind = none;
  uint32_t length = 0;
  uint64_t bytes[2] = {};
};

struct Handler {
  std::string group, name;
  int reference;             // of the function in the registry
  // Of what runs it for the key that the view shows, where that has many fields, and for another one; see view.cpp.
  int run, load_run;
  std::string key_path;      // M.key for this input; empty for none
  int key_function;          // or a function of the message, LUA_NOREF for none
  std::vector<int64_t> latest{};  // by key: the latest time that the source gave a message
  // Of one that only reads fields of its message: those, and the table that holds them; see message_table.cpp.
  std::vector<MessageField> fields{};
  int table = LUA_NOREF;
  uint64_t shape = 0;      // of the messages whose nodes `fields` names
  uint64_t key_shape = 0;  // of those that have the key at key_node
  uint32_t key_node = 0;
};

struct TestCase {
  std::string name;
  uint32_t line;
  int reference;
};

// How often each line of a file ran.
struct CoveredFile {
  static constexpr uint32_t no_code = UINT32_MAX;
  std::string name;
  std::vector<uint32_t> counts;
};

struct Random {
  uint64_t words[4];
};

// The bands of a rule by key, in the host's memory.
struct RuleBands {
  script_band *bands = nullptr;
  uint32_t count = 0;
};

// What the band of a rule and a key held before the running handler.
struct NotedValue {
  uint32_t rule, key;
  double value;
  int64_t time;
};

// Where a field was found in messages of a shape, for handles. The name is only compared.
struct FieldPlace {
  const char *name = nullptr;
  uint64_t shape = 0;
  uint32_t node = 0;
};
constexpr size_t field_places = 32;

struct script_vm {
  lua_State *L = nullptr;
  script_profile profile;
  script_limits limits;
  script_host host;
  arena memory;
  Door *door = nullptr;

  // Limits of the running call.
  int64_t steps_left = 0;
  uint64_t deadline_ns = 0;
  uint32_t effects_left = 0;
  Condemned condemned = Condemned::no;
  bool armed_memory = false;  // the hook shall collect and look again
  bool counting = false;      // the count hook is on
  uint32_t counted_runs = 0;  // handlers to count from the start, after one was slow
  uint32_t sequence = 0;      // of handler runs, for the watch
  bool running = false;
  bool loading = false;
  bool migrating = false;     // M.migrate runs: nothing may be asked of the host but a line for the log
  size_t soft = 0, hard = 0;

  // The message or payload in hand.
  script_batch *batch = nullptr;
  const json_node *root = nullptr;
  const char *text = nullptr;
  const script_message_info *info = nullptr;
  uint32_t message = 0;
  uint32_t key = 0;
  uint32_t generation = 0;
  int64_t deadline = INT64_MAX;
  std::string source, topic;
  uint32_t source_number = 0;
  bool late = false;                 // what ctx.late shows
  const char *last_field = nullptr;  // the member of a message read last, for num's error
  size_t last_field_length = 0;
  FieldPlace places[field_places];
  script_batch *payload = nullptr;   // holds payloads of actions and decoded texts

  StateStore state;
  uint32_t loaded_key = StateStore::no_key;
  Random random{}, random_saved{};
  uint64_t skipped = 0, rebuilds = 0;

  // Of the file.
  std::string name, source_text, prelude;
  std::vector<HostFunction> functions;
  std::vector<Module> modules;
  std::string required;  // names of the modules that the file has required, each with a line break
  std::vector<Handler> handlers;
  std::vector<TestCase> tests;
  std::vector<StatisticSpec> statistics;  // declared by stats.sma { … } and so on
  std::vector<int> config_functions;      // registry references of functions that a configuration holds
  uint64_t loading_steps = 0, loading_nanoseconds = 0;  // the limits of loading, where those of calls differ
  uint32_t rule_function = UINT32_MAX;
  uint32_t rule_count = 0, rules_declared = 0;
  std::vector<RuleBands> bands;   // by rule
  std::vector<NotedValue> noted;  // by the running handler: the first noted_count
  size_t noted_count = 0;
  bool in_handler = false;        // the handler itself was called
  bool num_is_kept = false;       // nothing that was loaded can make `num` another function
  bool filled = false;            // the running handler reads its message from a table
  bool judged = false;            // the host has judged a value of the running handler
  bool loaded = false, dead = false;
  std::string result;

  uint32_t default_key = StateStore::no_key;  // the key ""
  lua_CFunction table_insert = nullptr, table_remove = nullptr;

  // Registry references.
  int state_ref = LUA_NOREF, context_ref = LUA_NOREF, migrate_ref = LUA_NOREF;
  std::vector<int> field_refs, rule_text_refs, rule_when_refs;
  int metatables[8] = {LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF};
  int array_ref = LUA_NOREF, state_metatable_ref = LUA_NOREF, modules_ref = LUA_NOREF;

  // Texts on their way out. Owned here, so a raise leaks nothing.
  std::string reason, traceback, out, path;
  std::vector<Slot> accepted;
  // Of a handler that is run twice.
  bool twice = false, ran = false;
  std::string asked, row_before, hidden;
  bool covering = false;  // lines are counted
  std::vector<CoveredFile> covered;
  std::vector<uint32_t> members;  // of objects that are being encoded
};

// --- vm.cpp
// Runs a C function behind the door; false when it raised or the VM was given up. `data` arrives as light userdata.
bool vm_protect(script_vm *vm, lua_CFunction function, void *data, script_failure *failure);
void vm_begin_call(script_vm *vm, bool counted);
void vm_end_call(script_vm *vm);
// Gives a VM up, whatever it was doing, and makes a new one from the same text. State is the host's: it stays.
void vm_rebuild(script_vm *vm);

// What is being handled, as the host is told.
inline script_call vm_call(const script_vm *vm) {
  const script_message_info *info = vm->info;
  return {vm->message,  vm->key, info ? info->time : 0, info ? info->received : 0, vm->sequence,
          info && info->replayed, info && info->late, vm->loading};
}

// --- handling.cpp
void vm_start_message(script_vm *vm);
// Takes a payload in hand, to be read from the batch `payload`; false when it is no JSON.
bool vm_hold_payload(script_vm *vm, script_text payload, int64_t time);

// --- vm_state.cpp
uint32_t vm_default_key(script_vm *vm);

// --- failures.cpp
// The message handler: runs where the error happened, before anything unwinds. Allocates nothing in the VM.
int failure_note(lua_State *L);
void failure_tell(script_vm *vm, script_failure *failure);
// Pushes "file:line: " of the innermost Lua function: in a hook that is level 0, in a C function its caller.
void failure_push_place(lua_State *L);

#endif
