import Scripting

/// How a script is warmed up: its handlers see a history, of which only what they make of their state remains.
extension ScriptRunner {
  /// The most messages of a history that go to the quarantine; further ones are counted.
  static let historyQuarantineLimit = 10

  /// Puts a message that goes beyond what one of a history may emit into the quarantine.
  func refuseInWarmUp(_ message: EmittedMessage, limit: Int) {
    if quarantined.count < Self.historyQuarantineLimit { refuse(message, limit: limit) }
  }

  /// Hands one message of a history to a handler; returns why it failed.
  ///
  /// Nothing falls due meanwhile, and rules are armed only. What the handler asks for stays with the caller.
  func warmUp(
    with batch: MessageBatch, input: String, source: String, topic: String = "", number: UInt16
  ) -> ScriptFailure? {
    let time = Timestamp(milliseconds: batch.received(at: 0))
    guard let handler = machine.handler("on", input), !suspension.isActive(at: time) else { return nil }
    session.source = number
    session.isWarmingUp = true
    defer { session.isWarmingUp = false }
    machine.setSource(source, topic: topic)
    machine.setDeadline(.max)
    let failure = run(input, key: "", at: time) { machine.handle(batch, in: 0..<1, with: handler).failure }
    guard let failure else {
      suspension.passed()
      return nil
    }
    if quarantined.count < Self.historyQuarantineLimit {
      quarantine(
        failure, message: Array(batch.bytes(at: 0)), source: source, input: input, time: time,
        marks: MessageMarks(batch, at: 0, topic: topic))
    } else if failure.cause == .error {
      suspension.passed()
    } else {
      _ = suspension.ended(at: time)
    }
    return failure
  }

  /// Ends the warm-up: timers that would have fallen due within the history are gone.
  func endWarmUp(at now: Timestamp) {
    for (name, timer) in session.timers.pending where timer.due <= now { session.timers.remove(name) }
    session.timers.settle()
    suspension = Suspension()
    machine.setDeadline(session.nextDue?.milliseconds ?? .max)
    _ = takeRequests()
  }
}
