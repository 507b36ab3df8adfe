/// A message of the history that a script began with, as a recording keeps it; such lines come before all others.
///
///     {"time":1767225600000,"script":"rsi","input":"candle","history":"{\"close\":67123.45}"}
///
/// `history_text` stands in place of `history` for what isn't read as JSON, and `topic` is that of a message which
/// has one.
package struct RecordedHistory: Sendable, Hashable {
  package var time: Timestamp
  package var script: String
  package var input: String
  package var topic: String
  package var message: [UInt8]
  /// Whether the message is text as it is.
  package var isText: Bool

  /// Makes the record of a message.
  package init(
    time: Timestamp, script: String, input: String, topic: String = "", message: [UInt8], isText: Bool = false
  ) {
    self.time = time
    self.script = script
    self.input = input
    self.topic = topic
    self.message = message
    self.isText = isText
  }

  /// The line of a recording, with its newline.
  package var bytes: [UInt8] {
    RecordedLine.bytes(at: time, of: "script", script) { line in
      line.member("input", input)
      if !topic.isEmpty { line.member("topic", topic) }
      line.member(isText ? "history_text" : "history", String(decoding: message, as: UTF8.self))
    }
  }

  /// Reads the members of a line.
  ///
  /// - Throws: ``RecordedLineFault``.
  init(_ members: RecordedMembers, time: Timestamp) throws(RecordedLineFault) {
    let script = try members.script(beside: ["input", "topic", "history", "history_text"])
    let isText = members.has("history_text")
    self.init(
      time: time, script: script, input: try members.text("input"),
      topic: try members.optionalText("topic") ?? "",
      message: Array(try members.text(isText ? "history_text" : "history").utf8), isText: isText)
  }
}
