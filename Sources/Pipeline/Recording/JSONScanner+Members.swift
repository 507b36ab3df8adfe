extension JSONScanner {
  /// The value of a member of the object, or at a position from 1 of the list, that comes next; nil if there is none.
  ///
  /// Of several members of one name the last counts, as when the message is decoded.
  func member(_ name: [UInt8]) -> UnsafeRawBufferPointer? {
    var scanner = self
    scanner.skipBlanks()
    if scanner.take("{") { return scanner.value(ofMember: name) }
    guard scanner.take("["), let index = Int(String(decoding: name, as: UTF8.self)), index > 0 else {
      return nil
    }
    return scanner.value(at: index)
  }

  private mutating func value(ofMember name: [UInt8]) -> UnsafeRawBufferPointer? {
    var found: UnsafeRawBufferPointer?
    while true {
      skipBlanks()
      guard let other = string() else { return found }
      skipBlanks()
      guard take(":") else { return found }
      skipBlanks()
      guard let value = value() else { return found }
      if other.content.elementsEqual(name) { found = value }
      skipBlanks()
      guard take(",") else { return found }
    }
  }

  private mutating func value(at index: Int) -> UnsafeRawBufferPointer? {
    for position in 1...index {
      skipBlanks()
      guard let value = value() else { return nil }
      if position == index { return value }
      skipBlanks()
      guard take(",") else { return nil }
    }
    return nil
  }

  /// All digits of a fraction, cut to so many.
  mutating func fraction(digits count: Int) -> Int64? {
    var number: Int64 = 0
    var position = 0
    while let digit = digit() {
      if position < count { number = number * 10 + digit }
      position += 1
    }
    guard position > 0 else { return nil }
    for _ in min(position, count)..<count { number *= 10 }
    return number
  }

  /// Takes a number in the form that JSON has (RFC 8259, section 6); false where none comes.
  mutating func takeNumber() -> Bool {
    _ = take("-")
    guard let first = digit() else { return false }
    if first != 0 { while digit() != nil {} }
    if take(".") {
      guard fraction(digits: 0) != nil else { return false }
    }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      guard digit() != nil else { return false }
      while digit() != nil {}
    }
    return true
  }
}
