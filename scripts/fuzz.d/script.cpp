// Any text as a script: loading and calling end within the limits, and what follows works.

#include "machine.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static Machine beside("local M = { state = { n = 0 }, on = {} } function M.on.feed(s) s.n = s.n + 1 end return M");
  static const std::string message = R"({"x":1,"list":[1,{"a":null}],"s":"t"})";
  std::string source(reinterpret_cast<const char *>(data), size);
  // A file that is a handler's body is tried as one, as the attacks are written.
  for (int wrapped = 0; wrapped < 2; wrapped++) {
    if (wrapped)
      source =
        "local M = { state = { count = 0, last = json.null, list = {}, mean = stats.sma { count = 3 } }, on = {} }\n"
        "local alert, log = alert.send, nil\n"
        "function M.on.feed(state, event, ctx) state.count = state.count + 1\n"
        "if event.ok then return end state.last = (function() " + source + "\nend)() end return M";
    Machine machine(source, 20000);
    if (!machine.loaded) continue;
    machine.receive("{\"ok\":true}", 11, false);
    const std::string before = machine.row();
    for (int i = 0; i < 2; i++) {
      const bool good = machine.receive(message.data(), message.size(), false, 2000 + i * 60000);
      if (!good && i == 0 && machine.row() != before) must_not_be("left by a failure", before, machine.row());
      if (!good && machine.failure.reason.count == 0 && script_vm_handler(machine.vm(), "on", "feed") >= 0)
        must_not_be("a failure without a reason");
    }
    const std::string row = machine.row();
    Machine again(source, 20000);
    if (!again.loaded) must_not_be("loaded once, but not twice", again.reason());
    again.restore(row);
    if (again.row() != row) must_not_be("another row after loading again", row, again.row());
  }
  if (!beside.receive("{}", 2, false)) must_not_be("a script beside it fails", beside.reason());
  return 0;
}
