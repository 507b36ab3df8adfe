import Scripting

/// The members of a line of a recording that comes rarely, read by name.
struct RecordedMembers {
  private let values: [String: Value]
  /// The path of the object, with a dot behind it, empty for the line itself.
  private let path: String

  init(_ values: [String: Value], path: String = "") {
    self.values = values
    self.path = path
  }

  /// Reads a whole line.
  ///
  /// - Throws: ``RecordedLineFault`` when it is no JSON object.
  init(reading line: UnsafeRawBufferPointer) throws(RecordedLineFault) {
    let value: Value
    do throws(JSONError) {
      value = try Value(json: line)
    } catch {
      throw RecordedLineFault(error.description)
    }
    guard case .map(let values) = value else { throw RecordedLineFault("expected a JSON object") }
    self.init(values)
  }

  var names: [String] { Value.sortedKeys(values) }

  func has(_ name: String) -> Bool { values[name] != nil }

  /// The script that a line is of; refuses members beside the time, the script and those of some names.
  func script(beside others: Set<String>) throws(RecordedLineFault) -> String {
    try allow(others.union(["time", "script"]))
    return try text("script")
  }

  /// Refuses members of any other name.
  func allow(_ known: Set<String>) throws(RecordedLineFault) {
    guard let unknown = names.first(where: { !known.contains($0) }) else { return }
    throw RecordedLineFault(
      "unknown member '\(path)\(unknown.prefix(40))'; known: \(known.sorted().joined(separator: ", "))")
  }

  func text(_ name: String) throws(RecordedLineFault) -> String {
    guard let text = try optionalText(name) else { throw RecordedLineFault("'\(path)\(name)' is missing") }
    return text
  }

  func optionalText(_ name: String) throws(RecordedLineFault) -> String? {
    guard let value = values[name] else { return nil }
    guard let text = value.text else { throw RecordedLineFault("expected '\(path)\(name)' to be a text") }
    return text
  }

  func integer(_ name: String) throws(RecordedLineFault) -> Int64 {
    guard let integer = try optionalInteger(name) else {
      throw RecordedLineFault("'\(path)\(name)' is missing")
    }
    return integer
  }

  func optionalInteger(_ name: String) throws(RecordedLineFault) -> Int64? {
    guard let value = values[name] else { return nil }
    guard case .integer(let integer) = value else {
      throw RecordedLineFault("expected '\(path)\(name)' to be a whole number")
    }
    return integer
  }

  func members(_ name: String) throws(RecordedLineFault) -> RecordedMembers {
    guard case .map(let members)? = values[name] else {
      throw RecordedLineFault("expected '\(path)\(name)' to be an object")
    }
    return RecordedMembers(members, path: "\(path)\(name).")
  }
}
