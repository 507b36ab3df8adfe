/// What is being handled when a script calls the host.
package struct ScriptCall: Sendable {
  /// The message's index in its batch; 0 for actions and events.
  package var message: Int
  /// The index of the key in hand.
  package var key: UInt32
  /// `ctx.time`, in milliseconds since 1970 UTC.
  package var time: Int64
  /// When it came in or fell due, which is what timers go by; in milliseconds since 1970 UTC.
  package var clock: Int64
  /// The line of the script that calls; 0 where it isn't known, or not asked for: see ``HostFunction/wantsLine``.
  package var line: UInt32
  /// The number of the handler run; see ``ScriptHost/undo(run:)``.
  package var run: UInt32
  /// Whether the source sent the message before.
  package var isReplayed: Bool
  /// Whether it came after a later one.
  package var isLate: Bool
  /// Whether the file is being loaded.
  package var isLoading: Bool
}

/// A sentence to raise at the script's line.
package struct HostFunctionError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}

/// A function that a script can call and the host answers.
package struct HostFunction {
  /// When a function may be called.
  package enum Phase: Sendable {
    case loading
    case handling
    case always
  }

  /// The dotted name, such as `effect.after`.
  package var name: String
  package var phase: Phase
  /// Whether a call counts against the limit of effects.
  package var isEffect: Bool
  /// Whether it is told the line that calls it, which has to be looked up.
  package var wantsLine: Bool
  /// Answers a call; what it throws is raised at the script's line. It must not call back into the same machine.
  package var body: (_ arguments: HostArguments, _ call: ScriptCall) throws(HostFunctionError) -> Value?

  /// Makes a function of arguments that it may hand on as they are.
  package init(
    reading name: String, phase: Phase = .handling, isEffect: Bool = false, wantsLine: Bool = false,
    body: @escaping (_ arguments: HostArguments, _ call: ScriptCall) throws(HostFunctionError) -> Value?
  ) {
    self.name = name
    self.phase = phase
    self.isEffect = isEffect
    self.wantsLine = wantsLine
    self.body = body
  }

  /// Makes a function of values.
  package init(
    _ name: String, phase: Phase = .handling, isEffect: Bool = false,
    body: @escaping (_ arguments: [Value], _ call: ScriptCall) throws(HostFunctionError) -> Value?
  ) {
    self.init(reading: name, phase: phase, isEffect: isEffect, wantsLine: true) {
      arguments, call throws(HostFunctionError) in try body(arguments.values, call)
    }
  }
}
