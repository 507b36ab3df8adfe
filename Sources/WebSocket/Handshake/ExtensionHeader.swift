import HTTP

/// The extensions that a server names in its answer (RFC 6455 section 9.1).
package enum ExtensionHeader {
  /// One extension with its parameters in order; a value is nil where none is given.
  package struct Member: Equatable, Sendable {
    package var name: String
    package var parameters: [(name: String, value: String?)] = []

    package static func == (a: Member, b: Member) -> Bool {
      a.name == b.name && a.parameters.elementsEqual(b.parameters) { $0 == $1 }
    }
  }

  /// Reads the values of all fields of the name; nil when one of them is malformed.
  package static func members(of values: [String]) -> [Member]? {
    var members: [Member] = []
    for value in values {
      var rest = Scanner(value)
      repeat {
        // Lists may have empty members (RFC 9110 section 5.6.1).
        if rest.isAtEnd || rest.peeks(",") { continue }
        guard let name = rest.token() else { return nil }
        var member = Member(name: name)
        while rest.takes(";") {
          guard let name = rest.token() else { return nil }
          guard rest.takes("=") else {
            member.parameters.append((name, nil))
            continue
          }
          guard let value = rest.tokenOrQuoted() else { return nil }
          member.parameters.append((name, value))
        }
        members.append(member)
      } while rest.takes(",")
      guard rest.isAtEnd else { return nil }
    }
    return members
  }

  /// Reads tokens; white space between them is passed over.
  private struct Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) {
      rest = Substring(text).utf8
      skipBlanks()
    }

    var isAtEnd: Bool { rest.isEmpty }

    func peeks(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

    mutating func takes(_ character: Unicode.Scalar) -> Bool {
      guard peeks(character) else { return false }
      rest.removeFirst()
      skipBlanks()
      return true
    }

    mutating func token() -> String? {
      let end = rest.firstIndex { " \t,;=\"".utf8.contains($0) } ?? rest.endIndex
      let token = String(Substring(rest[..<end]))
      guard token.isHTTPToken else { return nil }
      rest = rest[end...]
      skipBlanks()
      return token
    }

    /// A token, or one in quotes with any of its characters escaped.
    mutating func tokenOrQuoted() -> String? {
      guard peeks("\"") else { return token() }
      rest.removeFirst()
      var text = ""
      while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
        guard let plain = byte == UInt8(ascii: "\\") ? rest.popFirst() : byte else { return nil }
        text.unicodeScalars.append(Unicode.Scalar(plain))
        // The closing quote must be there.
        if rest.isEmpty { return nil }
      }
      skipBlanks()
      return text.isHTTPToken ? text : nil
    }

    private mutating func skipBlanks() {
      while let byte = rest.first, byte == 0x20 || byte == 0x09 { rest.removeFirst() }
    }
  }
}
