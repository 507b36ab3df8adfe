/// Writes JSON text into a buffer of bytes, one element after the other.
///
/// It sets commas and colons; that objects and arrays are closed in order is the caller's part.
package struct JSONWriter: Sendable {
  /// The text so far.
  package private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// Makes a writer with nothing written.
  package init() {}

  /// Opens an object, as the next element or under the key just written.
  package mutating func beginObject() { open(UInt8(ascii: "{")) }

  /// Closes the innermost object.
  package mutating func endObject() { close(UInt8(ascii: "}")) }

  /// Opens an array, as the next element or under the key just written.
  package mutating func beginArray() { open(UInt8(ascii: "[")) }

  /// Closes the innermost array.
  package mutating func endArray() { close(UInt8(ascii: "]")) }

  /// Writes a key of an object; its value comes next.
  package mutating func key(_ name: String) {
    separate()
    quote(name)
    bytes.append(UInt8(ascii: ":"))
    needsComma = false
  }

  /// Writes a member of an object.
  package mutating func member(_ name: String, _ text: String) {
    key(name)
    self.text(text)
  }

  /// Writes a member of an object.
  package mutating func member(_ name: String, _ integer: Int64) {
    key(name)
    self.integer(integer)
  }

  /// Writes a text.
  package mutating func text(_ text: String) {
    separate()
    quote(text)
    needsComma = true
  }

  /// Writes a number with the fewest digits that read back as the same; JSON has no infinity and no nan, which
  /// are written as null.
  package mutating func number(_ number: Double) {
    if number.isFinite { raw("\(number)") } else { null() }
  }

  /// Writes an integer.
  package mutating func integer(_ integer: Int64) { raw("\(integer)") }

  /// Writes true or false.
  package mutating func bool(_ bool: Bool) { raw(bool ? "true" : "false") }

  /// Writes null.
  package mutating func null() { raw("null") }

  /// Writes a value that is JSON already; its line breaks, which can only stand between its parts, become blanks.
  package mutating func json(_ value: UnsafeRawBufferPointer) {
    separate()
    bytes.append(contentsOf: value.lazy.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 })
    needsComma = true
  }

  private mutating func raw(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func close(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
  }

  private mutating func quote(_ text: String) {
    let digits = Array("0123456789abcdef".utf8)
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x0a: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "n")])
      case 0x0d: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "r")])
      case 0x09: bytes.append(contentsOf: [UInt8(ascii: "\\"), UInt8(ascii: "t")])
      case 0..<0x20, 0x7f:
        bytes.append(contentsOf: "\\u00".utf8)
        bytes.append(digits[Int(byte >> 4)])
        bytes.append(digits[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
