import Pipeline
import Scripting

extension Command {
  /// `notify-test`: tries the channels.
  static let notifyTest = Command(
    name: "notify-test", summary: "Sends a drill through the channels and shows what they answer",
    operands: [Operand(name: "CONFIG"), Operand(name: "CHANNEL", isOptional: true)],
    options: [.listFormat],
    details: [
      "Each channel gets one alert that is marked as a drill, whatever the routes say, and is tried once: no retries, "
        + "no fallback, no pace. A heartbeat beats once. It ends with 1 if a channel did not deliver."
    ],
    examples: ["pipeline notify-test config.lua", "pipeline notify-test config.lua phone"]
  ) { arguments, console in
    let (configuration, findings) = Assembly.readConfiguration(
      arguments.operands[0], registry: console.registry, needsScripts: false)
    guard let configuration else { return console.refuse(findings) }
    let names = configuration.channels.keys.sorted()
    let name = arguments.operands.dropFirst().first
    if let name, !names.contains(name) {
      console.complain(
        "the configuration has no channel '\(UsageError.shown(name))'; \(Suggestion.hint(for: name, among: names))"
      )
      return .wrongUsage
    }
    if names.isEmpty {
      console.complain("the configuration has no channels")
      return .wrongUsage
    }
    let drills: [Drill]
    do {
      drills = try Drill.all(configuration, only: name, registry: console.registry)
    } catch {
      console.complain("\(error)")
      return .wrongUsage
    }
    var code = ExitCode.success
    for drill in drills {
      let start = ContinuousClock.now
      let outcome = await drill.send(at: .systemClock())
      let milliseconds = Int64((ContinuousClock.now - start) / .milliseconds(1))
      if outcome != .delivered { code = .failure }
      let isJSON = arguments.writesJSON(to: console.output)
      let line = isJSON ? drill.json(outcome, milliseconds) : drill.line(outcome, milliseconds)
      if let ending = console.print(line + "\n", orEndWith: code) { return ending }
    }
    return code
  }
}

extension Drill {
  fileprivate func line(_ outcome: DeliveryOutcome, _ milliseconds: Int64) -> String {
    let answer =
      switch outcome {
      case .delivered: "delivered"
      case .retry(let after?, let reason): "not delivered, to be tried again after \(after): \(reason)"
      case .retry(nil, let reason): "not delivered, to be tried again: \(reason)"
      case .failed(let reason): "not delivered, and not worth another attempt: \(reason)"
      }
    let substitute = fallback.map { "; its alerts would go to '\($0)'" } ?? ""
    return "\(channel): \(answer) (\(milliseconds) ms)\(outcome == .delivered ? "" : substitute)"
  }

  fileprivate func json(_ outcome: DeliveryOutcome, _ milliseconds: Int64) -> String {
    var object: [String: Value] = ["channel": .text(channel), "milliseconds": .integer(milliseconds)]
    switch outcome {
    case .delivered: object["outcome"] = "delivered"
    case .retry(let after, let reason):
      (object["outcome"], object["reason"]) = ("retry", .text(reason))
      if let after { object["retry_after_ms"] = .integer(after.count) }
    case .failed(let reason): (object["outcome"], object["reason"]) = ("failed", .text(reason))
    }
    return Value.map(object).json
  }
}
