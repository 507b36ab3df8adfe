import Testing
@testable import WebSocket

@Suite struct UTF8ValidatorTests {
  static let valid: [[UInt8]] = [
    [], Array("plain".utf8), Array("κόσμε — 😀 and sixteen more bytes".utf8), [0x00], [0xC2, 0x80],
    [0xDF, 0xBF],
    [0xE0, 0xA0, 0x80], [0xED, 0x9F, 0xBF], [0xEE, 0x80, 0x80], [0xEF, 0xBF, 0xBF], [0xF0, 0x90, 0x80, 0x80],
    [0xF4, 0x8F, 0xBF, 0xBF],
  ]
  static let invalid: [[UInt8]] = [
    [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80],
    [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
    [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xC2, 0x41], [0xE1, 0x80, 0x41], [0xF1, 0x80, 0x80, 0xC0],
  ]

  @Test("accepts every valid form, whole and byte by byte", arguments: valid)
  func acceptsValid(bytes: [UInt8]) {
    for pieces in [Int.max, 1, 3] {
      let (ok, complete) = check(Array("12345678".utf8) + bytes + Array("abc".utf8), pieces: pieces)
      #expect(ok && complete)
    }
  }

  @Test("refuses every invalid form as soon as its byte comes", arguments: invalid)
  func refusesInvalid(bytes: [UInt8]) {
    for pieces in [Int.max, 1, 3] {
      #expect(!check(Array("12345678".utf8) + bytes, pieces: pieces).ok)
    }
  }

  @Test("knows that a text ends inside a code point")
  func knowsIncomplete() {
    let (ok, complete) = check(Array("price €".utf8.dropLast()), pieces: .max)
    #expect(ok)
    #expect(!complete)
  }

  @Test("agrees with the standard library on every sequence of two bytes")
  func agreesOnPairs() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        let (ok, complete) = check([first, second], pieces: .max)
        #expect((ok && complete) == (String(validating: [first, second], as: UTF8.self) != nil))
      }
    }
  }

  private func check(_ bytes: [UInt8], pieces: Int) -> (ok: Bool, complete: Bool) {
    var validator = UTF8Validator()
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieces))
      rest = rest.dropFirst(piece.count)
      guard piece.withUnsafeBytes({ validator.consume($0) }) else { return (false, false) }
    }
    return (true, validator.isComplete)
  }
}
