package import Scripting

/// A run that was ended by the clock or by the memory at hand, which may end otherwise on another machine: a replay
/// ends it the same way without trying.
///
///     {"time":1767225600500,"script":"slow","killed":"time","input":"price","source":"btc","after":3,
///      "reason":"slow.lua:12: ran longer than 1000 ms; the limit is 'time'"}
///
/// The line stands before the message that it is about, which is the one behind `after` more of the same source. A
/// run that no live message of a source led to, such as that of a timer, of what another script emitted or of a
/// history, is found by its input (`actions.summary`), its key and its time; at that time it is the one behind `after`
/// more of the same input.
package struct RecordedKill: Sendable, Hashable {
  /// The time that the run saw.
  package var time: Timestamp
  package var script: String
  package var cause: ScriptFailure.Cause
  /// The handler: an input, or group and name.
  package var input: String
  /// Where the message came from, a source or a script; empty for runs without one.
  package var source: String
  /// The key of a run without a message.
  package var key: String
  /// How many messages of the source, or else runs of the input at the same time, come before the one that is meant.
  package var after: Int
  package var reason: String

  /// Makes the record of an end.
  package init(
    time: Timestamp, script: String, cause: ScriptFailure.Cause, input: String, source: String = "",
    key: String = "", after: Int = 0, reason: String
  ) {
    self.time = time
    self.script = script
    self.cause = cause
    self.input = input
    self.source = source
    self.key = key
    self.after = after
    self.reason = reason
  }

  /// The line of a recording, with its newline.
  package var bytes: [UInt8] {
    RecordedLine.bytes(at: time, of: "script", script) { line in
      line.member("killed", cause.rawValue)
      line.member("input", input)
      if source.isEmpty {
        line.member("key", key)
        if after > 0 { line.member("after", Int64(after)) }
      } else {
        line.member("source", source)
        line.member("after", Int64(after))
      }
      line.member("reason", reason)
    }
  }

  /// Reads the members of a line.
  ///
  /// - Throws: ``RecordedLineFault``.
  init(_ members: RecordedMembers, time: Timestamp) throws(RecordedLineFault) {
    let script = try members.script(beside: ["killed", "input", "source", "key", "after", "reason"])
    let cause = try members.text("killed")
    guard let cause = ScriptFailure.Cause(rawValue: cause), Self.causes.contains(cause) else {
      throw RecordedLineFault("unknown limit '\(cause.prefix(40))'; known: memory, time")
    }
    self.init(
      time: time, script: script, cause: cause, input: try members.text("input"),
      source: try members.optionalText("source") ?? "", key: try members.optionalText("key") ?? "",
      after: Int(clamping: try members.optionalInteger("after") ?? 0), reason: try members.text("reason"))
    guard after >= 0 else { throw RecordedLineFault("expected 'after' to be no less than 0") }
  }

  /// The limits that don't fall the same way twice.
  static let causes: Set<ScriptFailure.Cause> = [.time, .memory]
}
