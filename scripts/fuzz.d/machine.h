// What the fuzz targets share: a machine with a host that takes everything, and an end for what must not be.

#ifndef FUZZ_MACHINE_H
#define FUZZ_MACHINE_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "LuaShim.h"

inline bool host_call(void *, uint32_t, script_call, script_text, script_text *result) {
  *result = {"17", 2};
  return true;
}
inline script_verdict host_check(void *, uint32_t, script_call, double, int32_t, script_text, script_text *) {
  return SCRIPT_VERDICT_DESCRIBE;
}
inline void host_describe(void *, uint32_t, script_call, script_text) {}
inline void host_undo(void *, uint32_t) {}

inline std::string text_of(script_text text) { return std::string(text.bytes ? text.bytes : "", text.count); }

[[noreturn]] inline void must_not_be(const char *what, const std::string &a = "", const std::string &b = "") {
  fprintf(stderr, "must not be: %s\n%s\n%s\n", what, a.c_str(), b.c_str());
  abort();
}

// A loaded script with small limits.
class Machine {
 public:
  script_failure failure{};
  bool loaded;

  explicit Machine(const std::string &source, uint64_t steps = 2000000) {
    script_limits limits{};
    limits.steps = steps;
    limits.nanoseconds = 5000000000;
    limits.memory = 8 << 20;
    limits.state_size = 256 << 10;
    limits.total_state = 1 << 20;
    limits.effects = 100;
    limits.nesting = 100;
    vm_ = script_vm_create(SCRIPT_PROFILE_SCRIPT, limits, {nullptr, host_call, host_check, host_describe, host_undo});
    if (!vm_) must_not_be("no machine");
    script_vm_register(vm_, "alert.send", 0, SCRIPT_PHASE_HANDLER, true);
    script_vm_register(vm_, "params", 1, SCRIPT_PHASE_LOAD, false);
    script_vm_register_rules(vm_, 2);
    loaded = script_vm_load(vm_, "fuzz.lua", {source.data(), source.size()}, &failure);
    batch_ = script_batch_create(100);
  }
  Machine(const Machine &) = delete;
  Machine &operator=(const Machine &) = delete;
  ~Machine() {
    script_vm_destroy(vm_);
    script_batch_destroy(batch_);
  }

  script_vm *vm() { return vm_; }
  script_batch *batch() { return batch_; }

  // Hands one message to M.on.feed; false where it was refused or failed.
  bool receive(const void *bytes, size_t count, bool is_text, int64_t time = 1000) {
    script_batch_clear(batch_);
    script_message_info info = {time, time, 1, false, is_text};
    script_batch_append(batch_, bytes, count, info);
    failure = script_failure{};
    if (script_batch_decode(batch_) > 0) return false;
    const int32_t handler = script_vm_handler(vm_, "on", "feed");
    if (handler < 0) return false;
    script_vm_handle(vm_, uint32_t(handler), batch_, 0, 1, &failure);
    return failure.outcome == SCRIPT_OK;
  }

  std::string row(const char *key = "") {
    const uint32_t index = script_vm_key(vm_, {key, strlen(key)});
    return text_of(script_vm_state(vm_, index));
  }
  void restore(const std::string &row) {
    script_text reason;
    if (!script_vm_restore(vm_, {"", 0}, {row.data(), row.size()}, &reason))
      must_not_be("its own row is refused", text_of(reason), row);
  }
  std::string reason() const { return text_of(failure.reason); }

 private:
  script_vm *vm_;
  script_batch *batch_;
};

#endif
