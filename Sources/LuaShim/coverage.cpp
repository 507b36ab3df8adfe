// Which lines of a script ran, counted by a line hook. For tests alone: without it nothing is spent.
//
// Which lines can run is read from the compiled function, as liblua writes it (lua_dump of Lua 5.4): each instruction
// has a line. Left out is what every function ends with whether anything gets there or not.

#include "coverage.h"

#include <cstring>

namespace {

CoveredFile *file_of(script_vm *vm, const char *source) {
  if (*source != '@') return nullptr;
  for (CoveredFile &file : vm->covered)
    if (file.name == source + 1) return &file;
  return nullptr;
}

void note(CoveredFile &file, uint32_t line, bool runs) {
  if (line >= file.counts.size()) file.counts.resize(line + 1, CoveredFile::no_code);
  uint32_t &count = file.counts[line];
  if (count == CoveredFile::no_code) count = 0;
  if (runs && count < CoveredFile::no_code - 1) count++;
}

// Reads a compiled function; anything unexpected ends the reading.
class Dump {
 public:
  Dump(const std::string &bytes, CoveredFile *file) : at_(bytes.data()), end_(at_ + bytes.size()), file_(file) {}

  void read() {
    // Signature, version, format, conversion check, three sizes, two numbers, the count of upvalues.
    skip(4 + 1 + 1 + 6 + 3 + sizeof(lua_Integer) + sizeof(lua_Number) + 1);
    function();
  }

 private:
  void skip(size_t count) { at_ = count <= size_t(end_ - at_) ? at_ + count : end_; }

  uint8_t byte() { return at_ < end_ ? uint8_t(*at_++) : 0x80; }

  // Seven bits a byte, the highest first; the last has the eighth bit.
  size_t size() {
    size_t value = 0;
    for (;;) {
      const uint8_t next = byte();
      value = value << 7 | (next & 0x7f);
      if (next & 0x80) return value;
    }
  }

  void text() {
    const size_t count = size();
    if (count > 0) skip(count - 1);
  }

  void constants() {
    for (size_t left = size(); left > 0 && at_ < end_; left--) {
      switch (byte()) {
        case 0x03: skip(sizeof(lua_Integer)); break;
        case 0x13: skip(sizeof(lua_Number)); break;
        case 0x04:
        case 0x14: text(); break;
        default: break;
      }
    }
  }

  void function() {
    if (at_ == end_) return;
    text();
    int64_t line = int64_t(size());
    size();  // the last line
    skip(1);
    const bool varies = byte() != 0;
    skip(1);
    const size_t instructions = size();
    skip(instructions * 4);
    constants();
    skip(size() * 3);  // upvalues
    for (size_t left = size(); left > 0 && at_ < end_; left--) function();
    lines(line, instructions, varies);
    for (size_t left = size(); left > 0 && at_ < end_; left--) {  // local variables
      text();
      size();
      size();
    }
    for (size_t left = size(); left > 0 && at_ < end_; left--) text();  // names of upvalues
  }

  // Each instruction's line as the difference from the one before it, or absolute where that doesn't fit a byte.
  void lines(int64_t line, size_t instructions, bool varies) {
    const size_t count = size();
    const char *steps = at_;
    skip(count);
    std::vector<std::pair<size_t, int64_t>> absolute(0);
    for (size_t left = size(); left > 0 && at_ < end_; left--) {
      const size_t instruction = size();
      absolute.emplace_back(instruction, int64_t(size()));
    }
    if (count != instructions || count > size_t(end_ - steps)) return;
    size_t next = 0;
    for (size_t i = 0; i < count; i++) {
      const int8_t step = int8_t(steps[i]);
      if (step != -128) line += step;
      else if (next < absolute.size()) line = absolute[next++].second;
      // A main function begins by taking its arguments, and every function ends by a return of its own.
      const bool is_frame = (i == 0 && varies) || i + 1 == count;
      if (!is_frame && line > 0 && line < 1000000) note(*file_, uint32_t(line), false);
    }
  }

  const char *at_;
  const char *end_;
  CoveredFile *file_;
};

int append(lua_State *, const void *bytes, size_t count, void *out) {
  static_cast<std::string *>(out)->append(static_cast<const char *>(bytes), count);
  return 0;
}

}  // namespace

void coverage_chunk(lua_State *L) {
  script_vm *vm = vm_of(L);
  if (!vm->covering) return;
  lua_Debug where;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &where);
  if (*where.source != '@' || file_of(vm, where.source)) return;
  vm->covered.push_back({where.source + 1, {}});
  std::string bytes;
  lua_dump(L, append, &bytes, 0);
  Dump(bytes, &vm->covered.back()).read();
}

void coverage_line(lua_State *L, lua_Debug *where) {
  script_vm *vm = vm_of(L);
  lua_getinfo(L, "Sl", where);
  CoveredFile *file = file_of(vm, where->source);
  if (!file || where->currentline <= 0) return;
  // What has no code of its own, such as the end of a function, stays that way.
  const auto line = uint32_t(where->currentline);
  if (line < file->counts.size() && file->counts[line] != CoveredFile::no_code) note(*file, line, true);
}

void script_vm_set_covering(script_vm *vm, bool covering) { vm->covering = covering; }

void script_vm_coverage(
  const script_vm *vm, void *context,
  void (*visit)(void *context, script_text file, uint32_t line, uint32_t count)) {
  for (const CoveredFile &file : vm->covered)
    for (uint32_t line = 0; line < file.counts.size(); line++)
      if (file.counts[line] != CoveredFile::no_code)
        visit(context, {file.name.data(), file.name.size()}, line, file.counts[line]);
}
