/// One word of Lua text with its line.
struct LuaToken: Hashable {
  enum Kind: Hashable {
    case name(String)
    case keyword(String)
    case number(String)
    /// A text as it is meant, escapes resolved as far as they are ASCII.
    case text(String)
    case symbol(String)
    case end
  }

  var kind: Kind
  var line: Int

  /// The token as error texts show it.
  var shown: String {
    switch kind {
    case .name(let text), .keyword(let text), .number(let text), .symbol(let text): "'\(text)'"
    case .text: "a text"
    case .end: "the end of the file"
    }
  }

  static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
    "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]
}

/// Why Lua text can't be read; of text that a machine has loaded, only that it is too deep or too long.
struct LuaSyntaxError: Error, Hashable {
  var line: Int
  var message: String
}
