import Scripting

/// Values as a test file writes them.
enum LuaLiteral {
  /// The value as Lua text on one line: floats keep their point, so that they can be pasted.
  static func write(_ value: Value?) -> String {
    switch value {
    case nil: return "nothing"
    case .null: return "json.null"
    case .bool(let bool): return bool ? "true" : "false"
    case .integer(let integer): return String(integer)
    case .number(let number): return number.description
    case .text(let text): return quoted(text)
    case .list(let items):
      return items.isEmpty ? "json.array {}" : "{ " + items.map { write($0) }.joined(separator: ", ") + " }"
    case .map(let members): return table(members)
    }
  }

  /// A table with its keys in order.
  static func table(_ members: [String: Value], first: [String] = []) -> String {
    let rest = Value.sortedKeys(members).filter { !first.contains($0) }
    let names = first.filter { members[$0] != nil } + rest
    guard !names.isEmpty else { return "{}" }
    return "{ " + names.map { "\(field($0)) = \(write(members[$0]))" }.joined(separator: ", ") + " }"
  }

  /// Text between quotation marks.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// The text cut for messages.
  static func short(_ text: String, limit: Int = 160) -> String {
    text.count > limit ? text.prefix(limit) + "…" : text
  }

  private static let keywords: Set<String> = [
    "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
    "nil",
    "not", "or", "repeat", "return", "then", "true", "until", "while",
  ]

  private static func field(_ name: String) -> String {
    let isName =
      name.utf8.first.map { !(0x30...0x39).contains($0) } ?? false
      && name.utf8.allSatisfy {
        $0 == 0x5F || (0x30...0x39).contains($0) || (0x41...0x5A).contains($0 & 0xDF)
      }
    return isName && !keywords.contains(name) ? name : "[\(quoted(name))]"
  }
}
