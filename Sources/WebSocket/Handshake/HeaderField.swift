/// One field of an HTTP head; names compare without regard to case.
package struct HeaderField: Equatable, Sendable {
  /// The name as written.
  package var name: String
  /// The value without white space around it.
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  /// Tells whether the field has a name, without regard to ASCII case.
  package func isNamed(_ other: String) -> Bool { name.equalsIgnoringASCIICase(other) }
}

extension [HeaderField] {
  /// The values of all fields with a name, in order.
  package func values(of name: String) -> [String] { filter { $0.isNamed(name) }.map(\.value) }

  /// The first value of a name.
  package func value(of name: String) -> String? { first { $0.isNamed(name) }?.value }

  /// The members of comma-separated values, over all fields of the name.
  func members(of name: String) -> [String] {
    values(of: name).flatMap { $0.split(separator: ",").map { $0.trimmingWhitespace() } }.filter {
      !$0.isEmpty
    }
  }
}

extension StringProtocol {
  func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
    utf8.elementsEqual(other.utf8) { a, b in
      a == b || (a ^ b == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(a | 0x20))
    }
  }

  /// The text without spaces and tabs at its ends.
  func trimmingWhitespace() -> String {
    var rest = Substring(self)
    while let first = rest.utf8.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
    while let last = rest.utf8.last, last == 0x20 || last == 0x09 { rest.removeLast() }
    return String(rest)
  }
}
