import Scripting

@testable import Pipeline

/// A machine with what it asked for, on a clock moved by hand.
struct SessionTrial {
  var machine: SessionMachine
  var now = Timestamp(milliseconds: 0)

  init(_ options: [String: Value]) throws {
    machine = SessionMachine(try Self.settings(options))
  }

  static func settings(_ options: [String: Value]) throws -> SessionSettings {
    let (fields, findings) = read(options)
    guard let fields else { throw HostFunctionError(findings.joined(separator: "\n")) }
    return SessionSettings(fields: fields)
  }

  static func read(_ options: [String: Value]) -> (FieldReader?, [String]) {
    var validation = FieldValidation()
    let fields = validation.fields(
      .map(options), specs: SessionSettings.fields, owner: "source.trial", at: Place(file: "config.lua"))
    return (fields, validation.findings.sorted.map(\.description))
  }

  mutating func open(position: String = "", _ variables: (String) -> String? = { _ in nil }) throws
    -> [SessionMachine.Request]
  {
    try machine.open(at: now, position: position, variables)
    return machine.takeRequests()
  }

  /// Lets a message come; what was asked for, and whether scripts get it.
  mutating func receive(_ message: String) -> (requests: [SessionMachine.Request], isData: Bool) {
    let batch = MessageBatch()
    batch.append(message, time: now.milliseconds)
    _ = batch.decode()
    let isData = !machine.take(batch, at: 0, now: now)
    return (machine.takeRequests(), isData)
  }

  /// Moves the clock and lets happen what falls due by then.
  mutating func advance(to milliseconds: Int64, isQuiet: Bool = false) -> [SessionMachine.Request] {
    var requests: [SessionMachine.Request] = []
    let end = Timestamp(milliseconds: milliseconds)
    while let due = machine.nextDue, due <= end {
      now = max(now, due)
      machine.advance(to: now, isQuiet: isQuiet)
      let new = machine.takeRequests()
      requests += new
      if new.isEmpty, machine.nextDue == due { break }
    }
    now = end
    return requests
  }

  mutating func change(_ name: String, _ items: [String], isWanted: Bool) -> [SessionMachine.Request] {
    machine.change(
      SubscriptionChange(subscription: name, items: items, isWanted: isWanted), at: now)
    return machine.takeRequests()
  }

  /// A report as a machine asks for it.
  static func report(
    _ name: String, _ items: [String], _ outcome: SubscriptionReport.Outcome
  ) -> SessionMachine.Request {
    .report(SubscriptionReport(subscription: name, items: items, outcome: outcome))
  }

  /// A subscription whose requests are numbered, so that answers name theirs.
  static let numbered: [String: Value] = [
    "send": ["id": "{id}", "symbols": ["{item}"]], "cancel": ["id": "{id}", "drop": "{items}"],
    "expect": ["id": "{id}", "result": nil], "refuse": ["id": "{id}", "error": "{any}"], "within": "5s",
  ]

  /// Options with one such subscription, `trades`, and more of it.
  static func numbered(_ more: [String: Value]) -> [String: Value] {
    ["subscriptions": ["trades": .map(numbered.merging(more) { $1 })]]
  }
}
