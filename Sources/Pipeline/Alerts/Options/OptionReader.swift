package import Scripting

/// Reads a table of options along its declarations and collects every fault on the way.
///
/// Each reading method returns nil both for an option left out and for a faulty one; the faults are in
/// ``findings``. What the declarations don't know is found when the reader is made.
package struct OptionReader {
  /// The faults found so far, one sentence each.
  package private(set) var findings: [String] = []
  /// How many unknown options are told one by one.
  private static let unknownLimit = 20
  private let members: [String: Value]
  private let functions: Set<String>
  private let path: String
  private let specs: [OptionSpec]

  /// Begins reading.
  ///
  /// - Parameters:
  ///   - value: the table; anything but a map (or an empty list, which is how an empty table may arrive)
  ///     is a finding.
  ///   - specs: the options that exist.
  ///   - functions: the names of options that the script gave as functions, which plain data can't hold.
  ///   - path: the name of the option that holds this table, empty at the top.
  package init(_ value: Value, specs: [OptionSpec], functions: Set<String> = [], path: String = "") {
    self.specs = specs
    self.functions = functions
    self.path = path
    switch value {
    case .map(let members): self.members = members
    case .list([]): members = [:]
    default:
      members = [:]
      findings.append("expected a table of options, got \(LuaText.found(value))")
    }
    let names = specs.map(\.name)
    let unknown = Set(members.keys).union(functions).subtracting(names).sorted()
    for name in unknown.prefix(Self.unknownLimit) {
      let nearest = Suggestion.nearest(to: name, among: names)
      let suggestion = nearest.map { "; did you mean '\(qualified($0))'?" } ?? ""
      let shown = name.count > 40 ? "\(name.prefix(40))…" : name
      findings.append("unknown option '\(qualified(shown))'\(suggestion)")
    }
    if unknown.count > Self.unknownLimit {
      findings.append("\(unknown.count - Self.unknownLimit) more unknown options")
    }
  }

  /// Whether the option is there, rightly or wrongly written.
  package func has(_ name: String) -> Bool { functions.contains(name) || value(of: name) != nil }

  /// Adds the one form of a fault: `invalid 'name': expected this, got that`.
  package mutating func report(_ name: String, expected: String, got: String? = nil) {
    let got =
      got ?? (functions.contains(name) ? "a function" : value(of: name).map(LuaText.found) ?? "nothing")
    findings.append("invalid '\(qualified(name))': expected \(expected), got \(got)")
  }

  /// Adds findings of a table within this one.
  package mutating func append(_ findings: [String]) { self.findings += findings }

  /// A finite number.
  package mutating func number(_ name: String) -> Double? {
    read(name) { value in
      guard let number = value.double, number.isFinite else { return nil }
      return number
    }
  }

  /// Two finite numbers, the lower first.
  package mutating func range(_ name: String) -> (low: Double, high: Double)? {
    read(name) { value in
      guard case .list(let items) = value, items.count == 2, let low = items[0].double,
        let high = items[1].double, low.isFinite, high.isFinite, low < high
      else { return nil }
      return (low, high)
    }
  }

  /// A whole number within the declared bounds.
  package mutating func count(_ name: String) -> Int64? {
    guard case .count(let bounds) = spec(name).kind else { return nil }
    return read(name) { value in
      guard let number = value.double, let count = Int64(exactly: number), bounds.contains(count) else {
        return nil
      }
      return count
    }
  }

  /// A duration longer than nothing.
  package mutating func duration(_ name: String) -> Milliseconds? {
    guard let value = given(name) else { return nil }
    guard case .text(let text) = value else {
      report(name, expected: spec(name).kindName, got: LuaText.found(value) + MismatchHint.duration(value))
      return nil
    }
    do {
      let duration = try Milliseconds(parsing: text)
      guard duration > .zero else {
        report(name, expected: "a duration longer than nothing")
        return nil
      }
      return duration
    } catch {
      findings.append("invalid '\(qualified(name))': \(error)")
      return nil
    }
  }

  /// A date, or a date and time.
  package mutating func date(_ name: String) -> Timestamp? {
    read(name) { $0.text.flatMap { Timestamp(parsing: $0) } }
  }

  /// True or false.
  package mutating func boolean(_ name: String) -> Bool? {
    read(name) { if case .bool(let flag) = $0 { flag } else { nil } }
  }

  /// A text that isn't empty.
  package mutating func text(_ name: String) -> String? {
    if functions.contains(name), spec(name).kind == .textOrFunction { return nil }
    return read(name) { value in value.text.flatMap { $0.isEmpty ? nil : $0 } }
  }

  /// Whether a function was given; a plain value in its place is a fault.
  package mutating func function(_ name: String) -> Bool {
    if value(of: name) != nil, !functions.contains(name) { report(name, expected: spec(name).kindName) }
    return functions.contains(name)
  }

  /// One of the declared texts.
  package mutating func choice(_ name: String) -> String? {
    guard case .choice(let names) = spec(name).kind, let value = given(name) else { return nil }
    guard let text = value.text, names.contains(text) else {
      let hint = MismatchHint.choice(value, among: names)
      report(name, expected: spec(name).kindName, got: LuaText.found(value) + hint)
      return nil
    }
    return text
  }

  /// A list of texts.
  package mutating func texts(_ name: String) -> [String]? {
    read(name) { value in
      switch value {
      case .map(let members) where members.isEmpty: return []
      case .list(let items):
        let texts = items.compactMap(\.text)
        return texts.count == items.count ? texts : nil
      default: return nil
      }
    }
  }

  /// A map from names to texts.
  package mutating func labels(_ name: String) -> [String: String]? {
    read(name) { value in
      switch value {
      case .list([]): return [:]
      case .map(let members):
        let texts = members.compactMapValues(\.text)
        return texts.count == members.count ? texts : nil
      default: return nil
      }
    }
  }

  /// A reader for a table within this one; add its findings with ``append(_:)``.
  package mutating func options(_ name: String) -> OptionReader? {
    guard case .options(let specs) = spec(name).kind, let value = given(name) else { return nil }
    switch value {
    case .map, .list([]): return OptionReader(value, specs: specs, path: qualified(name))
    default:
      report(name, expected: spec(name).kindName)
      return nil
    }
  }

  private mutating func read<Result>(_ name: String, _ convert: (Value) -> Result?) -> Result? {
    guard let value = given(name) else { return nil }
    guard let result = convert(value) else {
      report(name, expected: spec(name).kindName)
      return nil
    }
    return result
  }

  /// The plain value of an option; one given as a function is a fault.
  private mutating func given(_ name: String) -> Value? {
    guard !functions.contains(name) else {
      report(name, expected: spec(name).kindName)
      return nil
    }
    return value(of: name)
  }

  private func value(of name: String) -> Value? { members[name] }

  private func spec(_ name: String) -> OptionSpec {
    guard let spec = specs.first(where: { $0.name == name }) else {
      preconditionFailure("the option '\(name)' is read but not declared")
    }
    return spec
  }

  private func qualified(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
