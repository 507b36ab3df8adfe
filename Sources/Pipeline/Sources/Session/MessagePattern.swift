package import Scripting

/// What a message must be like: a text as it is, or a table whose fields the message must have.
///
/// A text in it may hold one placeholder: `{any}` for anything that is there, `{item}` for an item of a
/// subscription and `{id}` for the number of a request, which a match gives back. Fields that a table doesn't
/// name may be anything, and an empty table is anything too.
package struct MessagePattern: Sendable, Hashable {
  /// What placeholders stood for in a message that matches.
  package struct Match: Sendable, Hashable {
    package var item: String?
    package var id: String?
  }

  private enum Capture: Sendable, Hashable { case item, id, any }

  private enum Expected: Sendable, Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case number(Double)
    case text([UInt8])
    case list(count: Int)
    case captured(Capture, prefix: [UInt8], suffix: [UInt8])
  }

  private struct Condition: Sendable, Hashable {
    var path: FieldPath
    var expected: Expected
  }

  /// The whole text that a message must be; nil where fields count.
  private var whole: [UInt8]?
  private var conditions: [Condition] = []

  /// Makes the pattern that a configuration describes.
  package init(_ value: Value) {
    if let text = value.text {
      whole = Array(text.utf8)
    } else {
      collect(value, at: "")
    }
  }

  /// Whether a match says which request or which item was meant.
  package var isIdentifying: Bool {
    conditions.contains {
      if case .captured(let capture, _, _) = $0.expected { capture != .any } else { false }
    }
  }

  /// Whether a match says which item was meant.
  package var capturesItem: Bool {
    conditions.contains { if case .captured(.item, _, _) = $0.expected { true } else { false } }
  }

  /// Compares a decoded message; allocates only for what a match gives back.
  package func match(_ batch: MessageBatch, at index: Int) -> Match? {
    if let whole { return batch.bytes(at: index).elementsEqual(whole) ? Match() : nil }
    var match = Match()
    for condition in conditions {
      guard let found = batch.content(of: condition.path, at: index),
        Self.holds(condition.expected, found, &match)
      else { return nil }
    }
    return match
  }

  private mutating func collect(_ value: Value, at path: String) {
    func inside(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
    switch value {
    case .map(let members):
      for name in Value.sortedKeys(members) {
        if let member = members[name] { collect(member, at: inside(name)) }
      }
    case .list(let items):
      if !items.isEmpty { add(path, .list(count: items.count)) }
      for (index, item) in items.enumerated() { collect(item, at: inside("\(index + 1)")) }
    case .null: add(path, .null)
    case .bool(let boolean): add(path, .boolean(boolean))
    case .integer(let integer): add(path, .integer(integer))
    case .number(let number): add(path, .number(number))
    case .text(let text): add(path, Self.expected(text))
    }
  }

  private mutating func add(_ path: String, _ expected: Expected) {
    conditions.append(Condition(path: FieldPath(path), expected: expected))
  }

  private static func expected(_ text: String) -> Expected {
    for (name, capture) in [("{item}", Capture.item), ("{id}", .id), ("{any}", .any)] {
      guard let range = text.firstRange(of: name) else { continue }
      return .captured(
        capture, prefix: Array(text[..<range.lowerBound].utf8), suffix: Array(text[range.upperBound...].utf8))
    }
    return .text(Array(text.utf8))
  }

  private static func holds(_ expected: Expected, _ found: FieldContent, _ match: inout Match) -> Bool {
    switch (expected, found) {
    case (.null, .null): return true
    case (.boolean(let a), .boolean(let b)): return a == b
    case (.integer(let a), .integer(let b)): return a == b
    case (.integer(let a), .number(let b)): return Double(a) == b
    case (.number(let a), .number(let b)): return a == b
    case (.number(let a), .integer(let b)): return a == Double(b)
    case (.text(let a), .text(let b)): return b.elementsEqual(a)
    case (.list(let a), .list(let b)): return a == b
    case (.captured(.any, let prefix, let suffix), let found):
      return prefix.isEmpty && suffix.isEmpty || captured(found, prefix, suffix) != nil
    case (.captured(let capture, let prefix, let suffix), let found):
      guard let text = captured(found, prefix, suffix) else { return false }
      if capture == .item { match.item = text } else { match.id = text }
      return true
    default: return false
    }
  }

  private static func captured(_ found: FieldContent, _ prefix: [UInt8], _ suffix: [UInt8]) -> String? {
    switch found {
    case .integer(let integer) where prefix.isEmpty && suffix.isEmpty: return String(integer)
    case .text(let bytes):
      guard bytes.count >= prefix.count + suffix.count, bytes.starts(with: prefix),
        bytes.suffix(suffix.count).elementsEqual(suffix)
      else { return nil }
      return String(decoding: bytes.dropFirst(prefix.count).dropLast(suffix.count), as: UTF8.self)
    default: return nil
    }
  }
}

extension String {
  /// Where a text first stands in this one.
  func firstRange(of text: String) -> Range<Index>? {
    var start = startIndex
    while let candidate = self[start...].firstIndex(where: { $0 == text.first }) {
      if self[candidate...].hasPrefix(text) {
        return candidate..<index(candidate, offsetBy: text.count)
      }
      start = index(after: candidate)
    }
    return nil
  }
}
