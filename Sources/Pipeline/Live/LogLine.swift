import Glibc

/// One line of the log as it is written to standard error.
package enum LogLine {
  /// How lines begin.
  package enum Style: Sendable, Hashable {
    /// `2026-11-30T04:20:00.000Z warn btc: text`
    case timed
    /// `warn btc: text`, where the clock of the machine says nothing about the line.
    case untimed
    /// `<4>btc: text`, for a journal that notes time and level itself (sd-daemon(3)).
    case journal
  }

  /// The most bytes of a line with its newline: what a pipe takes in one piece (`PIPE_BUF`).
  package static let maximumBytes = 4_096

  /// The line with its newline; control characters are escaped, and what is too long is cut.
  package static func bytes(
    _ level: LogLevel, _ origin: String, _ text: String, time: Timestamp, style: Style
  ) -> [UInt8] {
    // Cut first, so that a text of megabytes is not escaped as a whole.
    let origin = String(decoding: origin.utf8.prefix(200), as: UTF8.self).printable
    let text = String(decoding: text.utf8.prefix(maximumBytes), as: UTF8.self).printable
    let line =
      switch style {
      case .timed: "\(time.rfc3339()) \(level.name) \(origin): \(text)"
      case .untimed: "\(level.name) \(origin): \(text)"
      case .journal: "<\(level.priority)>\(origin): \(text)"
      }
    var bytes = Array(line.utf8)
    if bytes.count >= maximumBytes {
      let mark = Array("…".utf8)
      bytes.removeLast(bytes.count - (maximumBytes - 1 - mark.count))
      while let last = bytes.last, last & 0xc0 == 0x80 { bytes.removeLast() }
      if let last = bytes.last, last >= 0xc0 { bytes.removeLast() }
      bytes += mark
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// Whether a descriptor leads to the journal, as systemd tells in `JOURNAL_STREAM` (systemd.exec(5)).
  package static func isJournal(_ descriptor: Int32) -> Bool {
    guard let variable = getenv("JOURNAL_STREAM") else { return false }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return String(cString: variable) == "\(status.st_dev):\(status.st_ino)"
  }
}

extension LogLevel {
  /// The number that syslog(3) gives to the level.
  var priority: Int {
    switch self {
    case .debug: 7
    case .info: 6
    case .warn: 4
    case .error: 3
    }
  }
}
