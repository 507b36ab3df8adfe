import Glibc

/// One line of a recording, taken apart where it stands.
///
/// A line is a JSON object with its members in any order:
///
///     {"time":1767225600000,"source":"btc","message":{"bitcoin":"67123.45"}}
///     {"time":1767225600250,"source":"btc","text":"not JSON, as it came"}
///     {"time":1767225600500,"source":"btc","event":"disconnected","code":1006,"reason":"reset by peer"}
///     {"time":1767225600500,"source":"btc","event":"gap","key":"BTC","missed":3,"reason":"sequence"}
///
/// `time` is when it was received or happened, in milliseconds since 1970 UTC or as RFC 3339 has it, and `source`
/// the name of its source; `topic` is that of a message which has one. `message` holds a message that is JSON, byte
/// for byte; `text` any other as a string; `event` is one of `connecting`, `connected`, `stale`, `disconnected` and
/// `gap`. Its members point into the line and are valid as long as it is. Lines of scripts are ``RecordedReply``,
/// ``RecordedKill``, ``RecordedHistory`` and ``RecordedVersion``.
package struct RecordedLine {
  /// The message in its two forms, or what happened instead.
  enum Content {
    /// The message's own bytes.
    case bytes(UnsafeRawBufferPointer)
    /// The content of a string with escapes in it.
    case escaped(UnsafeRawBufferPointer)
    /// What happened to the connection.
    case event(ConnectionEvent)
    /// Messages are missing.
    case gap(SourceGap)
    /// A reply to a script, which has no source.
    case reply(RecordedReply)
    /// How a run of a script ended.
    case kill(RecordedKill)
    /// What a script began with.
    case history(RecordedHistory)
    /// Which form of a script runs.
    case version(RecordedVersion)
  }

  var time: Int64
  /// The name's bytes as they stand; names of sources have no escapes.
  var source: UnsafeRawBufferPointer
  /// The content of the string that is the message's topic as it stands, empty where it has none.
  var rawTopic = UnsafeRawBufferPointer(start: nil, count: 0)
  var content: Content

  /// Takes a line apart.
  ///
  /// - Throws: ``RecordedLineFault`` with what is wrong.
  init(_ line: UnsafeRawBufferPointer) throws(RecordedLineFault) {
    var scanner = JSONScanner(line)
    var time: Int64?
    var source: UnsafeRawBufferPointer?
    var topic: (content: UnsafeRawBufferPointer, isEscaped: Bool)?
    var content: Content?
    var event: UnsafeRawBufferPointer?
    var code: Int64?
    var reason: UnsafeRawBufferPointer?
    var isOfScript = false
    var rare: String?
    scanner.skipBlanks()
    guard scanner.take("{") else { throw RecordedLineFault("expected a JSON object") }
    scanner.skipBlanks()
    var isOver = scanner.take("}")
    while !isOver {
      scanner.skipBlanks()
      guard let name = scanner.string() else { throw RecordedLineFault("expected the name of a member") }
      scanner.skipBlanks()
      guard scanner.take(":") else { throw RecordedLineFault("expected a ':' after a member's name") }
      scanner.skipBlanks()
      if Self.equal(name.content, "time") {
        time = try Self.time(&scanner)
      } else if Self.equal(name.content, "source") {
        source = try Self.text("source", &scanner)
      } else if Self.equal(name.content, "topic") {
        guard let text = scanner.string() else { throw RecordedLineFault("expected 'topic' to be a text") }
        topic = text
      } else if Self.equal(name.content, "text") {
        guard let text = scanner.string() else { throw RecordedLineFault("expected 'text' to be a text") }
        content = text.isEscaped ? .escaped(text.content) : .bytes(text.content)
      } else if Self.equal(name.content, "message") {
        guard let value = scanner.value() else { throw RecordedLineFault("'message' has no end") }
        content = .bytes(value)
      } else if Self.equal(name.content, "event") {
        event = try Self.text("event", &scanner)
      } else if Self.equal(name.content, "reason") {
        reason = try Self.text("reason", &scanner)
      } else if Self.equal(name.content, "code") {
        guard let number = scanner.integer() else {
          throw RecordedLineFault("expected 'code' to be a whole number")
        }
        code = number
      } else if Self.isRare(name.content) {
        guard scanner.value() != nil else { throw RecordedLineFault("a member has no end") }
        isOfScript = isOfScript || Self.equal(name.content, "script")
        rare = String(decoding: name.content, as: UTF8.self)
      } else {
        let shown = String(decoding: name.content.prefix(40), as: UTF8.self).printable
        throw RecordedLineFault(
          "unknown member '\(shown)'; known: code, event, message, reason, source, text, time, topic; "
            + "of gaps also key and missed; of scripts script, reply, killed, input, after, history, version")
      }
      scanner.skipBlanks()
      if scanner.take("}") {
        isOver = true
      } else if !scanner.take(",") {
        throw RecordedLineFault("expected ',' or '}' after a member")
      }
    }
    scanner.skipBlanks()
    guard scanner.isAtEnd else { throw RecordedLineFault("expected nothing behind the object") }
    guard let time else { throw RecordedLineFault("'time' is missing") }
    if isOfScript {
      self = try Self(ofScript: RecordedMembers(reading: line), time: time)
      return
    }
    guard let source else { throw RecordedLineFault("'source' is missing") }
    if let event {
      guard content == nil else { throw RecordedLineFault("'event' can't stand beside a message") }
      content =
        Self.equal(event, "gap")
        ? .gap(try Self.gap(RecordedMembers(reading: line)))
        : .event(try Self.event(event, code: code, reason: reason))
      if case .gap? = content { rare = nil }
    }
    if let rare { throw RecordedLineFault("'\(rare)' stands in lines of scripts and of gaps only") }
    guard let content else { throw RecordedLineFault("'message' is missing, and there is no 'text' either") }
    self.time = time
    self.source = source
    self.content = content
    if let topic {
      rawTopic = topic.content
      if topic.isEscaped { _ = try self.topic() }
    }
  }

  private init(ofScript members: RecordedMembers, time: Int64) throws(RecordedLineFault) {
    self.time = time
    source = UnsafeRawBufferPointer(start: nil, count: 0)
    let time = Timestamp(milliseconds: time)
    if members.has("killed") {
      content = .kill(try RecordedKill(members, time: time))
    } else if members.has("history") || members.has("history_text") {
      content = .history(try RecordedHistory(members, time: time))
    } else if members.has("version") {
      content = .version(try RecordedVersion(members, time: time))
    } else {
      content = .reply(try RecordedReply(members, time: time))
    }
  }

  /// The message's topic, empty where it has none.
  ///
  /// - Throws: ``RecordedLineFault`` never for a line that was read.
  func topic() throws(RecordedLineFault) -> String {
    var words: [UInt8] = []
    guard JSONText.unescape(rawTopic, into: &words) else {
      throw RecordedLineFault("'topic' has an escape that JSON doesn't know")
    }
    return String(decoding: words, as: UTF8.self)
  }

  /// What a line of a script tells; nil for any other.
  var ofScript: RecordedHappening? {
    switch content {
    case .reply(let reply): .reply(reply)
    case .kill(let kill): .kill(kill)
    case .history(let message): .history(message)
    case .version(let version): .version(version)
    default: nil
    }
  }

  /// Whether a member belongs to lines that come rarely, which are read again as a whole.
  private static func isRare(_ name: UnsafeRawBufferPointer) -> Bool {
    equal(name, "script") || equal(name, "reply") || equal(name, "killed") || equal(name, "input")
      || equal(name, "after") || equal(name, "key") || equal(name, "missed") || equal(name, "history")
      || equal(name, "history_text") || equal(name, "version")
  }

  private static func gap(_ members: RecordedMembers) throws(RecordedLineFault) -> SourceGap {
    try members.allow(["time", "source", "event", "key", "missed", "reason"])
    return SourceGap(
      key: try members.optionalText("key") ?? "", missed: try members.optionalInteger("missed"),
      reason: try members.optionalText("reason") ?? "unknown")
  }

  private static func time(_ scanner: inout JSONScanner) throws(RecordedLineFault) -> Int64 {
    if let number = scanner.integer() { return number }
    if let text = scanner.string(),
      let time = Timestamp(parsing: String(decoding: text.content.prefix(64), as: UTF8.self))
    {
      return time.milliseconds
    }
    throw RecordedLineFault(
      "expected 'time' to be milliseconds since 1970 as a whole number, or a text such as \"2026-12-31T18:30:00Z\""
    )
  }

  private static func text(
    _ name: String, _ scanner: inout JSONScanner
  ) throws(RecordedLineFault) -> UnsafeRawBufferPointer {
    guard let text = scanner.string() else { throw RecordedLineFault("expected '\(name)' to be a text") }
    return text.content
  }

  private static func event(
    _ name: UnsafeRawBufferPointer, code: Int64?, reason: UnsafeRawBufferPointer?
  ) throws(RecordedLineFault) -> ConnectionEvent {
    if equal(name, "connecting") { return .connecting }
    if equal(name, "connected") { return .connected }
    if equal(name, "stale") { return .stale }
    guard equal(name, "disconnected") else {
      let shown = String(decoding: name.prefix(40), as: UTF8.self).printable
      throw RecordedLineFault(
        "unknown event '\(shown)'; known: connected, connecting, disconnected, gap, stale")
    }
    var words: [UInt8] = []
    if let reason, !JSONText.unescape(reason, into: &words) {
      throw RecordedLineFault("'reason' has an escape that JSON doesn't know")
    }
    return .disconnected(
      code: Int(clamping: code ?? 1006),
      reason: reason == nil ? "the connection was lost" : String(decoding: words, as: UTF8.self))
  }

  private static func equal(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    guard bytes.count == name.utf8CodeUnitCount, let base = bytes.baseAddress else { return false }
    return memcmp(base, name.utf8Start, bytes.count) == 0
  }
}

/// Why a line is none of a recording, in one sentence without its place.
package struct RecordedLineFault: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
