/// One line of a recording, taken apart where it stands.
///
/// A line is a JSON object of three members in any order:
///
///     {"time":1767225600000,"source":"btc","message":{"bitcoin":"67123.45"}}
///     {"time":1767225600250,"source":"btc","text":"not JSON, as it came"}
///
/// `time` is when the message was received, in milliseconds since 1970 UTC, and `source` the name of its source.
/// `message` holds a message that is JSON, byte for byte; `text` any other as a string. Its members point into the
/// line and are valid as long as it is.
package struct RecordedLine {
  /// The message in its two forms.
  enum Content {
    /// The message's own bytes.
    case bytes(UnsafeRawBufferPointer)
    /// The content of a string with escapes in it.
    case escaped(UnsafeRawBufferPointer)
  }

  var time: Int64
  /// The name's bytes as they stand; names of sources have no escapes.
  var source: UnsafeRawBufferPointer
  var content: Content

  /// Takes a line apart.
  ///
  /// - Throws: ``RecordedLineFault`` with what is wrong.
  init(_ line: UnsafeRawBufferPointer) throws(RecordedLineFault) {
    var scanner = JSONScanner(line)
    var time: Int64?
    var source: UnsafeRawBufferPointer?
    var content: Content?
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
        guard let number = scanner.integer() else {
          throw RecordedLineFault("expected 'time' to be milliseconds since 1970 as a whole number")
        }
        time = number
      } else if Self.equal(name.content, "source") {
        guard let text = scanner.string() else { throw RecordedLineFault("expected 'source' to be a text") }
        source = text.content
      } else if Self.equal(name.content, "text") {
        guard let text = scanner.string() else { throw RecordedLineFault("expected 'text' to be a text") }
        content = text.isEscaped ? .escaped(text.content) : .bytes(text.content)
      } else if Self.equal(name.content, "message") {
        guard let value = scanner.value() else { throw RecordedLineFault("'message' has no end") }
        content = .bytes(value)
      } else {
        let shown = String(decoding: name.content.prefix(40), as: UTF8.self).printable
        throw RecordedLineFault("unknown member '\(shown)'; known: message, source, text, time")
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
    guard let source else { throw RecordedLineFault("'source' is missing") }
    guard let content else { throw RecordedLineFault("'message' is missing, and there is no 'text' either") }
    self.time = time
    self.source = source
    self.content = content
  }

  private static func equal(_ bytes: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    bytes.elementsEqual(UnsafeRawBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }
}

/// Why a line is none of a recording, in one sentence without its place.
package struct RecordedLineFault: Error, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
