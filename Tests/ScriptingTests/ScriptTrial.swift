import Scripting
import Testing

/// A script under trial: its machine, and what it asked the host for.
final class ScriptTrial {
  let host = TrialHost()
  let machine: ScriptMachine
  private let batch = MessageBatch()

  var sent: [[Value]] { host.sent.map(\.arguments) }

  /// Loads a whole script.
  init(_ source: String, limits: MachineLimits = MachineLimits(), name: String = "trial.lua") throws {
    let host = host
    let send = HostFunction("alert.send", isEffect: true) { [unowned host] arguments, call in
      host.sent.append((call.run, arguments))
      return nil
    }
    let log = HostFunction("log.info", phase: .always, isEffect: true) { _, _ in nil }
    let params = HostFunction("params", phase: .loading) { arguments, _ in arguments.first }
    guard
      let machine = ScriptMachine(
        profile: .script, limits: limits, functions: [send, log, params], host: host)
    else { throw ScriptFailure(reason: "no memory for a machine") }
    self.machine = machine
    try machine.load(source, name: name)
  }

  /// Loads a handler's body; `state` has the given fields.
  convenience init(
    state: String = "{ count = 0, last = json.null }", body: String, limits: MachineLimits = MachineLimits()
  ) throws {
    try self.init(
      """
      local M = {} M.state = \(state) M.on = {}
      local alert, log, emit = alert.send, log.info, nil
      function M.on.feed(state, event, ctx)
        if event.ok then state.count = (state.count or 0) + 1 return end
        local result = (function()
      \(body)
        end)()
        state.last = result
      end
      return M
      """, limits: limits)
  }

  /// Hands one message to `M.on.feed` and returns why it failed.
  @discardableResult
  func receive(_ message: String, time: Int64 = 1_000) -> ScriptFailure? {
    batch.removeAll()
    batch.append(message, time: time)
    guard batch.decode() == 0, let handler = machine.handler("on", "feed") else {
      return ScriptFailure(reason: "not handled")
    }
    return machine.handle(batch, in: 0..<1, with: handler).failure
  }

  func state(_ key: String = "") throws -> Value { try machine.state(of: machine.key(key)) }
}

/// Takes note of what a script asks for.
final class TrialHost: ScriptHost {
  var sent: [(run: UInt32, arguments: [Value])] = []
  private(set) var rules: [Value] = []
  private(set) var checks: [Double] = []
  private(set) var texts: [String?] = []
  /// From which value on a check asks for the alert's text.
  var level = Double.infinity

  func declare(_ rule: Value) throws(HostFunctionError) -> Int {
    rules.append(rule)
    return rules.count - 1
  }

  func check(
    rule: Int, value: Double, truth: Bool?, data: UnsafeRawBufferPointer?, call: ScriptCall
  ) throws(HostFunctionError) -> Bool {
    checks.append(value)
    return value >= level
  }

  func describe(rule: Int, text: String?, call: ScriptCall) { texts.append(text) }

  func undo(run: UInt32) { sent.removeAll { $0.run == run } }
}
