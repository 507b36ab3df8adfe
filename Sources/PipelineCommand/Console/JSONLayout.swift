import Pipeline
import Scripting

/// Lays out JSON for reading: what fits a line stays on one, members keep their order and numbers their digits.
///
/// The text has to be JSON that was checked before.
struct JSONLayout {
  /// The most characters of a line that holds more than one value, if its parts allow.
  static let width = 80

  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private var output: [UInt8] = []

  /// The text on indented lines without a line break at the end, fit for a terminal.
  static func lines(_ bytes: UnsafeRawBufferPointer) -> String {
    var layout = JSONLayout(bytes)
    layout.value(indent: 0, column: 0)
    return layout.text
  }

  /// A value on indented lines without a line break at the end, fit for a terminal.
  static func lines(of value: Value) -> String {
    var text = value.json
    return text.withUTF8 { lines(UnsafeRawBufferPointer($0)) }
  }

  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
    skipBlanks()
  }

  /// What was laid out, with whatever could drive the terminal written as JSON's own escapes.
  private var text: String {
    let text = String(decoding: output, as: UTF8.self)
    guard text.unicodeScalars.contains(where: { $0.drivesTerminal && $0 != "\n" }) else { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
      if scalar.drivesTerminal, scalar != "\n" {
        let digits = String(scalar.value, radix: 16)
        safe += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      } else {
        safe.unicodeScalars.append(scalar)
      }
    }
    return safe
  }

  /// Lays out the value at the position, which is a whole value's begin.
  private mutating func value(indent: Int, column: Int) {
    guard position < bytes.count else { return }
    let opening = bytes[position]
    guard opening == UInt8(ascii: "{") || opening == UInt8(ascii: "[") else { return output += token() }
    let start = position
    if let line = line(within: Self.width - column) {
      output += line
      return
    }
    position = start + 1
    output.append(opening)
    skipBlanks()
    while let byte = next, byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") {
      let begin = output.count
      breakLine(indent: indent + 2)
      if opening == UInt8(ascii: "{") {
        output += token()
        output += Array(": ".utf8)
        skip(UInt8(ascii: ":"))
      }
      value(indent: indent + 2, column: output.count - begin)
      skipBlanks()
      guard next == UInt8(ascii: ",") else { break }
      output.append(UInt8(ascii: ","))
      skip(UInt8(ascii: ","))
    }
    breakLine(indent: indent)
    if let closing = next { output.append(closing) }
    position += 1
  }

  /// The container at the position on one line, the position behind it; nil if that takes more bytes.
  private mutating func line(within limit: Int) -> [UInt8]? {
    var line: [UInt8] = []
    var depth = 0
    repeat {
      guard let byte = next, line.count <= limit else { return nil }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      if JSONLayout.isMark(byte) {
        line.append(byte)
        position += 1
        if byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") { line.append(UInt8(ascii: " ")) }
      } else {
        line += token()
      }
      if depth > 0 { skipBlanks() }
    } while depth > 0
    return line.count <= limit ? line : nil
  }

  /// The string, number or word at the position, which goes behind it.
  private mutating func token() -> ArraySlice<UInt8> {
    let start = position
    if next == UInt8(ascii: "\"") {
      position += 1
      while let byte = next, byte != UInt8(ascii: "\"") { position += byte == UInt8(ascii: "\\") ? 2 : 1 }
      position = min(position + 1, bytes.count)
    } else {
      while let byte = next, !JSONLayout.isMark(byte), !JSONLayout.isBlank(byte) { position += 1 }
    }
    return Array(bytes[start..<position])[...]
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, JSONLayout.isBlank(byte) { position += 1 }
  }

  private mutating func skip(_ mark: UInt8) {
    skipBlanks()
    if next == mark { position += 1 }
    skipBlanks()
  }

  private mutating func breakLine(indent: Int) {
    output.append(UInt8(ascii: "\n"))
    output += repeatElement(UInt8(ascii: " "), count: indent)
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
  }

  private static func isMark(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["),
      UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
