/// Takes Lua text apart into tokens.
struct LuaLexer {
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ text: String) {
    bytes = Array(text.utf8)
    // A first line that begins with # is the shell's.
    if bytes.first == UInt8(ascii: "#") { skipLine() }
  }

  /// All tokens of a text, the last one its end.
  static func tokens(of text: String) throws(LuaSyntaxError) -> [LuaToken] {
    var lexer = LuaLexer(text)
    var tokens: [LuaToken] = []
    repeat { tokens.append(try lexer.next()) } while tokens.last?.kind != .end
    return tokens
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func byte(at offset: Int) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  /// The next token, blanks and comments passed over.
  mutating func next() throws(LuaSyntaxError) -> LuaToken {
    try skipBlanks()
    let start = line
    guard let first = current else { return LuaToken(kind: .end, line: start) }
    switch first {
    case _ where Self.isLetter(first): return LuaToken(kind: word(), line: start)
    case _ where Self.isDigit(first): return LuaToken(kind: number(), line: start)
    case UInt8(ascii: ".") where byte(at: 1).map(Self.isDigit) ?? false:
      return LuaToken(kind: number(), line: start)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return LuaToken(kind: .text(try quoted(first)), line: start)
    case UInt8(ascii: "["):
      if let level = longBracketLevel { return LuaToken(kind: .text(try longText(level)), line: start) }
    default: break
    }
    for length in [3, 2] {
      let symbol = String(decoding: bytes[position..<min(position + length, bytes.count)], as: UTF8.self)
      guard Self.symbols.contains(symbol) else { continue }
      position += length
      return LuaToken(kind: .symbol(symbol), line: start)
    }
    position += 1
    return LuaToken(kind: .symbol(String(decoding: [first], as: UTF8.self)), line: start)
  }

  private static let symbols: Set<String> = ["...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"]

  static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"): true
    default: false
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private mutating func advance() {
    if bytes[position] == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  private mutating func skipLine() {
    while let byte = current, byte != UInt8(ascii: "\n") { position += 1 }
  }

  private mutating func skipBlanks() throws(LuaSyntaxError) {
    while let byte = current {
      switch byte {
      case UInt8(ascii: " "), 9...13: advance()
      case UInt8(ascii: "-") where self.byte(at: 1) == UInt8(ascii: "-"):
        position += 2
        if current == UInt8(ascii: "["), let level = longBracketLevel {
          _ = try longText(level)
        } else {
          skipLine()
        }
      default: return
      }
    }
  }

  private mutating func word() -> LuaToken.Kind {
    let start = position
    while let byte = current, Self.isLetter(byte) || Self.isDigit(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    return LuaToken.keywords.contains(text) ? .keyword(text) : .name(text)
  }

  private mutating func number() -> LuaToken.Kind {
    let start = position
    let isHexadecimal = current == UInt8(ascii: "0") && byte(at: 1).map { $0 | 0x20 } == UInt8(ascii: "x")
    let exponent = UInt8(ascii: isHexadecimal ? "p" : "e")
    while let byte = current {
      if byte | 0x20 == exponent, let sign = self.byte(at: 1),
        sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
      {
        position += 2
      } else if Self.isLetter(byte) || Self.isDigit(byte) || byte == UInt8(ascii: ".") {
        position += 1
      } else {
        break
      }
    }
    return .number(String(decoding: bytes[start..<position], as: UTF8.self))
  }

  // MARK: - Texts

  private mutating func quoted(_ quote: UInt8) throws(LuaSyntaxError) -> String {
    let start = line
    position += 1
    var content: [UInt8] = []
    while let byte = current, byte != quote {
      if byte == UInt8(ascii: "\n") { break }
      if byte == UInt8(ascii: "\\"), let escaped = self.byte(at: 1) {
        position += 1
        advance()
        switch escaped {
        case UInt8(ascii: "n"), UInt8(ascii: "\n"): content.append(UInt8(ascii: "\n"))
        case UInt8(ascii: "t"): content.append(UInt8(ascii: "\t"))
        case UInt8(ascii: "z"):
          while let blank = current, blank == 32 || (9...13).contains(blank) { advance() }
        case UInt8(ascii: "\\"), UInt8(ascii: "\""), UInt8(ascii: "'"): content.append(escaped)
        // The others don't matter to who reads names and numbers; they stay as they are.
        default: content += [UInt8(ascii: "\\"), escaped]
        }
      } else {
        content.append(byte)
        position += 1
      }
    }
    guard current == quote else { throw LuaSyntaxError(line: start, message: "a text has no end") }
    position += 1
    return String(decoding: content, as: UTF8.self)
  }

  /// How many equals signs the long bracket here has; nil if there is none.
  private var longBracketLevel: Int? {
    var level = 0
    while byte(at: 1 + level) == UInt8(ascii: "=") { level += 1 }
    return byte(at: 1 + level) == UInt8(ascii: "[") ? level : nil
  }

  private mutating func longText(_ level: Int) throws(LuaSyntaxError) -> String {
    let start = line
    position += level + 2
    if current == UInt8(ascii: "\n") { advance() }
    let begin = position
    while current != nil {
      let isEnd =
        current == UInt8(ascii: "]") && byte(at: level + 1) == UInt8(ascii: "]")
        && (1..<(level + 1)).allSatisfy { byte(at: $0) == UInt8(ascii: "=") }
      if isEnd {
        let text = String(decoding: bytes[begin..<position], as: UTF8.self)
        position += level + 2
        return text
      }
      advance()
    }
    throw LuaSyntaxError(line: start, message: "a long text or comment has no end")
  }
}
