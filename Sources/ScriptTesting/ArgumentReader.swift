import Pipeline
import Scripting

/// The arguments of a call, each read with a sentence for what it should have been.
struct ArgumentReader {
  let values: [Value]

  init(_ values: [Value]) { self.values = values }

  var count: Int { values.count }

  /// The argument at an index, nil where it is missing or nil.
  subscript(index: Int) -> Value? {
    guard index < values.count, values[index] != .null else { return nil }
    return values[index]
  }

  func text(_ index: Int, _ expected: String) throws(ClaimError) -> String {
    guard let text = self[index]?.text else {
      throw ClaimError("expected \(expected), got \(self[index]?.kindName ?? "nothing")")
    }
    return text
  }

  /// A table with names, empty where the argument is missing.
  func table(_ index: Int) throws(ClaimError) -> [String: Value] {
    switch self[index] {
    case nil: return [:]
    case .map(let members): return members
    case .list(let items) where items.isEmpty: return [:]
    case .some(let other): throw ClaimError("expected a table with names, got \(other.kindName)")
    }
  }

  /// The options that a function's declaration knows.
  func options(_ index: Int, of spec: FunctionSpec) throws(ClaimError) -> OptionTable {
    let members = try table(index)
    let known = spec.optionNames
    if let unknown = members.keys.sorted().first(where: { !known.contains($0) }) {
      throw ClaimError("unknown option '\(unknown)'; known: \(known.sorted().joined(separator: ", "))")
    }
    return OptionTable(members: members)
  }

  func duration(_ index: Int) throws(ClaimError) -> Milliseconds {
    try OptionTable.duration(self[index], "a duration such as \"10m\"")
  }
}

/// The named options of a call.
struct OptionTable {
  let members: [String: Value]

  func members(_ name: String) throws(ClaimError) -> [String: Value] {
    switch members[name] {
    case nil: return [:]
    case .map(let members)?: return members
    case .list(let items)? where items.isEmpty: return [:]
    case .some(let other): throw ClaimError("'\(name)': expected a table with names, got \(other.kindName)")
    }
  }

  func text(_ name: String) throws(ClaimError) -> String? {
    guard let value = members[name] else { return nil }
    guard let text = value.text else { throw ClaimError("'\(name)': expected a text, got \(value.kindName)") }
    return text
  }

  func integer(_ name: String) throws(ClaimError) -> Int? {
    guard let value = members[name] else { return nil }
    guard case .integer(let integer) = value else {
      throw ClaimError("'\(name)': expected an integer, got \(value.kindName)")
    }
    return Int(integer)
  }

  func boolean(_ name: String) throws(ClaimError) -> Bool? {
    guard let value = members[name] else { return nil }
    guard case .bool(let boolean) = value else {
      throw ClaimError("'\(name)': expected true or false, got \(value.kindName)")
    }
    return boolean
  }

  func time(_ name: String) throws(ClaimError) -> Timestamp? {
    guard let value = members[name] else { return nil }
    guard let time = Timestamp(value: value) else {
      throw ClaimError(
        "'\(name)': expected milliseconds or a time such as \"2026-01-01T00:00:00Z\", got \(LuaLiteral.write(value))"
      )
    }
    return time
  }

  func duration(_ name: String) throws(ClaimError) -> Milliseconds? {
    guard let value = members[name] else { return nil }
    return try Self.duration(value, "'\(name)': a duration such as \"1s\"")
  }

  static func duration(_ value: Value?, _ expected: String) throws(ClaimError) -> Milliseconds {
    guard let text = value?.text else {
      let found = value.map { LuaText.found($0) + MismatchHint.duration($0) } ?? "nothing"
      throw ClaimError("expected \(expected), got \(found)")
    }
    do throws(InvalidDuration) {
      return try Milliseconds(parsing: text)
    } catch {
      throw ClaimError(error.description)
    }
  }
}

extension Timestamp {
  /// Milliseconds since 1970 UTC, or a date and time as RFC 3339 writes it; nil for anything else.
  fileprivate init?(value: Value) {
    switch value {
    case .integer(let milliseconds): self.init(milliseconds: milliseconds)
    case .text(let text): self.init(parsing: text)
    default: return nil
    }
  }
}
