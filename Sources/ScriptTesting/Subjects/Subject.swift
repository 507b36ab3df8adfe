import Pipeline
import Scripting

/// The scripts behind one `t` of a test, with what they did and what of it was claimed.
///
/// Confined to the actor that runs the test file, like the engine in it.
final class Subject {
  /// What state is known by.
  struct Place: Hashable {
    var script: String
    var key: String
    var field: String
  }

  /// Makes an engine on the actor that runs the test file.
  typealias MakeEngine = (SubjectParts, Timestamp, MemoryStorage) -> VirtualEngine

  /// What a reload takes in place of what the test began with.
  struct Change {
    var file: String?
    var parameters: [String: Value]?
  }

  private let make: (Change) throws(ClaimError) -> SubjectParts
  private var change = Change()
  private let storage = MemoryStorage()
  private let start: Timestamp
  private(set) var parts: SubjectParts
  private(set) var engine: VirtualEngine
  private let makeEngine: MakeEngine

  /// State as it was before the last verb: by script and key, the row and its fields.
  private var baseline: [String: [String: String]] = [:]
  /// The fields that each script declared before the last verb.
  private var declaredBefore: [String: Set<String>] = [:]
  private var claimed: Set<Place> = []
  /// What happened and is not claimed yet, in order.
  private var pending: [Happening] = []
  private var deliveredTo: [String: [String]] = [:]
  private var history: [String] = []
  private var verb = "the start"
  private var verbLine: Int?
  /// The coverage by scripts that a restart has replaced.
  private var earlierCoverage = LineCoverage()

  init(
    now: Timestamp, makeEngine: @escaping MakeEngine,
    make: @escaping (Change) throws(ClaimError) -> SubjectParts
  ) throws(ClaimError) {
    self.make = make
    self.makeEngine = makeEngine
    start = now
    parts = try make(Change())
    for runner in parts.wiring.runners { runner.setRunsTwice(true) }
    engine = makeEngine(parts, now, storage)
    engine.start()
    gather()
    // The test begins when the sources are connected. It may claim what was asked for until then, and must claim
    // what failed.
    for index in pending.indices where pending[index].claim != .error { pending[index].isOptional = true }
    baseline = rows
  }

  // MARK: - Verbs

  /// Settles what went before, notes the verb, and lets it happen.
  func perform(_ text: String, line: UInt32, _ body: (VirtualEngine) -> Void) throws(ClaimError) {
    try begin(text, line: line)
    go(body)
  }

  /// Settles what went before and notes the verb.
  func begin(_ text: String, line: UInt32) throws(ClaimError) {
    try settle()
    baseline = rows
    for runner in engine.runners { declaredBefore[runner.name] = Set(defaults(runner).keys) }
    claimed = []
    verb = text
    verbLine = line == 0 ? nil : Int(line)
    note(engine.now, LuaLiteral.short("t.\(text)"))
  }

  /// Does something within the verb that has begun.
  func go(_ body: (VirtualEngine) -> Void) {
    body(engine)
    gather()
  }

  /// Stores everything, forgets everything, and begins again from what was stored.
  func restart() throws(ClaimError) {
    engine.storeAll()
    let failing = engine.failingChannels
    let now = engine.now
    earlierCoverage.add(parts.coverage)
    parts = try make(change)
    for runner in parts.wiring.runners { runner.setRunsTwice(true) }
    engine = makeEngine(parts, now, storage)
    for (channel, reason) in failing { engine.setFailure(of: channel, to: reason) }
    engine.start()
    gather()
  }

  /// Puts newer forms of the scripts in the place of those that run; gives why that was refused, if it was.
  func reload(_ change: Change) -> String? {
    let change = Change(
      file: change.file ?? self.change.file, parameters: change.parameters ?? self.change.parameters)
    do {
      let next = try make(change)
      guard next.sourceNames == parts.sourceNames else {
        return "other sources would be needed: \(next.sourceNames.joined(separator: ", ")) in place of "
          + parts.sourceNames.joined(separator: ", ")
      }
      try engine.reload(next.wiring)
      parts.inputs = next.inputs
      self.change = change
    } catch let error as ClaimError {
      return error.message
    } catch {
      return "\(error)"
    }
    gather()
    return nil
  }

  private func gather() {
    for (time, event) in engine.takeTimedEvents() {
      guard let happening = happening(event) else { continue }
      note(time, happening.description)
      pending.append(happening)
    }
  }

  private func happening(_ event: VirtualEngine.Event) -> Happening? {
    switch event {
    case .asked(let script, .alert(let alert)): return Happening(kind: .alert(alert), script: script)
    case .asked(let script, .log(let level, let text)):
      return Happening(kind: .log(level, text), script: script)
    case .asked(let script, .connect(let source)):
      return Happening(kind: .effect(name: "connect", target: source), script: script)
    case .asked(let script, .disconnect(let source)):
      return Happening(kind: .effect(name: "disconnect", target: source), script: script)
    case .asked(let script, .subscribe(let source, let change)):
      return Happening(kind: .subscription(source: source, change), script: script)
    case .asked(let script, .emit(let message)):
      // What stays within the wiring shows in what the receivers do; it may be claimed all the same.
      return Happening(
        kind: .emitted(topic: message.topic, json: message.json), script: script,
        isOptional: parts.wiring.isFed(by: script, topic: message.topic))
    case .asked(let script, .send(let output, _, let text)):
      return Happening(kind: .sent(output: output, text: text), script: script)
    case .asked(let script, .http(let request)):
      return Happening(kind: .requested(request), script: script)
    case .asked(let script, .publish(let output, _, let alert)):
      return Happening(kind: .published(output: output, json: alert.text), script: script)
    case .quarantined(let row): return Happening(kind: .failure(row), script: row.script)
    case .alert(let alert):
      // A script's alert was noted when the script asked for it.
      guard alert.script == "host", alert.name != HostAlert.scriptSuspended.rawValue else { return nil }
      return Happening(kind: .alert(alert), script: "host")
    case .delivered(let alert, _) where alert.kind == .published: return nil
    case .delivered(let alert, let channel):
      let isFresh = pending.contains {
        if case .alert(let other) = $0.kind { other.id == alert.id } else { false }
      }
      deliveredTo[alert.id, default: []].append(channel)
      return isFresh ? nil : Happening(kind: .delivery(alert, channel: channel), script: alert.script)
    case .log, .reloaded: return nil
    }
  }

  // MARK: - Claims

  /// Takes the next thing that happened, which must be of this kind and have these fields.
  func claim(_ kind: ClaimKind, _ fields: [String: Value], matches: (Happening) -> String?) throws(ClaimError)
  {
    let known = kind.fields
    if let unknown = Value.sortedKeys(fields).first(where: { !known.contains($0) }) {
      throw ClaimError(
        "unknown field '\(unknown)'; known: \(known.sorted().joined(separator: ", "))", unclaimed: unclaimed()
      )
    }
    // Errors and what handlers ask for are two lines of events.
    let lane = pending.indices.filter { (pending[$0].claim == .error) == (kind == .error) }
    var reason: String?
    for index in lane {
      let mismatch = mismatch(pending[index], kind, fields) ?? matches(pending[index])
      guard let mismatch else {
        pending = pending.enumerated().filter { offset, other in
          offset != index && !(offset < index && other.isOptional)
        }.map(\.element)
        return
      }
      if reason == nil || !pending[index].isOptional { reason = mismatch }
      if !pending[index].isOptional { break }
    }
    throw ClaimError(
      reason ?? "expected \(kind.article) \(kind.noun)\(shown(fields)), but nothing more happened",
      unclaimed: unclaimed())
  }

  private func shown(_ fields: [String: Value]) -> String {
    fields.isEmpty ? "" : " \(LuaLiteral.short(LuaLiteral.table(fields)))"
  }

  private func mismatch(_ happening: Happening, _ kind: ClaimKind, _ fields: [String: Value]) -> String? {
    guard happening.claim == kind else {
      return "expected \(kind.article) \(kind.noun)\(shown(fields)), but next came \(happening.description)"
    }
    var channels: [String] = []
    if case .alert(let alert) = happening.kind { channels = (deliveredTo[alert.id] ?? []).sorted() }
    var expected = fields
    if let to = fields["to"]?.text { expected["to"] = .list([.text(to)]) }
    if case .list(let to)? = fields["to"] {
      expected["to"] = .list(to.compactMap(\.text).sorted().map { .text($0) })
    }
    if case .map(let to)? = fields["to"], to.isEmpty { expected["to"] = .list([]) }
    if let value = fields["value"]?.double { expected["value"] = .number(value) }
    let difference = ValueDifference(fields: expected, got: happening.fields(channels: channels))
    return difference.isEmpty ? nil : "the \(kind.noun) is not as claimed:\(difference.text)"
  }

  /// Claims fields of a key's state; without fields, that nothing of it changed. A statistic is claimed by its value,
  /// which is null while it warms up.
  func claimState(script: String?, key: String, _ fields: [String: Value]) throws(ClaimError) {
    let runner = try runner(named: script)
    guard let current = fieldsByKey(runner)[key] ?? (key.isEmpty ? defaults(runner) : nil) else {
      let keys = runner.rows.keys.sorted().prefix(10).map(LuaLiteral.quoted).joined(separator: ", ")
      throw ClaimError(
        "there is no state under the key \(LuaLiteral.quoted(key))\(keys.isEmpty ? "" : "; there is \(keys)")",
        unclaimed: unclaimed())
    }
    let declared = Set(defaults(runner).keys)
    if let unknown = Value.sortedKeys(fields).first(where: { !declared.contains($0) }) {
      throw ClaimError(
        "the script declares no field '\(unknown)'; M.state has \(declared.sorted().joined(separator: ", "))",
        unclaimed: unclaimed())
    }
    let difference = ValueDifference(fields: fields, got: current)
    guard difference.isEmpty else {
      throw ClaimError("the state is not as claimed:\(difference.text)", unclaimed: unclaimed())
    }
    for field in fields.keys { claimed.insert(Place(script: runner.name, key: key, field: field)) }
  }

  /// The script that a claim is about.
  private func runner(named name: String?) throws(ClaimError) -> ScriptRunner {
    let names = engine.runners.map(\.name)
    guard let name else {
      if engine.runners.count == 1 { return engine.runners[0] }
      throw ClaimError(
        "say whose state it is, as in t.state(\"\", { … }, { script = \(LuaLiteral.quoted(names.first ?? "")) })"
      )
    }
    guard let runner = engine.runner(named: name) else {
      throw ClaimError("there is no script '\(name)'; known: \(names.joined(separator: ", "))")
    }
    return runner
  }

  /// Claims that nothing happened that was not claimed already.
  func claimNothing() throws(ClaimError) {
    let rest = unclaimed()
    guard rest.isEmpty else { throw ClaimError("expected nothing, but something happened", unclaimed: rest) }
  }

  /// Fails if anything of the last verb was not claimed.
  func settle() throws(ClaimError) {
    let rest = unclaimed()
    guard rest.isEmpty else {
      throw ClaimError(
        "what \(LuaLiteral.short(verb)) did was not claimed in full", line: verbLine, unclaimed: rest)
    }
    pending = []
  }

  /// How often the lines of the scripts ran since the test began.
  var coverage: LineCoverage {
    var coverage = earlierCoverage
    coverage.add(parts.coverage)
    return coverage
  }

  /// What happened since the last verb and was not claimed.
  func unclaimed() -> [TestFailure.Unclaimed] {
    var rest: [TestFailure.Unclaimed] = []
    for runner in engine.runners {
      let before = baseline[runner.name] ?? [:]
      let after = runner.rows
      for key in after.keys.sorted() where after[key] != before[key] {
        let new = fields(ofRow: after[key] ?? "{}")
        // What a reload no longer declares is gone; what it newly does begins with its default.
        let declared = defaults(runner)
        let added = declared.filter { declaredBefore[runner.name]?.contains($0.key) == false }
        let old = before[key].map { fields(ofRow: $0).merging(added) { old, _ in old } } ?? declared
        let changed = declared.keys.filter { field in
          new[field] != old[field] && !claimed.contains(Place(script: runner.name, key: key, field: field))
        }
        guard !changed.isEmpty else { continue }
        rest.append(unclaimedState(runner.name, key, changed.sorted(), old, new))
      }
    }
    for happening in pending where !happening.isOptional {
      var entry = TestFailure.Unclaimed(what: happening.description, claim: happening.suggestion)
      if case .failure(let row) = happening.kind {
        entry.excerpt = parts.excerpt(of: row.script, at: row.place) ?? []
      }
      rest.append(entry)
    }
    return rest
  }

  private func unclaimedState(
    _ script: String, _ key: String, _ changed: [String], _ old: [String: Value], _ new: [String: Value]
  ) -> TestFailure.Unclaimed {
    let changes = ValueDifference(changed: changed, from: old, to: new)
    let fields = Dictionary(uniqueKeysWithValues: changed.map { ($0, new[$0] ?? .null) })
    let table = LuaLiteral.table(fields)
    let isAlone = engine.runners.count == 1
    let claim =
      isAlone
      ? (key.isEmpty ? "t.state \(table)" : "t.state(\(LuaLiteral.quoted(key)), \(table))")
      : "t.state(\(LuaLiteral.quoted(key)), \(table), { script = \(LuaLiteral.quoted(script)) })"
    let whose = (isAlone ? "" : " of '\(script)'") + (key.isEmpty ? "" : " under \(LuaLiteral.quoted(key))")
    return .init(
      what: "state\(whose) changed: \(changes.line)", claim: claim)
  }

  // MARK: - State

  private var rows: [String: [String: String]] {
    Dictionary(engine.runners.map { ($0.name, $0.rows) }, uniquingKeysWith: { first, _ in first })
  }

  private func fieldsByKey(_ runner: ScriptRunner) -> [String: [String: Value]] {
    runner.rows.mapValues { fields(ofRow: $0) }
  }

  private func defaults(_ runner: ScriptRunner) -> [String: Value] {
    if case .map(let fields)? = runner.declarations["state"] {
      fields.mapValues(\.withStatisticAsValue)
    } else {
      [:]
    }
  }

  /// The fields of a row; the machine wrote it, so it has some.
  private func fields(ofRow row: String) -> [String: Value] { ScriptRunner.fields(ofRow: row) ?? [:] }

  // MARK: - History

  private static let historyLimit = 20
  private var earlierCount = 0

  private func note(_ time: Timestamp, _ text: String) {
    history.append("\(clock(time))  \(text)")
    if history.count > Self.historyLimit {
      history.removeFirst()
      earlierCount += 1
    }
  }

  /// What happened so far, the last lines of it.
  var shownHistory: [String] { (earlierCount > 0 ? ["… \(earlierCount) earlier"] : []) + history }

  /// The time since the start of the test, as `+0:10:00.000`.
  private func clock(_ time: Timestamp) -> String {
    let span = max((time - start).count, 0)
    func digits(_ number: Int64, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(width - text.count, 0)) + text
    }
    let seconds = span / 1_000
    return
      "+\(seconds / 3_600):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2)).\(digits(span % 1_000, 3))"
  }
}
