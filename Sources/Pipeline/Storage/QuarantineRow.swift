/// A message that a script failed on, with everything needed to find out why and to try it again.
package struct QuarantineRow: Sendable, Hashable {
  package var time: Timestamp
  package var script: String
  package var source: String
  /// The handler's input.
  package var input: String
  /// What went wrong, in one sentence.
  package var reason: String
  /// Where, as file:line.
  package var place: String
  package var traceback: String
  /// The message as it came; cut where it alone would exceed the quarantine's bound in bytes.
  package var message: [UInt8]
  /// The length of the message as it came, in bytes.
  package var messageLength: Int
  /// What went with the message.
  package var marks: MessageMarks

  /// Makes a row for a message that failed.
  package init(
    time: Timestamp, script: String, source: String, input: String, reason: String, place: String,
    traceback: String, message: [UInt8], marks: MessageMarks = MessageMarks()
  ) {
    self.time = time
    self.script = script
    self.source = source
    self.input = input
    self.reason = reason
    self.place = place
    self.traceback = traceback
    self.message = message
    messageLength = message.count
    self.marks = marks
  }

  /// What the row counts for in the quarantine's bound, in bytes.
  var size: Int { message.count + traceback.utf8.count + reason.utf8.count + marks.topic.utf8.count + 100 }
}

/// How much the quarantine keeps; beyond either bound the oldest messages go.
package struct QuarantineBound: Sendable, Hashable {
  /// Messages, at least one.
  package var rows: Int
  /// Bytes of all messages and their tracebacks together.
  package var bytes: Int

  /// Makes a bound; by default 1,000 messages and 16 MiB.
  package init(rows: Int = 1_000, bytes: Int = 16 << 20) {
    self.rows = max(rows, 1)
    self.bytes = max(bytes, 1_024)
  }

  /// The row as it is stored: long texts and a message that would fill the quarantine alone are cut.
  func fitted(_ row: QuarantineRow) -> QuarantineRow {
    var row = row
    let textBound = min(bytes / 4, 16_384)
    row.traceback = cut(row.traceback, to: textBound)
    row.reason = cut(row.reason, to: textBound)
    row.marks.topic = cut(row.marks.topic, to: textBound)
    let room = max(bytes - (row.size - row.message.count), 0)
    if row.message.count > room { row.message.removeLast(row.message.count - room) }
    return row
  }

  private func cut(_ text: String, to bytes: Int) -> String {
    text.utf8.count <= bytes ? text : String(decoding: text.utf8.prefix(bytes - 3), as: UTF8.self)
  }
}
