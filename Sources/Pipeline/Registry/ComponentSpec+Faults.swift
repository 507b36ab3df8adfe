import Scripting

extension ComponentSpec {
  /// The contradictions of a declaration, each as a sentence; empty for a good one.
  func faults() -> [String] {
    var faults = Self.faults(of: fields, in: "")
    if !Self.isSnakeCase(name) { faults.append("the name '\(name)' is not in snake_case") }
    for (noun, text) in [("summary", summary), ("example", example)] where text.isEmpty {
      faults.append("it has no \(noun)")
    }
    return faults
  }

  private static func faults(of fields: [FieldSpec], in path: String) -> [String] {
    var faults: [String] = []
    var seen: Set<String> = []
    for field in fields {
      let name = path + field.name
      if !isSnakeCase(field.name) { faults.append("the option '\(name)' is not in snake_case") }
      if !seen.insert(field.name).inserted { faults.append("the option '\(name)' is declared twice") }
      if field.help.isEmpty { faults.append("the option '\(name)' has no help") }
      if field.isRequired, field.defaultValue != nil {
        faults.append("the option '\(name)' is required and has a default")
      }
      for value in [field.defaultValue, field.example] {
        guard let value, !refersToOthers(field.type) else { continue }
        var validation = FieldValidation()
        let place = Place(file: "the declaration", path: name)
        _ = validation.read(value, as: field.type, owner: name, at: place)
        faults += validation.findings.sorted.map(\.description)
      }
      faults += Self.faults(of: field.type.members, in: "\(name).")
    }
    return faults
  }

  /// Whether values of the type name other components, which a declaration alone can't check.
  private static func refersToOthers(_ type: FieldType) -> Bool {
    switch type {
    case .reference: true
    case .list(let element), .map(let element): refersToOthers(element)
    default: false
    }
  }

  private static func isSnakeCase(_ name: String) -> Bool {
    guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
  }
}
