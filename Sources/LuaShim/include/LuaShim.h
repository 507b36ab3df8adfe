// The one guarded door to Lua.
//
// A `script_vm` is one Lua state with its own arena, limits and host-owned state. Everything here is confined
// to one thread at a time; no function raises or jumps past its caller. Texts handed out stay valid until the
// next call on the same object.

#ifndef LUA_SHIM_H
#define LUA_SHIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Bytes that somebody else owns; not terminated.
typedef struct script_text {
  const char *_Nullable bytes;
  size_t count;
} script_text;

// --- Batches of messages --------------------------------------------------------------------------------

typedef struct script_batch script_batch;

// What the host knows of a message besides its bytes.
typedef struct script_message_info {
  int64_t time;      // event time, milliseconds UTC
  int64_t received;  // receipt time, milliseconds UTC: the clock of timers
  int64_t sequence;  // the source's own number
  uint32_t epoch;    // grows at each connect of the source
  bool replayed;     // the source sent it before
  bool text;         // not JSON: the message is the text itself
  bool numbered;     // it has a sequence
  bool dated;        // its time is the source's own: one before the last of its key makes it late
  bool late;         // it came after a later one
} script_message_info;

script_batch *_Nonnull script_batch_create(uint32_t nesting);
void script_batch_destroy(script_batch *_Nonnull batch);
void script_batch_clear(script_batch *_Nonnull batch);
// Copies a message in. False when the batch is full (4 GiB of text).
bool script_batch_append(
  script_batch *_Nonnull batch, const void *_Nullable bytes, size_t count, script_message_info info);
// Lines of a text that are messages at even distances in time.
typedef struct script_lines {
  int64_t time, step;  // the time before the first one, and how far they are apart
  int64_t last;        // none of a later time is taken
  size_t longest;      // none of more bytes
  size_t room;         // none that would make the batch larger
} script_lines;
// Copies lines in until one doesn't end, or is more than a message between two line feeds: one that begins with a blank,
// is empty or ends with CR. Returns the bytes taken, line ends included, and how many lines they are.
size_t script_batch_append_lines(
  script_batch *_Nonnull batch, const void *_Nullable bytes, size_t count, script_lines lines, uint32_t epoch,
  uint32_t *_Nonnull taken);
// Gives the message that was appended last a topic, which ctx.topic shows. False for more than 65,535 bytes.
bool script_batch_set_topic(script_batch *_Nonnull batch, const void *_Nullable bytes, size_t count);
// The topic of a message, empty where the source has none.
script_text script_batch_topic(const script_batch *_Nonnull batch, uint32_t index);
// Gives the message that was appended last the topic of another batch's.
void script_batch_copy_topic(
  script_batch *_Nonnull batch, const script_batch *_Nonnull other, uint32_t index);
// Takes over all messages of another batch in place of one's own, decoded as far as they are there; where any of them
// has a fault, they are to be decoded anew.
void script_batch_copy(script_batch *_Nonnull batch, const script_batch *_Nonnull other);
uint32_t script_batch_count(const script_batch *_Nonnull batch);
size_t script_batch_bytes(const script_batch *_Nonnull batch);
// The bytes of the messages alone.
size_t script_batch_message_bytes(const script_batch *_Nonnull batch);
script_text script_batch_message(const script_batch *_Nonnull batch, uint32_t index);
script_message_info script_batch_info(const script_batch *_Nonnull batch, uint32_t index);
void script_batch_set_info(script_batch *_Nonnull batch, uint32_t index, script_message_info info);
// Appends the parts of a list or a map at a dotted path, each as a message of its own with the same info: its items, or
// with pairs {"key": …, "value": …} for each member. False, with nothing appended, where there is no such thing.
bool script_batch_split(
  script_batch *_Nonnull batch, uint32_t index, const char *_Nonnull path, bool pairs, script_batch *_Nonnull target);
// Makes a number of a text at a dotted path that is one, or of all such texts within a list or a map there.
void script_batch_make_numbers(script_batch *_Nonnull batch, uint32_t index, const char *_Nonnull path);
// Passes a message over: nobody sees it.
void script_batch_skip(script_batch *_Nonnull batch, uint32_t index, bool repeated);
// Decodes what was appended since the last call; returns how many of them are faulty.
uint32_t script_batch_decode(script_batch *_Nonnull batch);
// The reason why a message can't be decoded and where, or false when it can.
bool script_batch_fault(
  script_batch *_Nonnull batch, uint32_t index, uint32_t *_Nonnull offset, script_text *_Nonnull reason);
// The text or the digits at a dotted path ("data.s") of a decoded message; false where there is none.
bool script_batch_field(
  script_batch *_Nonnull batch, uint32_t index, const char *_Nonnull path, script_text *_Nonnull field);

// --- Walking decoded JSON from Swift --------------------------------------------------------------------

typedef enum script_kind {
  SCRIPT_NULL, SCRIPT_FALSE, SCRIPT_TRUE, SCRIPT_INTEGER, SCRIPT_NUMBER, SCRIPT_TEXT, SCRIPT_LIST, SCRIPT_MAP
} script_kind;

typedef struct script_node {
  script_kind kind;
  uint32_t count;    // items of a list, members of a map
  uint32_t first;    // node of the first item; a map's are key, value, key, value, …
  uint32_t next;     // node after this one's whole content
  int64_t integer;
  double number;
  script_text text;  // unescaped; valid until the next call on the batch
} script_node;

// The node at an index of a message's tree; index 0 is the message itself.
script_node script_batch_node(script_batch *_Nonnull batch, uint32_t message, uint32_t node);
// The bytes of an item of a decoded message that is a list, as they stand there; the message must be written without
// spaces, as the door writes. Also tells whether it has floats whose digits or exponent a Value would write another way.
// False where it has fewer items.
bool script_batch_item(
  script_batch *_Nonnull batch, uint32_t message, uint32_t index, uint32_t *_Nonnull node, script_text *_Nonnull bytes,
  bool *_Nonnull has_rare_floats);
// The node at a dotted path of a decoded message, where "2" is the second item of a list and an empty path the
// message itself; false where there is none.
bool script_batch_find(
  script_batch *_Nonnull batch, uint32_t index, const char *_Nonnull path, script_node *_Nonnull node);
bool script_batch_skipped(const script_batch *_Nonnull batch, uint32_t index);
// Whether it is passed over as one that was there before.
bool script_batch_repeated(const script_batch *_Nonnull batch, uint32_t index);

// --- Virtual machines -----------------------------------------------------------------------------------

typedef struct script_vm script_vm;

typedef enum script_profile {
  SCRIPT_PROFILE_SCRIPT,  // a user's reducer script
  SCRIPT_PROFILE_CONFIG,  // a configuration: plain data out
  SCRIPT_PROFILE_TEST,    // a test file: it(…) collects tests
} script_profile;

typedef struct script_limits {
  uint64_t steps;        // VM instructions and charged work for one message
  uint64_t nanoseconds;  // wall clock for one message
  size_t memory;         // bytes alive in the VM
  size_t state_size;     // bytes of state of one key
  size_t total_state;    // bytes of state of all keys
  uint32_t effects;      // host calls that ask for an effect, for one message
  uint32_t nesting;      // depth of data that leaves the VM
} script_limits;

typedef enum script_outcome {
  SCRIPT_OK,
  SCRIPT_ERROR,        // the script raised
  SCRIPT_OVER_STEPS,
  SCRIPT_OVER_TIME,
  SCRIPT_OVER_MEMORY,
  SCRIPT_OVER_EFFECTS,
  SCRIPT_OVER_STATE,
} script_outcome;

typedef struct script_failure {
  script_outcome outcome;
  uint32_t message;       // index in the batch
  script_text reason;     // "alert.lua:12: …"
  script_text traceback;
} script_failure;

// What is being handled when the script calls the host.
typedef struct script_call {
  uint32_t message;  // index in the batch; 0 for actions and events
  uint32_t key;      // index of the key
  int64_t time;      // ctx.time
  int64_t clock;     // when it came in or fell due: the time of timers
  uint32_t run;      // number of the handler run, for undo
  bool replayed;     // the source sent the message before
  bool late;         // it came after a later one
  bool loading;      // the file is being loaded
} script_call;

typedef enum script_verdict {
  SCRIPT_VERDICT_NOTHING,
  SCRIPT_VERDICT_DESCRIBE,  // the host wants the alert's text
  SCRIPT_VERDICT_REFUSE,    // *reason says why; raised at the script's line
} script_verdict;

// Values of a rule's key that are nothing new to the host: the door notes one between low and high here and asks nobody.
// The host owns the memory.
typedef struct script_band {
  double low, high;  // inclusive; each value is judged where low > high
  double value;      // the last one
  int64_t time;      // its time; one of an earlier time is judged
  uint32_t source;   // where it came from; one from elsewhere is judged
} script_band;

// The host's side. None of these may raise, jump, or call back into the same VM.
typedef struct script_host {
  void *_Nullable context;
  // A registered function was called with a JSON list of arguments. True with *result a JSON text (or empty for
  // no result), false with *result a sentence that is raised at the script's line.
  bool (*_Nonnull call)(
    void *_Nullable context, uint32_t function, script_call call, script_text arguments,
    script_text *_Nonnull result);
  // rule:check(value, data); data is JSON or empty. Truth is what the rule's `when` function said, -1 without one.
  script_verdict (*_Nonnull check)(
    void *_Nullable context, uint32_t rule, script_call call, double value, int32_t truth, script_text data,
    script_text *_Nonnull reason);
  // The text of the alert that `check` (or `script_vm_describe`) asked for.
  void (*_Nonnull describe)(void *_Nullable context, uint32_t rule, script_call call, script_text text);
  // A handler run failed or is to be repeated: whatever was asked for under its number never happened.
  void (*_Nonnull undo)(void *_Nullable context, uint32_t run);
} script_host;

// When a registered function may be called, and what it costs.
typedef enum script_phase {
  SCRIPT_PHASE_LOAD = 1,
  SCRIPT_PHASE_HANDLER = 2,
  SCRIPT_PHASE_ANY = 3,
} script_phase;

script_vm *_Nullable script_vm_create(script_profile profile, script_limits limits, script_host host);
void script_vm_destroy(script_vm *_Nonnull vm);

// Registers a host function under a dotted name ("effect.after"). Before loading.
void script_vm_register(
  script_vm *_Nonnull vm, const char *_Nonnull name, uint32_t function, script_phase phase, bool is_effect);
// The names of the modules that the file has required, each with a line break behind it.
script_text script_vm_required(const script_vm *_Nonnull vm);
// Gives `require` a module's text. Before loading.
void script_vm_add_module(script_vm *_Nonnull vm, const char *_Nonnull name, script_text source);
// Lua of the host's own that runs before the file. It gets a function bind(f, value), which gives a registered
// function its first argument. It doesn't show in the places of errors that the host's functions raise.
void script_vm_set_prelude(script_vm *_Nonnull vm, script_text source);
// The host function that receives declared rules; a JSON map in, the rule's index out.
void script_vm_register_rules(script_vm *_Nonnull vm, uint32_t function);
// Where the bands of a rule stand, by the index of the key; valid until it is told anew.
void script_vm_set_bands(script_vm *_Nonnull vm, uint32_t rule, script_band *_Nullable bands, uint32_t count);

// Runs the file once and reads its declarations. A VM is loaded once.
bool script_vm_load(
  script_vm *_Nonnull vm, const char *_Nonnull name, script_text source, script_failure *_Nonnull failure);
// What the file returned or declared, as JSON.
script_text script_vm_result(const script_vm *_Nonnull vm);
// Calls a function that a configuration holds, with JSON for its argument; what it returns is script_vm_result. In the
// configuration's data a function is { "$function": number, "$line": line }.
bool script_vm_call(
  script_vm *_Nonnull vm, uint32_t function, script_text argument, int64_t time, script_failure *_Nonnull failure);
// What each later call may use, in place of what loading could.
void script_vm_bound_calls(script_vm *_Nonnull vm, uint64_t steps, uint64_t nanoseconds);
// Index of M.on.<name>, M.actions.<name> or M.events.<name>, -1 where there is none.
int32_t script_vm_handler(const script_vm *_Nonnull vm, const char *_Nonnull group, const char *_Nonnull name);

// --- Handling -------------------------------------------------------------------------------------------

// Hands messages [from, to) to a handler, each accepted or undone for itself. Stops after the first that failed
// (*failure says which) and before one whose time reaches the VM's deadline. Returns the index to go on with.
uint32_t script_vm_handle(
  script_vm *_Nonnull vm, uint32_t handler, script_batch *_Nonnull batch, uint32_t from, uint32_t to,
  script_failure *_Nonnull failure);
// What ctx.late shows from now on.
void script_vm_set_late(script_vm *_Nonnull vm, bool late);
// Finds the key that a handler's messages are kept under; false where the message has none.
bool script_vm_message_key(
  script_vm *_Nonnull vm, uint32_t handler, script_batch *_Nonnull batch, uint32_t index, uint32_t *_Nonnull key);
// Runs an action or an event handler for a key with a JSON payload.
bool script_vm_act(
  script_vm *_Nonnull vm, uint32_t handler, script_text key, script_text payload, int64_t time,
  script_failure *_Nonnull failure);
// Computes the text of an alert whose time came without a message.
bool script_vm_describe(
  script_vm *_Nonnull vm, uint32_t rule, uint32_t key, double value, script_text data, int64_t time,
  script_failure *_Nonnull failure);
// Runs each handler twice from the same state and fails it when the two did something else: it keeps something outside
// of its state. For tests.
void script_vm_set_twice(script_vm *_Nonnull vm, bool twice);
// Counts how often each line of the file and of its modules runs. Before loading; for tests.
void script_vm_set_covering(script_vm *_Nonnull vm, bool covering);
// Calls visit for each line that has code, with how often it ran.
void script_vm_coverage(
  const script_vm *_Nonnull vm, void *_Nullable context,
  void (*_Nonnull visit)(void *_Nullable context, script_text file, uint32_t line, uint32_t count));
void script_vm_set_deadline(script_vm *_Nonnull vm, int64_t time);
// Name of the source and topic that ctx shows, and the number of the source; a message's own topic goes before this one.
void script_vm_set_source(script_vm *_Nonnull vm, script_text source, script_text topic, uint32_t number);
// Messages without the key that M.key names.
uint64_t script_vm_skipped(const script_vm *_Nonnull vm);
// How often a VM was given up and built anew.
uint64_t script_vm_rebuilds(const script_vm *_Nonnull vm);
size_t script_vm_memory(const script_vm *_Nonnull vm);

// Tests collected by it(…).
uint32_t script_vm_test_count(const script_vm *_Nonnull vm);
script_text script_vm_test_name(const script_vm *_Nonnull vm, uint32_t test);
uint32_t script_vm_test_line(const script_vm *_Nonnull vm, uint32_t test);
bool script_vm_test_run(script_vm *_Nonnull vm, uint32_t test, script_failure *_Nonnull failure);
// The line of the script that called the host function now running; 0 outside of one.
uint32_t script_vm_calling_line(const script_vm *_Nonnull vm);

// --- State ----------------------------------------------------------------------------------------------

uint32_t script_vm_key_count(const script_vm *_Nonnull vm);
uint32_t script_vm_key(script_vm *_Nonnull vm, script_text name);  // finds or makes
script_text script_vm_key_name(const script_vm *_Nonnull vm, uint32_t key);
// A key's state as JSON (the row that storage keeps).
script_text script_vm_state(script_vm *_Nonnull vm, uint32_t key);
// Takes a stored row over; false with a reason when it isn't one. After loading, before handling.
bool script_vm_restore(
  script_vm *_Nonnull vm, script_text key, script_text row, script_text *_Nonnull reason);
// Whether the script has M.migrate.
bool script_vm_migrates(const script_vm *_Nonnull vm);
// Runs M.migrate on a row of an older form of the script and sets the key's fields to what it returns; statistics
// are left alone.
bool script_vm_migrate(
  script_vm *_Nonnull vm, script_text key, script_text row, int64_t time, script_failure *_Nonnull failure);
// Counts a key as changed.
void script_vm_touch(script_vm *_Nonnull vm, script_text key);
// Keys that changed since they were last taken.
uint32_t script_vm_dirty_count(const script_vm *_Nonnull vm);
// Calls visit for each key that changed since the last call, with its row, and counts them as written.
uint32_t script_vm_take_dirty(
  script_vm *_Nonnull vm, void *_Nullable context,
  void (*_Nonnull visit)(void *_Nullable context, uint32_t key, script_text name, script_text row));
bool script_vm_has_dirty(const script_vm *_Nonnull vm);

// --- Measuring ---------------------------------------------------------------------------------------------

// Whether a replay keeps state, so that what storage costs can be measured; false in every other build. See
// protections.h.
bool script_measures_storage(void);

#ifdef __cplusplus
}
#endif

#endif
