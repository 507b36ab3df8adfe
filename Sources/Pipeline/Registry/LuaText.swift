package import Scripting

/// Values written as a configuration would write them, for help and error texts.
package enum LuaText {
  /// The value as Lua text on one line.
  static func write(_ value: Value) -> String {
    switch value {
    case .null: return "json.null"
    case .bool(let bool): return bool ? "true" : "false"
    case .integer(let integer): return String(integer)
    case .number(let number): return Self.number(number)
    case .text(let text): return "\"\(escaped(text))\""
    case .list(let elements):
      return elements.isEmpty ? "{}" : "{ " + elements.map(write).joined(separator: ", ") + " }"
    case .map(let members):
      if let reference = EnvironmentReference(value) { return "env \"\(escaped(reference.name))\"" }
      guard !members.isEmpty else { return "{}" }
      let written = members.sorted { $0.key < $1.key }.map { name, value in
        isName(name) ? "\(name) = \(write(value))" : "[\"\(escaped(name))\"] = \(write(value))"
      }
      return "{ " + written.joined(separator: ", ") + " }"
    }
  }

  /// The value as Lua text, broken into lines where it would be wider than a number of characters.
  static func lines(_ value: Value, prefix: String = "", suffix: String = "", width: Int) -> [String] {
    let whole = prefix + write(value) + suffix
    guard whole.count > width else { return [whole] }
    var inner: [String] = []
    switch value {
    case .map(let members) where EnvironmentReference(value) == nil && !members.isEmpty:
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        let name = isName(name) ? name : "[\"\(escaped(name))\"]"
        inner += lines(member, prefix: "\(name) = ", suffix: ",", width: width - 2)
      }
    case .list(let elements) where !elements.isEmpty:
      for element in elements { inner += lines(element, suffix: ",", width: width - 2) }
    default: return [whole]
    }
    return ["\(prefix){"] + inner.map { "  \($0)" } + ["}\(suffix)"]
  }

  /// A number without a fraction it doesn't have.
  package static func number(_ number: Double) -> String {
    Int64(exactly: number).map { String($0) } ?? String(number)
  }

  /// What error texts say was found: short values and short lists of numbers themselves, the kind of the others.
  package static func found(_ value: Value) -> String {
    switch value {
    case .bool, .integer, .number: write(value)
    case .text(let text): "\"\(escaped(text, limit: 60))\""
    case .list(let elements)
    where (1...4).contains(elements.count) && elements.allSatisfy({ $0.double != nil }):
      write(value)
    case .map where EnvironmentReference(value) != nil: write(value)
    case .map where FunctionReference.isFunction(value): "a function"
    case .map where value["$component"]?.text != nil:
      "a " + escaped(value["$component"]?.text ?? "", limit: 60)
    case .null, .list, .map: value.kindName
    }
  }

  /// Text with control characters, quotes and backslashes escaped, cut after a number of characters; quotes and
  /// backslashes of a whole sentence stay as they are.
  static func escaped(_ text: String, limit: Int = .max, quotes: Bool = true) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars {
      guard count < limit else { return result + "…" }
      count += 1
      switch scalar {
      case "\n": result += "\\n"
      case "\"" where quotes, "\\" where quotes: result += "\\\(scalar)"
      case _ where scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value):
        result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
      return false
    }
    return text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}
