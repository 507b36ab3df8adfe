package import Scripting

/// One script at work: its machine, and all it has with the host.
///
/// Confined to the engine. Handlers are all or nothing; one that fails leaves a row for the quarantine.
package final class ScriptRunner {
  /// The name that the configuration gives the script.
  package let name: String
  /// What the file declared: `inputs`, `actions`, `events`, `state`, `keyed`.
  package internal(set) var declarations: Value { didSet { shape = Self.shape(of: declarations) } }
  /// The form of the state: the declared fields with the kinds of their defaults, and whether there are keys.
  private(set) var shape = ""
  // Unchecked, here and below, because each access is a load or a store on the engine's thread, for each batch.
  @exclusivity(unchecked) var machine: ScriptMachine
  @exclusivity(unchecked) var session: ScriptSession
  /// The text that runs, with what it was given.
  package internal(set) var source: ScriptSource
  /// What `M.timers` declares, by the name of the action.
  var recurrences: [String: Recurrence]
  /// When the script began; recurring timers that were missed before it are made up for once.
  private var begin: Timestamp?
  /// When stored timers were taken over: those due before are late.
  var restoredAt: Timestamp?
  /// Whether nothing of the script was stored, so that a history may come first.
  var isCold = true
  @exclusivity(unchecked) var suspension = Suspension()
  var runsTwice = false
  /// When another form of the script last took the place of one, nil for never.
  var reloaded: Timestamp?
  /// What a reload leaves to be stored: changes of the former machine, and rows that are gone.
  var carried = Commit()
  /// The reload under way, which has to know which keys change.
  weak var reload: ScriptReload?
  /// The form of the state that the stored rows have, nil where nothing says so.
  var storedShape: String?
  @exclusivity(unchecked) private(set) var quarantined: [QuarantineRow] = []
  /// Ends of runs that a recording has to tell, since the last call of ``takeKills()``.
  @exclusivity(unchecked) var kills: [RecordedKill] = []
  var foretold = ForetoldKills()
  var runCounts = RunCounts()
  @exclusivity(unchecked) private var reportedCount = 0
  /// Messages handled, whether they got through or not.
  @exclusivity(unchecked) package private(set) var handledCount: UInt64 = 0
  /// Messages that failed.
  package private(set) var failedCount: UInt64 = 0
  /// Messages skipped while the script was suspended.
  package private(set) var suspendedCount: UInt64 = 0
  /// After so many messages of which none had a key, the script says so.
  private static let keylessLimit: UInt64 = 100
  @exclusivity(unchecked) private var isToldOfKeys = false
  /// Messages without a key that former machines of this script skipped.
  var earlierKeylessCount: UInt64 = 0
  /// The lines that former machines of this script ran.
  var earlierCoverage = LineCoverage()
  /// The sources that feed the script, once it has begun.
  private(set) var sources: [UInt16] = []
  /// What the sources do, of those that have said so.
  var sourceStates: [UInt16: RuleSource] = [:]

  /// Loads a script.
  ///
  /// - Parameters:
  ///   - logByteLimit: bytes of log text for one message.
  ///   - effectByteLimit: bytes of payloads that one message may hand on.
  ///   - outputs: where the script's outputs lead; nil takes any name.
  ///   - coversLines: whether ``coverage`` counts the lines that run, which costs time.
  /// - Throws: ``ScriptFailure`` when the file has a fault, or declares something that does not hold.
  package init(
    name: String, file: ScriptFile, parameters: [String: Value] = [:],
    limits: MachineLimits = MachineLimits(),
    logByteLimit: Int = 64 << 10, effectByteLimit: Int = 4 << 20, outputs: ScriptOutputs? = nil,
    coversLines: Bool = false
  ) throws(ScriptFailure) {
    self.name = name
    source = ScriptSource(
      file: file, parameters: parameters, limits: limits, logByteLimit: logByteLimit,
      effectByteLimit: effectByteLimit, outputs: outputs)
    session = ScriptSession(
      name: name, parameters: parameters, logByteLimit: logByteLimit, effectByteLimit: effectByteLimit,
      outputs: outputs)
    let functions = ScriptFunctions(session: session).all
    let machine = ScriptMachine(profile: .script, limits: limits, functions: functions, host: session)
    guard let machine else { throw ScriptFailure(reason: "\(file.name): no memory for the script") }
    self.machine = machine
    session.machine = machine
    machine.setCovering(coversLines)
    for (module, source) in file.modules.sorted(by: { $0.key < $1.key }) {
      machine.addModule(module, source: source)
    }
    try machine.load(file.source, name: file.name)
    declarations = machine.result
    shape = Self.shape(of: declarations)
    let actions = Self.names(declarations["actions"])
    session.setActions(Set(actions))
    recurrences = try Self.recurrences(declarations["timers"], actions: actions, file: file.name)
    let unused = Set(parameters.keys).subtracting(session.usedParameters).sorted()
    if let first = unused.first {
      throw ScriptFailure(
        reason:
          "\(file.name): the configuration gives the parameter '\(first)', but the script declares none; "
          + "declare it with params { \(first) = … }")
    }
  }

  /// How often each line of the script's files ran, by the files' names; empty unless lines are counted.
  package var coverage: LineCoverage {
    var coverage = earlierCoverage
    coverage.add(machine.coverage)
    return coverage
  }

  /// Whether each handler runs twice from the same state, to find what a script keeps outside of it.
  package func setRunsTwice(_ runsTwice: Bool) {
    self.runsTwice = runsTwice
    machine.setRunsTwice(runsTwice)
  }

  /// The inputs that the script has handlers for.
  package var inputs: [String] { Self.names(declarations["inputs"]) }

  /// The rules in the order of their declaration.
  package var rules: [AlertRule] { session.rules.rules }

  static func names(_ value: Value?) -> [String] {
    if case .list(let names) = value { names.compactMap(\.text) } else { [] }
  }

  private static func recurrences(
    _ timers: Value?, actions: [String], file: String
  ) throws(ScriptFailure) -> [String: Recurrence] {
    guard case .map(let members)? = timers else {
      if timers == .list([]) { return [:] }
      throw ScriptFailure(
        reason: "\(file): M.timers: expected a table such as { summary = daily(\"08:00\") }, got a list")
    }
    var recurrences: [String: Recurrence] = [:]
    for name in Value.sortedKeys(members) {
      guard actions.contains(name) else {
        throw ScriptFailure(
          reason: "\(file): M.timers.\(name): there is no M.actions.\(name) to run; "
            + Suggestion.hint(for: name, among: actions))
      }
      guard let recurrence = members[name].flatMap(Recurrence.init) else {
        throw ScriptFailure(
          reason: "\(file): M.timers.\(name): expected daily(\"08:00\", zone) or every(\"1m\"), got "
            + ScriptFunctions.described(members[name]))
      }
      recurrences[name] = recurrence
    }
    return recurrences
  }

  // MARK: - Time

  /// Begins the declared timers: those that go on from storage, and new ones; and what rules watch from the start.
  ///
  /// - Parameter sources: the numbers of the sources that feed the script, which count as down until they connect.
  package func begin(at now: Timestamp, sources: [UInt16] = []) {
    begin = now
    self.sources = sources
    armRules(at: now)
    session.timers.interruptRequests(at: now)
    for (action, recurrence) in recurrences.sorted(by: { $0.key < $1.key }) {
      let name = ScriptTimer.Name(key: "", action: action)
      let stored = session.timers.timer(name)
      session.timers.schedule(name, at: recurrence.resumed(from: stored?.due, at: now))
    }
  }

  /// When something falls due, nil for never.
  package var nextDue: Timestamp? {
    guard let due = session.nextDue else { return nil }
    // A suspended script is left alone; what falls due meanwhile waits for the end of it.
    return suspension.until.map { max(due, $0) } ?? due
  }

  /// Runs timers and lets rules fall due up to a time, in order.
  package func advance(to time: Timestamp) {
    guard !suspension.isActive(at: time) else { return }
    while let due = session.nextDue, due <= time, suspension.until == nil {
      // Rules first where both are due: what they tell was true before the timer.
      if let (place, due) = session.dueRules.popFirst(by: min(due, time)) {
        session.rules.meet(place, at: due)
        fallDue(place, at: due)
      } else if let (name, timer) = session.timers.popFirst(by: due) {
        if name.isRequest {
          if let (action, payload) = timer.reply {
            act("actions", action, key: name.key, payload: payload, at: timer.due)
          }
          continue
        }
        if name.key.isEmpty, let recurrence = recurrences[name.action] {
          let last = max(timer.due, begin ?? timer.due)
          session.timers.schedule(name, at: recurrence.next(after: last))
        }
        machine.setLate(restoredAt.map { timer.due < $0 } ?? false)
        act("actions", name.action, key: name.key, payload: timer.payload, at: timer.due)
        machine.setLate(false)
      }
    }
  }

  private func fallDue(_ place: RuleTable.Place, at due: Timestamp) {
    let state = session.rules.state(place)
    guard let actual = state.nextDue else { return }
    guard actual <= due else { return session.expect(place, due: actual) }
    let outcome = session.rules.due(place, at: due, source: self.state(of: session.rules.source(of: place)))
    if let next = session.rules.state(place).nextDue, next > due { session.expect(place, due: next) }
    guard outcome.episode != nil, let value = outcome.episode?.value else {
      session.tell(outcome, rule: place.rule, key: UInt32(place.key), text: nil, run: nil)
      return
    }
    session.prepare(outcome)
    let failure = run(Self.textInput, key: machine.keyName(UInt32(place.key)), at: due) {
      machine.describe(
        rule: place.rule, key: UInt32(place.key), value: value, data: session.rules.data(place),
        time: due.milliseconds)
    }
    if let failure {
      // The alert counts for more than its wording.
      session.tell(outcome, rule: place.rule, key: UInt32(place.key), text: nil, run: nil)
      quarantine(failure, message: [], source: "", input: Self.textInput, time: due)
    }
  }

  /// What the text of an alert whose time came without a message counts as.
  private static let textInput = "text of rule"

  /// Takes the reply to a request, which its action gets at once, or when the script is left alone no more.
  package func receive(_ reply: WebReply, to request: WebRequest, at time: Timestamp) {
    advance(to: time)
    if session.timers.receive(reply, to: request, at: time) { advance(to: time) }
  }

  // MARK: - Messages and events

  /// Hands the messages of a batch to an input's handler, timers that fall due in between included; those of a topic
  /// come one at a time.
  ///
  /// - Parameters:
  ///   - range: which messages of the batch.
  ///   - source: the name that `ctx.source` shows.
  ///   - topic: the topic that `ctx.topic` shows, empty for messages of a source.
  ///   - number: the number of the source among the engine's.
  package func handle(
    _ batch: MessageBatch, in range: Range<Int>, input: String, source: String, topic: String = "",
    number: UInt16
  ) {
    guard let handler = machine.handler("on", input) else { return }
    session.source = number
    machine.setSource(source, topic: topic, number: number)
    var (ends, number): ([ForetoldKills.End], Int) = ([], 0)
    if topic.isEmpty {
      ends = foretold.takeMessages(range, input: input, source: source)
    } else {
      precondition(range.count == 1, "messages of a topic come one at a time")
      let time = Timestamp(milliseconds: batch.received(at: range.lowerBound))
      number = runCounts.next(input, at: time)
      if let kill = foretold.take(input: input, key: "", at: time, behind: number) {
        ends.append(ForetoldKills.End(index: range.lowerBound, kill: kill))
      }
    }
    var next = range.lowerBound
    let count = range.upperBound
    while next < count {
      let time = Timestamp(milliseconds: batch.received(at: next))
      if suspension.isActive(at: time) {
        suspendedCount += 1
        next += 1
        continue
      }
      if let due = session.nextDue, due <= time { advance(to: time) }
      machine.setDeadline(session.nextDue?.milliseconds ?? .max)
      let (reached, failure) = run(batch, in: next..<count, ends, with: handler)
      handledCount += UInt64(reached - next)
      if let failure {
        if !ends.contains(where: { $0.index == failure.message }) {
          note(failure, of: batch, input: input, source: source, topic: topic, number: number)
        }
        quarantine(
          failure, message: Array(batch.bytes(at: failure.message)), source: source, input: input,
          time: Timestamp(milliseconds: batch.received(at: failure.message)),
          marks: MessageMarks(batch, at: failure.message, topic: topic))
      } else if reached > next {
        suspension.passed()
      }
      next = reached
    }
    checkKeys(source: source)
  }

  /// Messages that were skipped because `M.key` found no key in them.
  package var keylessCount: UInt64 { earlierKeylessCount + machine.skippedCount }

  /// Says once if no message at all has a key, which is hardly meant; some without are usual, such as heartbeats.
  private func checkKeys(source: String) {
    guard !isToldOfKeys, handledCount >= Self.keylessLimit else { return }
    isToldOfKeys = true
    guard keylessCount == handledCount else { return }
    session.ask(
      .log(
        level: .warn,
        text: "M.key finds no key in any of the first \(handledCount) messages, so no handler has run; "
          + "'pipeline peek CONFIG \(source)' shows what they look like"), run: nil)
  }

  /// Tells the script of an event, if it has a handler for it.
  package func tell(event: String, key: String = "", payload: Value, at time: Timestamp) {
    advance(to: time)
    act("events", event, key: key, payload: payload, at: time)
  }

  private func act(_ group: String, _ name: String, key: String, payload: Value, at time: Timestamp) {
    guard let handler = machine.handler(group, name), !suspension.isActive(at: time) else { return }
    let input = "\(group).\(name)"
    let failure = run(input, key: key, at: time) {
      machine.act(handler, key: key, payload: payload, time: time.milliseconds)
    }
    if let failure {
      quarantine(failure, message: Array(payload.json.utf8), source: "", input: input, time: time)
    }
  }

  // MARK: - Failures

  /// Puts a message that goes beyond what may be emitted for one message into the quarantine.
  func refuse(_ message: EmittedMessage, limit: Int) {
    let reason =
      "emit: more than \(limit) messages went out for one message among scripts that topics connect; this one and "
      + "what follows it are not handed on"
    quarantine(
      ScriptFailure(reason: reason), message: Array(message.json.utf8), source: "",
      input: message.topic, time: message.time)
  }

  func quarantine(
    _ failure: ScriptFailure, message: [UInt8], source: String, input: String, time: Timestamp,
    marks: MessageMarks = MessageMarks()
  ) {
    failedCount += 1
    let colon = failure.reason.range(of: ": ")
    let place = colon.map { String(failure.reason[..<$0.lowerBound]) } ?? ""
    quarantined.append(
      QuarantineRow(
        time: time, script: name, source: source, input: input, reason: failure.reason, place: place,
        traceback: failure.traceback, message: message, marks: marks))
    guard failure.cause != .error else { return suspension.passed() }
    if let wait = suspension.ended(at: time) {
      session.ask(
        .alert(
          HostAlert.make(
            .scriptSuspended, about: name, at: time,
            text:
              "script '\(name)' ran into its limits \(Suspension.limit) times in a row and is left alone for "
              + "\(wait): \(failure.reason)")), run: nil)
    }
  }

  /// Whether the script is left alone for now, since it kept running into its limits.
  func isSuspended(at time: Timestamp) -> Bool { suspension.until.map { time < $0 } ?? false }

  /// What was quarantined since the last call.
  func takeQuarantined() -> [QuarantineRow] {
    defer {
      quarantined.removeAll()
      reportedCount = 0
    }
    return quarantined
  }

  /// What failed since the last call and is to be told; it stays for the next commit.
  func takeFailures() -> ArraySlice<QuarantineRow> {
    guard reportedCount < quarantined.count else { return [] }
    defer { reportedCount = quarantined.count }
    return quarantined[reportedCount...]
  }

  /// What accepted handlers asked for since the last call, in order.
  package func takeRequests() -> [ScriptRequest] { session.takeRequests() }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
