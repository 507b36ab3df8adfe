/// Checks UTF-8 as it arrives, over any number of pieces (RFC 3629: no surrogates, no overlong forms).
///
/// An invalid byte is found at once, not at the end of the message, so that a connection can fail early.
package struct UTF8Validator {
  /// Continuation bytes still owed by the code point that has begun.
  private var owed: UInt8 = 0
  /// The range the next continuation byte must lie in; narrower after E0, ED, F0 and F4.
  private var lower: UInt8 = 0x80
  private var upper: UInt8 = 0xBF

  /// Makes a validator at the start of a text.
  package init() {}

  /// True between code points: the text may end here.
  package var isComplete: Bool { owed == 0 }

  /// Takes the next piece; false when no continuation could make the text valid.
  package mutating func consume(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let base = bytes.baseAddress else { return true }
    let count = bytes.count
    var index = 0
    while index < count {
      if owed == 0 {
        while index &+ 8 <= count,
          base.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
        { index &+= 8 }
        while index < count, base.load(fromByteOffset: index, as: UInt8.self) < 0x80 { index &+= 1 }
        if index == count { return true }
      }
      guard step(base.load(fromByteOffset: index, as: UInt8.self)) else { return false }
      index &+= 1
    }
    return true
  }

  private mutating func step(_ byte: UInt8) -> Bool {
    if owed > 0 {
      guard byte >= lower, byte <= upper else { return false }
      owed &-= 1
      lower = 0x80
      upper = 0xBF
      return true
    }
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: owed = 1
    case 0xE0:
      owed = 2
      lower = 0xA0
    case 0xED:
      owed = 2
      upper = 0x9F
    case 0xE1...0xEF: owed = 2
    case 0xF0:
      owed = 3
      lower = 0x90
    case 0xF1...0xF3: owed = 3
    case 0xF4:
      owed = 3
      upper = 0x8F
    default: return false
    }
    return true
  }
}
