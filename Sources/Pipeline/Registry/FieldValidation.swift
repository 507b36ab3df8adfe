import Scripting

/// Reads values of a configuration against the specs, and collects every fault instead of stopping at one.
struct FieldValidation {
  /// The names that references may use, by kind.
  var names: [ComponentKind: [String]] = [:]
  /// The folder that paths of files start from, with a trailing `/`; empty for the working directory.
  var folder = ""
  var fileExists: (String) -> Bool = { _ in true }
  private(set) var findings = Findings()

  mutating func add(_ place: Place, _ message: String) { findings.add(place, message) }

  /// Reads the options of a component or group; nil if one of them is at fault.
  mutating func fields(_ value: Value, specs: [FieldSpec], owner: String, at place: Place) -> FieldReader? {
    guard let members = table(value) else {
      add(place, "expected a table of options for \(owner), got \(LuaText.found(value))")
      return nil
    }
    let before = findings.count
    let place = place.at(line: lineNumber(of: value))
    unknown(in: members, known: specs.map(\.name), of: "option of \(owner)", at: place)
    var values: [String: FieldValue?] = [:]
    for spec in specs {
      let place = place.member(spec.name)
      if let given = members[spec.name] {
        values[spec.name] = .some(read(given, as: spec.type, owner: "\(spec.name) of \(owner)", at: place))
      } else if let value = spec.defaultValue {
        values[spec.name] = .some(read(value, as: spec.type, owner: "\(spec.name) of \(owner)", at: place))
      } else {
        values[spec.name] = .some(nil)
        guard spec.isRequired else { continue }
        let example = spec.example.map { ", for example \(spec.name) = \(LuaText.write($0))" } ?? ""
        add(place, "missing; \(owner) needs \(spec.type.expectation)\(example)")
      }
    }
    return findings.count == before ? FieldReader(owner: owner, values: values) : nil
  }

  /// Reports the names of a table that are not known.
  mutating func unknown(in members: [String: Value], known: [String], of noun: String, at place: Place) {
    for (name, value) in members where !known.contains(name) {
      let place = place.member(name).at(line: lineNumber(of: value))
      add(place, "unknown \(noun); \(Suggestion.hint(for: name, among: known))")
    }
  }

  /// The members of a plain table. An empty Lua table is both an empty list and an empty map.
  func table(_ value: Value) -> [String: Value]? {
    switch value {
    case .list(let elements) where elements.isEmpty: return [:]
    case .map(var members)
    where members["$component"] == nil && members["$env"] == nil && members["$function"] == nil:
      members["$line"] = nil
      return members
    default: return nil
    }
  }

  /// The elements of a list; see `table` for the empty one.
  func elements(_ value: Value) -> [Value]? {
    if case .list(let elements) = value { return elements }
    return table(value)?.isEmpty == true ? [] : nil
  }

  /// Reads one value; nil, with a finding, if it isn't of the type.
  mutating func read(_ value: Value, as type: FieldType, owner: String, at place: Place) -> FieldValue? {
    let place = place.at(line: lineNumber(of: value))
    switch type {
    case .list(let element):
      guard let elements = elements(value) else { return mismatch(value, type, place) }
      var read: [FieldValue] = []
      for (index, value) in elements.enumerated() {
        guard let value = self.read(value, as: element, owner: owner, at: place.element(index + 1)) else {
          continue
        }
        read.append(value)
      }
      return read.count == elements.count ? .list(read) : nil
    case .map(let element):
      guard let members = table(value) else { return mismatch(value, type, place) }
      var read: [String: FieldValue] = [:]
      for (name, value) in members {
        read[name] = self.read(value, as: element, owner: owner, at: place.member(name))
      }
      return read.count == members.count ? .map(read) : nil
    case .group(let specs):
      guard table(value) != nil else { return mismatch(value, type, place) }
      return fields(value, specs: specs, owner: owner, at: place).map { .group($0) }
    case .headers:
      if let function = FunctionReference(value, at: place) { return .function(function) }
      guard table(value) != nil else { return mismatch(value, type, place) }
      return read(value, as: .map(of: .secretText), owner: owner, at: place)
    case .message:
      return plain(value, at: place, variables: true).map { .message(MessageTemplate($0, place: place)) }
    case .value:
      return plain(value, at: place, variables: false).map { .value($0) }
    default:
      return scalar(value, as: type, at: place)
    }
  }

  /// The value without line numbers; nil, with a finding, if it holds what isn't plain data.
  mutating func plain(_ value: Value, at place: Place, variables: Bool, depth: Int = 0) -> Value? {
    guard depth < 100 else {
      add(place, "expected at most 100 tables inside one another")
      return nil
    }
    switch value {
    case .list(let elements):
      var plain: [Value] = []
      for (index, element) in elements.enumerated() {
        let place = place.element(index + 1)
        guard let element = self.plain(element, at: place, variables: variables, depth: depth + 1) else {
          continue
        }
        plain.append(element)
      }
      return plain.count == elements.count ? .list(plain) : nil
    case .map:
      if variables, EnvironmentReference(value) != nil { return value }
      guard let members = table(value) else {
        add(place.at(line: lineNumber(of: value)), "expected plain data, got \(LuaText.found(value))")
        return nil
      }
      var plain: [String: Value] = [:]
      for (name, member) in members {
        let place = place.member(name)
        plain[name] = self.plain(member, at: place, variables: variables, depth: depth + 1)
      }
      return plain.count == members.count ? .map(plain) : nil
    case .number(let number) where !number.isFinite:
      add(place, "expected a number that JSON can hold, got \(number)")
      return nil
    default:
      return value
    }
  }

  private mutating func scalar(_ value: Value, as type: FieldType, at place: Place) -> FieldValue? {
    switch (type, value) {
    case (.text, .text(let text)):
      return .text(text)
    case (.file(let mustExist), .text(let text)) where !text.isEmpty:
      let path = path(text)
      guard !mustExist || fileExists(path) else {
        add(place, "there is no file \"\(LuaText.escaped(path))\"")
        return nil
      }
      return .text(path)
    case (.integer(let range), .integer(let integer)) where range.contains(integer):
      return .integer(integer)
    case (.integer(let range), .number(let number)):
      // Lua arithmetic such as 10 / 2 gives 5.0.
      guard let integer = Int64(exactly: number), range.contains(integer) else { break }
      return .integer(integer)
    case (.number(let range), _):
      guard let number = value.double, range.contains(number) else { break }
      return .number(number)
    case (.boolean, .bool(let boolean)):
      return .boolean(boolean)
    case (.duration(let range), .text(let text)):
      do throws(InvalidDuration) {
        let span = try Milliseconds(parsing: text)
        guard range.contains(span) else { break }
        return .duration(span)
      } catch {
        add(place, LuaText.escaped(error.description, quotes: false))
        return nil
      }
    case (.size(let range), .text(let text)):
      guard let bytes = SizeText.read(text), range.contains(bytes) else { break }
      return .integer(bytes)
    case (.choice(let choices), .text(let text)):
      guard choices.contains(text) else { break }
      return .text(text)
    case (.reference(let kind), .text(let text)):
      let known = names[kind] ?? []
      guard known.contains(text) else {
        add(
          place,
          "unknown \(kind.rawValue) '\(LuaText.escaped(text, limit: 60))'; "
            + Suggestion.hint(for: text, among: known))
        return nil
      }
      return .text(text)
    case (.function, _):
      guard let function = FunctionReference(value, at: place) else { break }
      return .function(function)
    case (.url, _), (.secretText, _):
      return secret(value, as: type, at: place)
    default:
      break
    }
    return mismatch(value, type, place)
  }

  private mutating func secret(_ value: Value, as type: FieldType, at place: Place) -> FieldValue? {
    var schemes: [String] = []
    if case .url(let expected) = type { schemes = expected }
    if let reference = EnvironmentReference(value) {
      guard !reference.name.isEmpty, !reference.name.utf8.contains(where: { $0 == 0 || $0 == 0x3d }) else {
        add(
          place, "expected the name of an environment variable, got \(LuaText.found(.text(reference.name)))")
        return nil
      }
      return .secret(Secret(.environment(name: reference.name), place: place, schemes: schemes))
    }
    guard case .text(let text) = value else {
      // A secret in the wrong shape is still a secret: only its kind is told.
      let found = FunctionReference.isFunction(value) ? "a function" : value.kindName
      add(place, "expected \(type.expectation), got \(found)")
      return nil
    }
    guard schemes.isEmpty || URLText.isValid(text, schemes: schemes) else {
      return mismatch(.text(URLText.redacted(text)), type, place)
    }
    return .secret(Secret(.literal(text), place: place, schemes: schemes))
  }

  private mutating func mismatch(_ value: Value, _ type: FieldType, _ place: Place) -> FieldValue? {
    var hint = ""
    if EnvironmentReference(value) != nil { hint = "; only secret texts and URLs can come from env" }
    if case .choice(let choices) = type { hint = MismatchHint.choice(value, among: choices) }
    if case .duration = type { hint = MismatchHint.duration(value) }
    add(place, "expected \(type.expectation), got \(LuaText.found(value))\(hint)")
    return nil
  }

  /// The path of a file as it is opened.
  func path(_ text: String) -> String { text.hasPrefix("/") ? text : folder + text }
}
