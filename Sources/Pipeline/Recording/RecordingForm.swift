/// What the lines of a file are.
package enum RecordingForm: Sendable {
  /// Lines with time and source; see ``RecordedLine``. Of one source alone if a number is given.
  case recording(only: Int? = nil)
  /// Plain messages of one source at even distances from a time on.
  case messages(source: Int, from: Timestamp = RecordingForm.firstTime, interval: Milliseconds)
  /// Messages of one source that carry their times, as exchanges offer them for download.
  case dump(source: Int, DumpReader)

  /// When the first of plain messages was received if nobody says: 2026-01-01, 00:00 UTC.
  package static let firstTime = Timestamp(milliseconds: 1_767_225_600_000)
}

/// What a line of a file comes to, valid as long as the line: plain data, as one is made for each message.
package struct RecordedEntry: BitwiseCopyable {
  /// Milliseconds since 1970 UTC.
  package var time: Int64
  /// The number of the source; nothing where the line is of a script.
  package var source: Int
  /// The bytes of a message; nil where something happened beside messages, which the cursor holds.
  var message: UnsafeRawBufferPointer?
  /// The message's topic, empty where it has none.
  var topic = UnsafeRawBufferPointer(start: nil, count: 0)
}
