import Composable
import Scripting

/// What one script has with the host: its rules, its timers, its parameters, and what its handlers asked for.
///
/// All of it is part of a handler's all or nothing: what a run changed here is taken back when the run fails.
final class ScriptSession: ScriptHost {
  let name: String
  /// What tells the storage apart that counts the episodes: see ``Snapshot/origin``.
  var origin = ""
  let parameters: [String: Value]
  let rules = RuleTable()
  var timers = TimerTable()
  /// What accepted runs asked for since the last call of ``takeRequests()``, in order.
  @exclusivity(unchecked) private(set) var requests: [ScriptRequest] = []
  /// Counts what `alert.send` sent, by name and key: a stored part of the alerts' ids.
  private(set) var sent: [SentName: UInt64] = [:]
  private var changedSent: Set<SentName> = []
  private(set) var usedParameters: Set<String> = []
  private(set) var actions: Set<String> = []
  var dueRules = DueQueue<RuleTable.Place>()
  /// The source of the messages in hand.
  @exclusivity(unchecked) var source: UInt16 = 0
  /// Whether the messages in hand are of a history: rules are armed only, and nothing is asked for.
  var isWarmingUp = false
  weak var machine: ScriptMachine? {
    didSet { rules.machine = machine }
  }
  var ruleObserver: (any RuleObserver)? {
    didSet { rules.showsEachValue = ruleObserver != nil }
  }

  private var outcome: RuleOutcome = .nothing
  private var run: UInt32?
  private var firstRequestOfRun = 0
  private var sentOfRun: [(name: SentName, count: UInt64?)] = []
  private var logBytesOfRun = 0
  private var effectBytesOfRun = 0
  private let logByteLimit: Int
  private let effectByteLimit: Int
  private let outputs: ScriptOutputs?

  struct SentName: Hashable {
    var name: String
    var key: String
  }

  init(
    name: String, parameters: [String: Value], logByteLimit: Int, effectByteLimit: Int,
    outputs: ScriptOutputs?
  ) {
    self.name = name
    self.parameters = parameters
    self.logByteLimit = logByteLimit
    self.effectByteLimit = effectByteLimit
    self.outputs = outputs
  }

  func takeRequests() -> [ScriptRequest] {
    guard !requests.isEmpty else { return [] }
    defer { requests = [] }
    return requests
  }

  // MARK: - Rules

  func declare(_ rule: Value) throws(HostFunctionError) -> Int {
    do throws(InvalidOptions) {
      var (options, functions) = (rule, Set<String>())
      if case .map(var members) = rule {
        if case .list(let names)? = members.removeValue(forKey: "$functions") {
          functions = Set(names.compactMap(\.text))
        }
        options = .map(members)
      }
      let rule = try AlertRule(reading: options, functions: functions)
      if rules.rules.contains(where: { $0.name == rule.name }) {
        throw InvalidOptions(findings: ["the name '\(rule.name)' is taken by another rule of this script"])
      }
      return rules.add(rule)
    } catch {
      throw HostFunctionError(error.findings.joined(separator: "; "))
    }
  }

  func check(
    rule: Int, value: Double, truth: Bool?, data: UnsafeRawBufferPointer?, call: ScriptCall
  ) throws(HostFunctionError) -> Bool {
    let time = Timestamp(milliseconds: call.time)
    ruleObserver?.checked(rule: rule, key: call.key, value: value, at: time, run: call.run)
    let (outcome, nextDue) = rules.check(
      rule, key: Int(call.key), value: value, truth: truth, at: time,
      context: isWarmingUp ? .history : call.isReplayed ? .replayed : call.isLate ? .late : [],
      source: source, run: call.run)
    if data != nil || rules.keepsData {
      keep(nextDue == nil ? nil : data, for: RuleTable.Place(rule: rule, key: Int(call.key)))
    }
    if let nextDue {
      // What comes in late falls due as much later, or a value of long ago would be due at once.
      let lag = Milliseconds(max(call.clock - call.time, 0))
      expect(RuleTable.Place(rule: rule, key: Int(call.key)), due: nextDue + lag)
    }
    switch outcome {
    case .nothing: return false
    case .refused(let value): throw HostFunctionError(rules.rules[rule].refusal(of: value))
    default: self.outcome = outcome
    }
    return true
  }

  /// The most bytes of data that wait, as JSON, for the text of what falls due.
  private static let dataLimit = 4_096

  private func keep(_ data: UnsafeRawBufferPointer?, for place: RuleTable.Place) {
    guard let data, data.count <= Self.dataLimit else {
      if rules.data(place) != nil { rules.keep(nil, for: place) }
      return
    }
    rules.keep(String(decoding: data, as: UTF8.self), for: place)
  }

  /// Makes sure that a rule is looked at when something of it falls due, before any later message.
  func expect(_ place: RuleTable.Place, due: Timestamp) {
    guard rules.expect(place, by: due) else { return }
    let earliest = dueRules.earliest
    dueRules.add(place, due: due)
    if earliest.map({ due < $0 }) ?? true { machine?.setDeadline(nextDue?.milliseconds ?? .max) }
  }

  /// When something of this script falls due, nil for never.
  var nextDue: Timestamp? {
    switch (dueRules.earliest, timers.earliest) {
    case (let rule?, let timer?): min(rule, timer)
    case (let rule, let timer): rule ?? timer
    }
  }

  func describe(rule: Int, text: String?, call: ScriptCall) {
    tell(outcome, rule: rule, key: call.key, text: text, run: call.run)
    outcome = .nothing
  }

  /// Turns an outcome into an alert.
  func tell(_ outcome: RuleOutcome, rule: Int, key: UInt32, text: String?, run: UInt32?) {
    let rule = rules.rules[rule]
    let key = machine?.keyName(key) ?? ""
    guard let alert = rule.alert(for: outcome, script: name, origin: origin, key: key, written: text) else {
      return
    }
    ask(.alert(alert), run: run)
  }

  /// Has the due rule's text computed next.
  func prepare(_ outcome: RuleOutcome) { self.outcome = outcome }

  func undo(run: UInt32) {
    ruleObserver?.undone(run: run)
    rules.undo(run: run)
    timers.undo(run: run)
    guard run == self.run else { return }
    requests.removeSubrange(firstRequestOfRun...)
    for change in sentOfRun.reversed() { sent[change.name] = change.count }
    sentOfRun.removeAll()
    self.run = nil
  }

  private func enter(_ run: UInt32) {
    guard run != self.run else { return }
    self.run = run
    firstRequestOfRun = requests.count
    sentOfRun.removeAll()
    logBytesOfRun = 0
    effectBytesOfRun = 0
  }

  func ask(_ request: ScriptRequest, run: UInt32?) {
    if let run { enter(run) }
    requests.append(request)
  }

  // MARK: - What functions do

  /// Hands a message on to the scripts that this one feeds.
  func emit(_ topic: String, _ payload: ScriptPayload, call: ScriptCall) throws(HostFunctionError) {
    try count(payload: payload.json.utf8.count, call: call)
    let message = EmittedMessage(
      topic: topic, json: payload.json, time: Timestamp(milliseconds: call.time),
      received: Timestamp(milliseconds: call.clock), source: source, isReplayed: call.isReplayed,
      isLate: call.isLate)
    ask(.emit(message), run: call.run)
  }

  /// Counts what an effect carries against the limit.
  func count(payload value: Value, call: ScriptCall) throws(HostFunctionError) {
    try count(payload: value.json.utf8.count, call: call)
  }

  private func count(payload bytes: Int, call: ScriptCall) throws(HostFunctionError) {
    enter(call.run)
    effectBytesOfRun += bytes
    guard effectBytesOfRun <= effectByteLimit else {
      throw HostFunctionError(
        "more than \(effectByteLimit) bytes of payloads for one message; the limit is 'effect_bytes'")
    }
  }

  func send(
    name: String, text: String, severity: Severity, key: String, labels: [String: String], call: ScriptCall
  ) {
    let number = count(SentName(name: name, key: key), call: call)
    let identity = AlertIdentity(
      origin: origin, script: self.name, rule: name, key: key, episode: number, kind: .firing)
    ask(
      .alert(
        Alert(
          id: identity.id, name: name, script: self.name, key: key, severity: severity, text: text,
          time: Timestamp(milliseconds: call.time), labels: labels)), run: call.run)
  }

  /// Counts what is sent under a name, which makes its id.
  private func count(_ name: SentName, call: ScriptCall) -> UInt64 {
    enter(call.run)
    sentOfRun.append((name, sent[name]))
    let number = (sent[name] ?? 0) + 1
    sent[name] = number
    changedSent.insert(name)
    return number
  }

  /// Sends a text, or a value as JSON, to the server of a source.
  func send(_ payload: ScriptPayload, to output: String, call: ScriptCall) throws(HostFunctionError) {
    let source = try target(output, among: outputs?.sources, "source that takes messages")
    try count(payload: payload.json.utf8.count, call: call)
    ask(.send(output: output, source: source, text: payload.text ?? payload.json), run: call.run)
  }

  /// Asks for a subscription of a source, or ends it.
  func subscribe(
    _ source: String, _ name: String, items: [String], isWanted: Bool, call: ScriptCall
  ) throws(HostFunctionError) {
    if let known = outputs?.subscriptions {
      guard let subscriptions = known[source] else {
        throw HostFunctionError(
          "'\(source.prefix(60))' is no source with subscriptions; \(Suggestion.hint(for: source, among: known.keys))"
        )
      }
      guard let takesItems = subscriptions[name] else {
        throw HostFunctionError(
          "the source '\(source)' has no subscription '\(name.prefix(60))'; "
            + Suggestion.hint(for: name, among: subscriptions.keys))
      }
      guard items.isEmpty || takesItems else {
        throw HostFunctionError("the subscription '\(name)' of '\(source)' takes no items")
      }
    }
    try count(payload: items.reduce(0) { $0 + $1.utf8.count }, call: call)
    let change = SubscriptionChange(subscription: name, items: items, isWanted: isWanted)
    ask(.subscribe(source: source, change), run: call.run)
  }

  /// Publishes a value to a channel.
  func publish(_ payload: ScriptPayload, to output: String, call: ScriptCall) throws(HostFunctionError) {
    let channel = try target(output, among: outputs?.channels, "channel that publishes values")
    try count(payload: payload.json.utf8.count, call: call)
    let key = machine?.keyName(call.key) ?? ""
    let number = count(SentName(name: "\u{1}published/\(output)", key: key), call: call)
    let identity = AlertIdentity(
      origin: origin, script: name, rule: output, key: key, episode: number, kind: .published)
    let alert = Alert(
      id: identity.id, name: output, script: name, key: key, kind: .published, text: payload.json,
      time: Timestamp(milliseconds: call.time))
    ask(.publish(output: output, channel: channel, alert), run: call.run)
  }

  /// Sends an HTTP request, whose reply an action gets.
  func request(_ options: Value, call: ScriptCall) throws(HostFunctionError) {
    guard timers.requestCount < TimerTable.requestLimit else {
      throw HostFunctionError(
        "more than \(TimerTable.requestLimit) requests wait for their replies; use 'id', debounce or throttle"
      )
    }
    var (request, reply): (WebRequest, String)
    do throws(InvalidOptions) {
      (request, reply) = try WebRequest.read(options, actions: actions, hosts: outputs?.hosts)
    } catch {
      throw HostFunctionError(error.findings.joined(separator: "; "))
    }
    try count(payload: request.request.body.count, call: call)
    guard !isWarmingUp else { return }
    request.key = machine?.keyName(call.key) ?? ""
    request.number = count(SentName(name: "\u{1}requests", key: ""), call: call)
    if request.id.isEmpty { request.id = "\(request.number)" }
    timers.await(request, reply: reply, at: Timestamp(milliseconds: call.clock), run: call.run)
    machine?.setDeadline(nextDue?.milliseconds ?? .max)
    ask(.http(request), run: call.run)
  }

  private func target(
    _ output: String, among targets: [String: String]?, _ noun: String
  ) throws(HostFunctionError) -> String {
    guard let targets else { return output }
    guard let target = targets[output] else {
      throw HostFunctionError(
        "'\(output.prefix(60))' is neither an output of this script nor a \(noun); "
          + Suggestion.hint(for: output, among: targets.keys))
    }
    return target
  }

  func log(_ level: LogLevel, _ text: String, call: ScriptCall) throws(HostFunctionError) {
    // While a script loads there is no run to take back.
    guard call.run != 0 || call.time != 0 else { return requests.append(.log(level: level, text: text)) }
    enter(call.run)
    logBytesOfRun += text.utf8.count
    guard logBytesOfRun <= logByteLimit else {
      throw HostFunctionError("more than \(logByteLimit) bytes for one message; the limit is 'log_bytes'")
    }
    requests.append(.log(level: level, text: text))
  }

  /// The parameters as the script sees them: its defaults, with the configuration's values in their place.
  func merged(defaults: [String: Value]) throws(HostFunctionError) -> Value {
    var merged = defaults
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      guard let fallback = defaults[name] else {
        let hint = Suggestion.hint(for: name, among: defaults.keys.sorted())
        throw HostFunctionError("the configuration gives an unknown parameter '\(name)'; \(hint)")
      }
      guard
        fallback == .null || fallback.kindName == value.kindName
          || (fallback.double != nil && value.double != nil)
      else {
        throw HostFunctionError("parameter '\(name)': expected \(fallback.kindName), got \(value.kindName)")
      }
      merged[name] = value
    }
    usedParameters.formUnion(defaults.keys)
    return .map(merged)
  }

  /// Goes on with what a former session of the script had pending, except for timers that lead nowhere any more.
  func take(over old: ScriptSession, keeping isKept: (ScriptTimer.Name, ScriptTimer) -> Bool) {
    timers = old.timers
    timers.settle()
    for (name, timer) in timers.pending where !isKept(name, timer) { timers.remove(name) }
    sent = old.sent
    origin = old.origin
  }

  func setActions(_ names: Set<String>) { actions = names }

  // MARK: - Storage

  func restoreSent(_ name: SentName, _ count: UInt64) { sent[name] = count }

  func takeChangedSent() -> [(name: SentName, count: UInt64)] {
    defer { changedSent.removeAll() }
    return changedSent.sorted { ($0.name, $0.key) < ($1.name, $1.key) }.map { ($0, sent[$0] ?? 0) }
  }
}
