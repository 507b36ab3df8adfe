import Pipeline

/// How far a replay is with its files.
struct ReplayProgress: Sendable {
  /// Messages handed on.
  let messageCount: Int
  /// Lines that were skipped.
  let faultyCount: Int
  /// Messages of sources that are not known, by name.
  let unknownSources: [String: Int]
  /// How much of the files was read, from 0 to 1; nil where that isn't known.
  let part: Double?
  /// Where the clock is.
  var time: Timestamp

  /// Looks at a reader.
  init(_ reader: RecordingReader, time: Timestamp) {
    messageCount = reader.messageCount
    faultyCount = reader.cursors.reduce(0) { $0 + $1.faultyCount }
    unknownSources = reader.cursors.reduce(into: [:]) { $0.merge($1.unknownSources) { $0 + $1 } }
    self.time = time
    var (read, all): (Int64, Int64?) = (0, 0)
    for cursor in reader.cursors {
      read += cursor.file.readBytes
      all = cursor.file.fileBytes.flatMap { bytes in all.map { $0 + bytes } }
    }
    part = all.flatMap { $0 > 0 ? Double(read) / Double($0) : nil }
  }
}
