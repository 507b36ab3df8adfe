/// A text that is not JSON, with the offset of its first bad byte.
public struct JSONError: Error, Hashable, CustomStringConvertible {
  /// Bytes before the fault.
  public var offset: Int
  /// What is wrong, with the offset and, inside of a container, the path.
  public var description: String
}

extension Value {
  /// Reads one JSON text (RFC 8259); one leading byte-order mark is skipped, anything behind the value refused.
  ///
  /// - Throws: ``JSONError``.
  public init(json text: String) throws(JSONError) {
    let batch = MessageBatch()
    batch.append(text, time: 0)
    self = try batch.onlyValue()
  }

  /// Reads one JSON text from bytes.
  ///
  /// - Throws: ``JSONError``.
  public init(json bytes: UnsafeRawBufferPointer) throws(JSONError) {
    let batch = MessageBatch()
    batch.append(bytes, time: 0, received: 0)
    self = try batch.onlyValue()
  }

  /// The value as one line of JSON: keys sorted by their bytes, numbers in their shortest exact form.
  ///
  /// Numbers that JSON has no form for, nan and the infinities, are written as `null`.
  public var json: String {
    var text = ""
    write(into: &text)
    return text
  }

  private func write(into text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let bool): text += bool ? "true" : "false"
    case .integer(let integer): text += String(integer)
    case .number(let number): text += number.isFinite ? number.description : "null"
    case .text(let string): Value.writeQuoted(string, into: &text)
    case .list(let items):
      text += "["
      for (index, item) in items.enumerated() {
        if index > 0 { text += "," }
        item.write(into: &text)
      }
      text += "]"
    case .map(let members):
      text += "{"
      for (index, name) in Value.sortedKeys(members).enumerated() {
        if index > 0 { text += "," }
        Value.writeQuoted(name, into: &text)
        text += ":"
        members[name]?.write(into: &text)
      }
      text += "}"
    }
  }

  /// The keys of a map in the order of their UTF-8 bytes.
  package static func sortedKeys(_ members: [String: Value]) -> [String] {
    members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  private static func writeQuoted(_ string: String, into text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension MessageBatch {
  fileprivate func onlyValue() throws(JSONError) -> Value {
    if decode() > 0, let fault = fault(at: 0) {
      throw JSONError(offset: fault.offset, description: fault.reason)
    }
    return value(at: 0)
  }
}
