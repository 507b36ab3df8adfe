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

// The most fields that M.state may declare.
constexpr unsigned maximum_fields = 128;

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

struct Handler {
  std::string group, name;
  int reference;             // of the function in the registry
  int run, load_run;         // of what runs it for the key that the view shows, and for another one; see view.cpp
  std::string key_path;      // M.key for this input; empty for none
  int key_function;          // or a function of the message, LUA_NOREF for none
};

struct TestCase {
  std::string name;
  uint32_t line;
  int reference;
};

struct Random {
  uint64_t words[4];
};

// What a full userdata of the sandbox is. Scripts can't make any, so the first field can be trusted. Messages are
// none: they are light userdata, see MessageHandle.
enum class HandleKind : uint32_t { container, field, context, rule, key_view };

struct Handle {
  HandleKind kind;
  uint32_t index;       // container, field, rule or key
  uint32_t generation;  // of the call or of the container
  uint32_t writable;    // a container reached through the key of the running handler
};

// An object or a list of the message in hand, as the value of a light userdata: nothing is allocated for a message.
// Scripts can't make light userdata either. The generation is never 0, so none is NULL, which is json.null.
struct MessageHandle {
  uint32_t node = 0, generation = 0;
  explicit operator bool() const { return generation != 0; }
};
static_assert(sizeof(void *) == 8, "a message's handle is as wide as a pointer");

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
  const char *last_field = nullptr;  // the member of a message read last, for num's error
  size_t last_field_length = 0;
  script_batch *payload = nullptr;   // holds payloads of actions and decoded texts

  StateStore state;
  uint32_t loaded_key = StateStore::no_key;
  Random random{}, random_saved{};
  uint64_t skipped = 0, rebuilds = 0;

  // Of the file.
  std::string name, source_text, prelude;
  std::vector<HostFunction> functions;
  std::vector<Module> modules;
  std::vector<Handler> handlers;
  std::vector<TestCase> tests;
  uint32_t rule_function = UINT32_MAX;
  uint32_t rule_count = 0, rules_declared = 0;
  bool loaded = false, dead = false;
  std::string result;

  uint32_t default_key = StateStore::no_key;  // the key ""
  lua_CFunction table_insert = nullptr, table_remove = nullptr;

  // Registry references.
  int context_ref = LUA_NOREF;
  std::vector<int> field_refs, rule_text_refs, rule_when_refs;
  int metatables[5] = {LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF, LUA_NOREF};
  int array_ref = LUA_NOREF, state_metatable_ref = LUA_NOREF, modules_ref = LUA_NOREF, key_view_ref = LUA_NOREF;

  // Texts on their way out. Owned here, so a raise leaks nothing.
  std::string reason, traceback, out, path;
  std::vector<Slot> accepted;
};

// --- vm.cpp
// Runs a C function behind the door; false when it raised or the VM was given up. `data` arrives as light userdata.
bool vm_protect(script_vm *vm, lua_CFunction function, void *data, script_failure *failure);
void vm_begin_call(script_vm *vm, bool counted);
void vm_end_call(script_vm *vm);

// --- limits.cpp
void *limits_allocate(void *context, void *block, size_t old_size, size_t new_size);
[[noreturn]] void limits_condemn(lua_State *L, Condemned why);
void limits_count(script_vm *vm);    // turns the count hook on
void limits_uncount(script_vm *vm);
void watch_enter(script_vm *vm);     // tells slow handlers from fast ones without a cost per message
void watch_leave(script_vm *vm);
uint64_t monotonic_ns();

// --- sandbox.cpp
void sandbox_open(lua_State *L);     // builds the environment of the profile
void sandbox_prelude(lua_State *L);  // runs the host's own Lua before the file
// The text of a value without addresses, pushed. Raises as tostring does.
void sandbox_tostring(lua_State *L, int index);

// --- values.cpp
void values_open(lua_State *L);
void values_push_message(lua_State *L, uint32_t node);
void values_push_slot(lua_State *L, const Slot &slot, bool writable);
void values_push_key(lua_State *L, const MapKey &key);
void values_push_copy(lua_State *L, const Slot &slot);  // plain tables, no longer part of state
void values_push_field(lua_State *L, uint32_t key, uint32_t field);
// Turns a Lua value into a slot of the running key; raises naming `path` for what state can't hold.
Slot values_to_slot(lua_State *L, int index, const char *path);
void values_push_tree(lua_State *L, const json_node *root, const char *text, uint32_t node);  // plain tables
bool slot_from_tree(script_vm *vm, const json_node *root, const char *text, uint32_t node, uint32_t owner, Slot *slot);
// The full userdata at an index, nullptr for anything else.
Handle *values_handle(lua_State *L, int index);
// The message at an index, false for anything else.
MessageHandle values_message(lua_State *L, int index);
bool values_is_null(lua_State *L, int index);
// A handle's container, nullptr when it isn't one; raises when it is stale.
Container *values_container(lua_State *L, const Handle *handle, uint32_t *index);

// --- encode.cpp
// Appends the JSON of a Lua value to vm->out; raises naming the path for what JSON can't hold.
void encode_value(lua_State *L, int index, uint32_t depth);

// --- declarations.cpp
void declarations_read(lua_State *L, int module);  // reads the table that a script returned
void rule_open(lua_State *L);

// --- view.cpp: the state table that handlers see
void view_open(lua_State *L);  // after the handlers are known
void view_accept(lua_State *L, int first);  // takes the fields' values from `first` on over into the running key

#endif
