import Glibc
import Scripting
import Testing

/// Scripts that try to take the host down, each of another kind.
@Suite("A hostile script ends within its limits and leaves nothing behind")
struct HostileScriptTests {
  struct Attack: Sendable, CustomTestStringConvertible {
    var name: String
    /// `limited`, `rejected`, `contained`, or `ok=VALUE`.
    var expected: String
    var body: String

    var testDescription: String { name }

    init(_ name: String, _ expected: String, _ body: String) {
      self.name = name
      self.expected = expected
      self.body = body
    }
  }

  static let own = [
    Attack("an endless loop", "limited", "while true do end"),
    Attack("a loop around pcall", "limited", "while true do pcall(function() while true do end end) end"),
    Attack(
      "an endless message handler", "limited",
      "xpcall(function() error('a') end, function() while true do end end) while true do end"),
    Attack("a growing table", "limited", "local t = {} for i = 1, math.huge do t[i] = {i} end"),
    Attack("a doubling text", "limited", "local s = 'x' while true do s = s .. s end"),
    Attack("items of what is no table", "rejected", "for _, item in ipairs(nil) do return item end"),
    Attack(
      "an iterator's step on what is no table", "rejected", "local step = ipairs({}) return step(nil, 0)"),
    Attack("a step on a function", "rejected", "local step = ipairs({}) return step(print or type, 1)"),
    Attack("a huge text", "contained", "return #string.rep('x', 10000000000)"),
    Attack("backtracking", "limited", "return string.find(string.rep('a', 20000), '.-.-.-.-.-.-b')"),
    Attack("recursion", "contained", "local function f(n) return 1 + f(n + 1) end return f(1)"),
    Attack("recursion through C", "contained", "local function dig() string.gsub('x', 'x', dig) end dig()"),
    Attack("moving a huge range", "contained", "table.move({}, 1, 1 << 60, 2)"),
    Attack("a finalizer", "rejected", "setmetatable({}, {__gc = function() while true do end end})"),
    Attack("a weak table", "rejected", "setmetatable({}, {__mode = 'k'})"),
    Attack("a flood of alerts", "limited", "for i = 1, 1000000 do alert('alert ' .. i) end"),
    Attack("an alert before a loop", "limited", "alert('must not leave') while true do end"),
    Attack(
      "deep state", "rejected", "local t = {} local c = t for i = 1, 200000 do c.n = {} c = c.n end return t"),
    Attack("state that doubles", "rejected", "local t = {} for i = 1, 60 do t = {t, t} end return t"),
    Attack("a function in state", "rejected", "return print or type"),
    Attack("nan in state", "rejected", "return 0/0"),
    Attack("text that isn't UTF-8", "rejected", "return '\\xff'"),
    Attack(
      "files and processes", "ok=safe", "return (os or io or debug or load or dofile) and 'ESCAPED' or 'safe'"
    ),
    Attack("coroutines", "ok=safe", "return coroutine and 'ESCAPED' or 'safe'"),
    Attack("addresses", "ok=safe", "return tostring({}):find('0x') and 'LEAK' or 'safe'"),
    Attack(
      "poisoned libraries", "contained",
      "for k in pairs(string) do string[k] = function() return 'poisoned' end end tostring = nil pairs = nil"),
  ]

  static let shared: [Attack] = SharedInputs.files(in: "attacks").map { file in
    let text = SharedInputs.text("attacks/\(file)")
    let first = text.prefix { $0 != "\n" }
    let words = first.split(separator: " ")
    let expected = words.count > 2 ? String(words[2]) : "contained"
    return Attack(file, expected, text)
  }

  @Test("of our own", arguments: own)
  func ours(_ attack: Attack) throws { try judge(attack) }

  @Test(
    "of the shared inputs", .enabled(if: !shared.isEmpty, "the shared inputs are not here"), arguments: shared
  )
  func given(_ attack: Attack) throws { try judge(attack) }

  /// Judges all that a hostile script must leave alone. That the process lives is seen by the tests that follow.
  private func judge(_ attack: Attack) throws {
    let beside = try ScriptTrial(body: "return 'beside'")
    var clock = ProcessorClock()
    let trial: ScriptTrial
    do {
      trial = try ScriptTrial(body: attack.body)
    } catch let failure as ScriptFailure {
      #expect(attack.expected == "rejected", "\(failure.reason)")
      #expect(clock.lap() < Self.longestAnswer)
      try expectUnaffected(beside)
      try expectUnaffected(ScriptTrial(body: "return 'beside'"))
      return
    }
    #expect(trial.receive(#"{"ok":true}"#) == nil)
    let before = try trial.state()
    _ = clock.lap()
    let failure = trial.receive(#"{"x":1}"#)
    #expect(clock.lap() < Self.longestAnswer, "it answers within its limit")
    switch attack.expected {
    case "limited":
      let cause = try #require(failure?.cause)
      #expect(cause != .error, "\(failure?.reason ?? "")")
    case "rejected": #expect(failure?.cause == .error)
    case "contained": break
    default:
      #expect(failure == nil, "\(failure?.reason ?? "")")
      let value = try trial.state()["last"]
      #expect(value == .text(String(attack.expected.dropFirst(3))))
    }
    if failure != nil {
      #expect(try trial.state() == before, "state is as before the failed message")
      #expect(trial.sent.isEmpty, "no effect of the failed message is left")
    }
    // What got through may have changed its own state, and only that.
    guard case .integer(let count)? = try trial.state()["count"] else {
      Issue.record("expected a count, got \(try trial.state())")
      return
    }
    #expect(trial.receive(#"{"ok":true}"#) == nil, "the next message is handled")
    #expect(try trial.state()["count"] == .integer(count + 1))
    #expect(trial.machine.memoryBytes < 64 << 20, "its memory is within the hard limit")
    try expectUnaffected(beside)
    // The machine can be loaded again, and goes on with what was stored.
    let again = try ScriptTrial(body: attack.body)
    var row = trial.machine.row(of: 0)
    try row.withUTF8 { bytes in try again.machine.restore(key: "", row: UnsafeRawBufferPointer(bytes)) }
    #expect(again.receive(#"{"ok":true}"#) == nil, "the script loaded again handles a message")
    #expect(try again.state()["count"] == .integer(count + 2))
  }

  /// The limit of a second, and 100 ms.
  private static let longestAnswer = 1.1

  private func expectUnaffected(_ beside: ScriptTrial) throws {
    #expect(beside.receive(#"{"x":1}"#) == nil, "a script beside it sees nothing")
    #expect(try beside.state()["last"] == "beside")
  }
}

/// Seconds that this thread kept a processor busy: other tests beside this one don't count.
private struct ProcessorClock {
  private var last = Self.now

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// The seconds since the last call.
  mutating func lap() -> Double {
    let now = Self.now
    defer { last = now }
    return now - last
  }
}
