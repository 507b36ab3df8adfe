import Scripting
import Testing

@testable import Pipeline

@Suite("A reload beside the running script")
struct EngineReloadTests {
  private static func script(_ field: String, _ rest: String = "") -> String {
    """
    local M = { on = {}, actions = {}, key = "s" }
    M.state = { \(field) = 0 }
    local over = alert.rule { name = "over", crosses_above = 100, resolve = false }
    function M.actions.later(state) end
    function M.on.feed(state, message)
      state.\(field) = state.\(field) + message.p
      if message.later then effect.after("1h", "later") end
      over:check(state.\(field))
    end
    \(rest)
    return M
    """
  }

  private static let migrating = script("total", "function M.migrate(old) return { total = old.sum } end")

  private func wiring(_ source: String) throws -> EngineWiring {
    let runner = try ScriptRunner(name: "watch", file: ScriptFile(name: "watch.lua", source: source))
    return EngineWiring(
      runners: [runner], feeds: [[EngineWiring.Feed(runner: runner, input: "feed")]],
      router: AlertRouter(routes: [], channels: ["screen"]))
  }

  private func send(_ wiring: EngineWiring, _ key: String, _ rest: String = "\"p\":1") {
    let batch = MessageBatch()
    batch.append("{\"s\":\"\(key)\",\(rest)}", time: 1_000)
    _ = batch.decode()
    wiring.runners[0].handle(batch, in: 0..<1, input: "feed", source: "feed", number: 0)
  }

  private let now = Timestamp(milliseconds: 2_000)

  /// What a storage would hold after these commits: by key, the row.
  private func stored(_ commits: Commit...) -> [String: String] {
    let storage = MemoryStorage()
    for commit in commits { storage.submit(commit) { _ in } }
    var rows: [String: String] = [:]
    storage.load().states.forEachRow(of: "watch") { fields in
      rows[String(decoding: fields[1]!, as: UTF8.self)] = String(decoding: fields[2]!, as: UTF8.self)
    }
    return rows
  }

  @Test("keys that change or are made while others are copied arrive with their last state, stored ones too")
  func catchingUp() throws {
    let wiring = try wiring(Self.script("sum"))
    for key in 0..<100 { send(wiring, "k\(key)") }
    let reload = try EngineReload(wiring, to: try self.wiring(Self.migrating))
    var commits = Commit()
    #expect(try reload.copy(count: 50, at: now) == false)
    send(wiring, "k0")
    send(wiring, "k99")
    wiring.runners[0].collect(into: &commits)
    send(wiring, "k1")
    while !(try reload.copy(count: 10, at: now)) {
      if wiring.runners[0].machine.keyCount < 110 { send(wiring, "n\(wiring.runners[0].machine.keyCount)") }
    }
    send(wiring, "k2")
    send(wiring, "last")
    let reports = try reload.finish(at: now)
    #expect(reports.map(\.isMigrated) == [true])
    let rows = wiring.runners[0].rows
    #expect(reports.map(\.keyCount) == [rows.count])
    for key in ["k0", "k99", "k1", "k2"] { #expect(rows[key] == #"{"total":2}"#, "\(key)") }
    for key in ["k50", "last", "n100"] { #expect(rows[key] == #"{"total":1}"#, "\(key)") }
    var after = Commit()
    wiring.runners[0].collect(into: &after)
    #expect(stored(commits, after) == rows, "one commit holds every migrated row")
  }

  @Test("a key that changes right before the swap goes on with its last state, where no other is new")
  func lastChange() throws {
    let wiring = try wiring(Self.script("sum"))
    for key in ["a", "b"] { send(wiring, key) }
    let reload = try EngineReload(wiring, to: try self.wiring(Self.migrating))
    while !(try reload.copy(count: 10, at: now)) {}
    send(wiring, "a")
    _ = try reload.finish(at: now)
    #expect(wiring.runners[0].rows == ["a": #"{"total":2}"#, "b": #"{"total":1}"#])
  }

  @Test("a migration works on copies: where one key fails, the others keep what they had")
  func copies() throws {
    let wiring = try wiring(Self.script("sum"))
    for key in ["good", "bad"] { send(wiring, key) }
    let failing = Self.script(
      "sum",
      "function M.migrate(old, key) if key == 'bad' then error('no') end return { sum = old.sum .. '!' } end"
    ).replacing("sum = 0", with: "sum = ''")
    let reload = try EngineReload(wiring, to: try self.wiring(failing))
    #expect(throws: ReloadRefusal.self) { while !(try reload.copy(count: 1, at: now)) {} }
    #expect(wiring.runners[0].rows == ["bad": #"{"sum":1}"#, "good": #"{"sum":1}"#])
  }

  @Test("what was sent without a rule goes on counting, so that no id comes twice")
  func sent() throws {
    func script(_ form: String) -> String {
      "local M = { on = {}, state = {} } function M.on.feed() alert.send { name = 'n', text = '\(form)' } end return M"
    }
    let wiring = try wiring(script("first"))
    func ids() -> [String] {
      wiring.runners[0].takeRequests().compactMap { if case .alert(let alert) = $0 { alert.id } else { nil } }
    }
    for _ in 0..<2 { send(wiring, "") }
    var all = ids()
    let reload = try EngineReload(wiring, to: try self.wiring(script("second")))
    while !(try reload.copy(count: 10, at: now)) {}
    _ = try reload.finish(at: now)
    for _ in 0..<2 { send(wiring, "") }
    all += ids()
    #expect(all.count == 4 && Set(all).count == 4)
  }

  @Test("what had changed before the swap and was not stored yet is stored after it")
  func unstored() throws {
    let wiring = try wiring(Self.script("sum"))
    send(wiring, "a", "\"p\":5,\"later\":true")
    let same = try self.wiring(Self.script("sum", "-- as before"))
    let reload = try EngineReload(wiring, to: same)
    #expect(try reload.copy(count: 10, at: now))
    _ = try reload.finish(at: now)
    #expect(wiring.runners[0].hasChanges)
    var commit = Commit()
    wiring.runners[0].collect(into: &commit)
    #expect(stored(commit) == ["a": #"{"sum":5}"#])
    #expect(commit.timers.count == 1)
  }

  @Test("a timer that begins to wait for an action while states are copied stops the swap")
  func lateTimer() throws {
    let wiring = try wiring(Self.script("sum"))
    let renamed = Self.script("sum").replacing("M.actions.later", with: "M.actions.renamed")
      .replacing("\"later\"", with: "\"renamed\"")
    let reload = try EngineReload(wiring, to: try self.wiring(renamed))
    #expect(try reload.copy(count: 10, at: now))
    send(wiring, "a", "\"p\":1,\"later\":true")
    let refusal = #expect(throws: ReloadRefusal.self) { try reload.finish(at: now) }
    #expect(refusal?.findings.first?.contains("M.actions.later is gone") == true)
    send(wiring, "a")
    #expect(wiring.runners[0].rows == ["a": #"{"sum":2}"#], "the old script runs on")
  }

  /// Two scripts that one source feeds.
  private func pair(_ first: String, _ second: String) throws -> EngineWiring {
    let runners = try [("a", first), ("b", second)].map { name, source in
      try ScriptRunner(name: name, file: ScriptFile(name: "\(name).lua", source: source))
    }
    return EngineWiring(
      runners: runners, feeds: [runners.map { EngineWiring.Feed(runner: $0, input: "feed") }],
      router: AlertRouter(routes: [], channels: []))
  }

  @Test(
    "of several scripts none is touched when one would lose something, whichever it is",
    arguments: [true, false])
  func refusedTogether(isFirst: Bool) throws {
    let wiring = try pair(Self.script("sum"), Self.script("sum"))
    send(wiring, "x")
    let losing = Self.script("sum").replacing("\"over\"", with: "\"above\"")
    let next = isFirst ? try pair(losing, Self.migrating) : try pair(Self.migrating, losing)
    let refusal = #expect(throws: ReloadRefusal.self) { _ = try EngineReload(wiring, to: next) }
    #expect(refusal?.findings.count == 1)
    #expect(refusal?.findings.first?.contains("the rule 'over' is gone") == true)
    #expect(wiring.runners.allSatisfy { $0.reload == nil })
    send(wiring, "x")
    #expect(wiring.runners[0].rows == ["x": #"{"sum":2}"#])
  }

  @Test("of several scripts none is replaced when one can't be")
  func allOrNothing() throws {
    let wiring = try pair(Self.script("sum"), Self.script("sum"))
    send(wiring, "x")
    let failing = Self.script("total", "function M.migrate(old) error('no') end")
    let reload = try EngineReload(wiring, to: try pair(Self.migrating, failing))
    let refusal = #expect(throws: ReloadRefusal.self) {
      // The second script has seen no message: it gets one, so that it has a state to migrate.
      let batch = MessageBatch()
      batch.append(#"{"s":"x","p":1}"#, time: 1_000)
      _ = batch.decode()
      wiring.runners[1].handle(batch, in: 0..<1, input: "feed", source: "feed", number: 0)
      while !(try reload.copy(count: 10, at: now)) {}
      _ = try reload.finish(at: now)
    }
    #expect(refusal?.findings == ["b.lua:10: no (the state of the key 'x')"])
    #expect(wiring.runners.map(\.rows) == [["x": #"{"sum":1}"#], ["x": #"{"sum":1}"#]])
    #expect(wiring.runners.allSatisfy { $0.reload == nil })
  }

  @Test("a script whose text and parameters are the same is left alone")
  func unchanged() throws {
    let wiring = try wiring(Self.script("sum"))
    let machine = wiring.runners[0].machine
    let reload = try EngineReload(wiring, to: try self.wiring(Self.script("sum")))
    #expect(reload.scripts == [])
    #expect(try reload.finish(at: now) == [])
    #expect(wiring.runners[0].machine === machine)
  }

  @Test(
    "after a kill right behind a reload, rows of the old form are migrated at the next start, and only once")
  func restart() throws {
    let old = try wiring(Self.script("sum"))
    for key in ["a", "b"] { send(old, key, "\"p\":3") }
    let storage = MemoryStorage()
    var commit = Commit()
    old.runners[0].collect(into: &commit)
    storage.submit(commit) { _ in }
    // The reload happened, and nothing of it was stored.
    for _ in 0..<2 {
      let started = try wiring(Self.migrating)
      let faults = try started.runners[0].restore(storage.load(), at: now, sources: [0], resumes: true)
      #expect(faults == [])
      #expect(started.runners[0].rows == ["a": #"{"total":3}"#, "b": #"{"total":3}"#])
      var next = Commit()
      started.runners[0].collect(into: &next)
      storage.submit(next) { _ in }
      #expect(stored(next).count == 2 || next.states.isEmpty)
    }
  }

  @Test("a migration that fails at the start refuses it, so that nothing of the old form is lost")
  func failingRestart() throws {
    let old = try wiring(Self.script("sum"))
    send(old, "a")
    let storage = MemoryStorage()
    var commit = Commit()
    old.runners[0].collect(into: &commit)
    storage.submit(commit) { _ in }
    let failing = try wiring(Self.script("total", "function M.migrate(old) error('no') end"))
    let failure = #expect(throws: ScriptFailure.self) {
      _ = try failing.runners[0].restore(storage.load(), at: now, sources: [0], resumes: true)
    }
    #expect(failure?.reason.hasPrefix("watch.lua:10: no") == true)
  }
}
