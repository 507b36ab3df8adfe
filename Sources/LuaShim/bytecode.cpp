#include "bytecode.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

static_assert(LUA_VERSION_NUM == 504, "the bytecode of Lua 5.4");

namespace {

// What an instruction's operands are.
enum Operand : uint8_t {
  A = 1,       // A is a register
  B = 2,       // B is one
  C = 4,       // C is one
  CK = 8,      // C is one where the flag k is not set
  FROM_A = 16  // A is the first of several
};

// By opcode; see lopcodes.h of Lua 5.4.
const uint8_t operands[] = {
  A | B,           // MOVE
  A, A, A, A,      // LOADI LOADF LOADK LOADKX
  A, A, A,         // LOADFALSE LFALSESKIP LOADTRUE
  FROM_A,          // LOADNIL
  A, A,            // GETUPVAL SETUPVAL
  A,               // GETTABUP
  A | B | C,       // GETTABLE
  A | B, A | B,    // GETI GETFIELD
  CK,              // SETTABUP
  A | B | CK,      // SETTABLE
  A | CK, A | CK,  // SETI SETFIELD
  A,               // NEWTABLE
  FROM_A | B | CK, // SELF
  A | B,           // ADDI
  A | B, A | B, A | B, A | B, A | B, A | B, A | B,  // ADDK … IDIVK
  A | B, A | B, A | B,                              // BANDK BORK BXORK
  A | B, A | B,                                     // SHRI SHLI
  A | B | C, A | B | C, A | B | C, A | B | C, A | B | C, A | B | C,  // ADD SUB MUL MOD POW DIV
  A | B | C, A | B | C, A | B | C, A | B | C, A | B | C, A | B | C,  // IDIV BAND BOR BXOR SHL SHR
  A | B, A, A,                 // MMBIN MMBINI MMBINK
  A | B, A | B, A | B, A | B,  // UNM BNOT NOT LEN
  FROM_A, FROM_A, A,           // CONCAT CLOSE TBC
  0,                           // JMP
  A | B, A | B, A | B,         // EQ LT LE
  A, A, A, A, A, A,            // EQK EQI LTI LEI GTI GEI
  A, A | B,                    // TEST TESTSET
  FROM_A, FROM_A, FROM_A,      // CALL TAILCALL RETURN
  0, A,                        // RETURN0 RETURN1
  FROM_A, FROM_A, FROM_A, FROM_A, FROM_A,  // FORLOOP FORPREP TFORPREP TFORCALL TFORLOOP
  FROM_A,                      // SETLIST
  A, FROM_A,                   // CLOSURE VARARG
  0, 0                         // VARARGPREP EXTRAARG
};
constexpr unsigned get_upvalue = 9, set_upvalue = 10, get_global = 11, get_field = 14, set_global = 15, jump = 56, call = 68;
static_assert(sizeof operands == 83, "one for each opcode");

struct Instruction {
  uint32_t word;
  unsigned opcode() const { return word & 0x7F; }
  unsigned a() const { return word >> 7 & 0xFF; }
  bool k() const { return word >> 15 & 1; }
  unsigned b() const { return word >> 16 & 0xFF; }
  unsigned c() const { return word >> 24; }
  // How far a jump goes, from the instruction behind it.
  int64_t distance() const { return int64_t(word >> 7) - 0xFFFFFF; }

  bool touches(unsigned reg) const {
    const uint8_t kinds = operands[opcode()];
    return ((kinds & A) && a() == reg) || ((kinds & B) && b() == reg) || ((kinds & C) && c() == reg) ||
           ((kinds & CK) && !k() && c() == reg) || ((kinds & FROM_A) && a() <= reg);
  }
};

// A text constant; the others are of no interest here.
struct Constant {
  const char *text;
  size_t length;
};

// Reads what lua_dump wrote. What is not as expected makes it bad, and everything from there on zero.
class Chunk {
 public:
  explicit Chunk(const std::string &bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}
  bool is_good() const { return at_ != nullptr; }

  const char *bytes(size_t count) {
    if (!at_ || size_t(end_ - at_) < count) return at_ = nullptr;
    const char *start = at_;
    at_ += count;
    return start;
  }

  unsigned byte() {
    const char *start = bytes(1);
    return start ? static_cast<unsigned char>(*start) : 0;
  }

  // Groups of seven bits, the highest first; the last has the top bit.
  size_t size() {
    size_t value = 0;
    for (;;) {
      const unsigned next = byte();
      if (!at_ || value >> 56) return at_ = nullptr, 0;
      value = value << 7 | (next & 0x7F);
      if (next & 0x80) return value;
    }
  }

  Constant text() {
    const size_t length = size();
    if (length == 0) return {nullptr, 0};
    return {bytes(length - 1), length - 1};
  }

  bool header() {
    static const char start[] = "\x1bLua\x54\x00\x19\x93\r\n\x1a\n\x04\x08\x08";
    const int64_t integer = 0x5678;
    const double number = 370.5;
    const char *found = bytes(sizeof start - 1);
    if (!found || std::memcmp(found, start, sizeof start - 1) != 0) return false;
    found = bytes(sizeof integer);
    if (!found || std::memcmp(found, &integer, sizeof integer) != 0) return false;
    found = bytes(sizeof number);
    return found && std::memcmp(found, &number, sizeof number) == 0;
  }

  Constant constant() {
    switch (byte()) {
      case 0x00: case 0x01: case 0x11: return {nullptr, 0};  // nil, false, true
      case 0x03: case 0x13: bytes(8); return {nullptr, 0};   // integer, float
      case 0x04: case 0x14: return text();
      default: at_ = nullptr; return {nullptr, 0};
    }
  }

 private:
  const char *at_, *end_;
};

// Where a function's upvalue comes from: a register or an upvalue of the function around it.
struct Upvalue {
  bool is_register;
  unsigned index;
};

struct Function {
  unsigned parameters = 0;
  const char *code = nullptr;
  size_t instructions = 0;
  std::vector<Constant> constants;
  std::vector<Upvalue> upvalues;
  std::vector<Function> inner;

  Instruction instruction(size_t index) const {
    Instruction result;
    std::memcpy(&result.word, code + index * sizeof result.word, sizeof result.word);
    return result;
  }

  // The instructions that jumps lead to, so that another one than that before it may have run last.
  std::vector<bool> targets() const {
    std::vector<bool> found(instructions);
    for (size_t i = 0; i < instructions; i++) {
      if (instruction(i).opcode() != jump) continue;
      const int64_t target = int64_t(i) + 1 + instruction(i).distance();
      if (target >= 0 && size_t(target) < instructions) found[size_t(target)] = true;
    }
    return found;
  }

  // Whether a constant is this text.
  bool is_text(unsigned index, const char *text) const {
    if (index >= constants.size() || !constants[index].text) return false;
    const Constant &constant = constants[index];
    return constant.length == std::strlen(text) && std::memcmp(constant.text, text, constant.length) == 0;
  }

  // Whether functions in it share a register with it.
  bool shares(unsigned reg) const {
    for (const Function &function : inner)
      for (const Upvalue &upvalue : function.upvalues)
        if (upvalue.is_register && upvalue.index == reg) return true;
    return false;
  }
};

Function read_function(Chunk &chunk) {
  Function function;
  chunk.text();
  chunk.size(), chunk.size();  // its lines
  function.parameters = chunk.byte();
  chunk.byte(), chunk.byte();  // varargs, registers
  function.instructions = chunk.size();
  function.code = chunk.bytes(function.instructions > UINT32_MAX ? SIZE_MAX : function.instructions * 4);
  for (size_t left = chunk.size(); left > 0 && chunk.is_good(); left--) function.constants.push_back(chunk.constant());
  for (size_t left = chunk.size(); left > 0 && chunk.is_good(); left--) {
    const bool is_register = chunk.byte() != 0;
    function.upvalues.push_back({is_register, chunk.byte()});
    chunk.byte();
  }
  for (size_t left = chunk.size(); left > 0 && chunk.is_good(); left--) function.inner.push_back(read_function(chunk));
  chunk.bytes(chunk.size());
  for (size_t left = chunk.size(); left > 0 && chunk.is_good(); left--) chunk.size(), chunk.size();
  for (size_t left = chunk.size(); left > 0 && chunk.is_good(); left--) chunk.text(), chunk.size(), chunk.size();
  for (size_t left = chunk.size(); left > 0 && chunk.is_good(); left--) chunk.text();
  return function;
}

// What lua_dump writes, up to a size.
struct Dump {
  std::string bytes;
  size_t longest;
};

int append(lua_State *, const void *bytes, size_t count, void *context) {
  Dump *dump = static_cast<Dump *>(context);
  if (count > dump->longest - dump->bytes.size()) return 1;
  dump->bytes.append(static_cast<const char *>(bytes), count);
  return 0;
}

// Reads the Lua function on top of the stack; the texts of its constants are in the dump.
bool take(lua_State *L, Dump *dump, Function *function) {
  if (!lua_isfunction(L, -1) || lua_iscfunction(L, -1)) return false;
  if (lua_dump(L, append, dump, 1) != 0) return false;
  Chunk chunk(dump->bytes);
  if (!chunk.header()) return false;
  chunk.byte();
  *function = read_function(chunk);
  return chunk.is_good();
}

// The upvalue in whose table the function is that a value is handed to at once, as its only argument: that of
// `function(parameter.field)`, for the instruction that reads the field. -1 where it is anything else.
int upvalue_of_call(const Function &function, size_t index, const char *name) {
  if (index == 0 || index + 1 >= function.instructions) return -1;
  const Instruction before = function.instruction(index - 1), after = function.instruction(index + 1);
  const unsigned callee = function.instruction(index).a() - 1;
  if (before.opcode() != get_global || before.a() != callee || !function.is_text(before.c(), name)) return -1;
  if (after.opcode() != call || after.a() != callee || after.b() != 2) return -1;
  return int(before.b());
}

// Whether a function leaves a global alone, for the upvalues that are the table of globals.
bool leaves_global(const Function &function, const std::vector<bool> &globals, const char *name) {
  for (unsigned i = 0; i < function.constants.size(); i++)
    if (function.is_text(i, "_G")) return false;
  for (size_t i = 0; i < function.instructions; i++) {
    const Instruction instruction = function.instruction(i);
    if (instruction.opcode() == set_global && function.is_text(instruction.b(), name)) return false;
    if (instruction.opcode() != get_upvalue && instruction.opcode() != set_upvalue) continue;
    if (instruction.b() < globals.size() && globals[instruction.b()]) return false;
  }
  for (const Function &inner : function.inner) {
    std::vector<bool> theirs;
    for (const Upvalue &upvalue : inner.upvalues)
      theirs.push_back(!upvalue.is_register && upvalue.index < globals.size() && globals[upvalue.index]);
    if (!leaves_global(inner, theirs, name)) return false;
  }
  return true;
}

}  // namespace

bool bytecode_reads_fields(
  lua_State *L, unsigned parameter, const char *callee, size_t most, std::vector<FieldRead> *fields) {
  // Nobody counts the steps of this, so it is for handlers of a usual size.
  Dump dump = {{}, 32 << 10};
  Function function;
  if (!take(L, &dump, &function) || parameter >= function.parameters || function.shares(parameter)) return false;
  const std::vector<bool> targets = function.targets();
  for (size_t i = 0; i < function.instructions; i++) {
    const Instruction instruction = function.instruction(i);
    if (instruction.opcode() >= sizeof operands) return false;
    if (!instruction.touches(parameter)) continue;
    if (instruction.opcode() != get_field || instruction.a() == parameter) return false;
    if (instruction.c() >= function.constants.size() || !function.constants[instruction.c()].text) return false;
    const Constant &constant = function.constants[instruction.c()];
    const std::string name(constant.text, constant.length);
    // A jump leads there in (f or callee)(parameter.field), of which the instruction before the read is not all.
    const int upvalue = targets[i] ? -1 : upvalue_of_call(function, i, callee);
    auto same = std::find_if(fields->begin(), fields->end(), [&](const FieldRead &read) { return read.name == name; });
    if (same == fields->end() && fields->size() == most) return false;
    if (same == fields->end()) fields->push_back({name, upvalue});
    else if (same->upvalue != upvalue) same->upvalue = -1;
  }
  return true;
}

bool bytecode_leaves_global(lua_State *L, const char *name) {
  Dump dump = {{}, SIZE_MAX};
  Function function;
  return take(L, &dump, &function) && leaves_global(function, {true}, name);
}
