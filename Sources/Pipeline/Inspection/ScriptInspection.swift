import Scripting

/// Looks through a script for what runs and is probably not meant: text compared as numbers, `json.null` taken for
/// false, an assignment to `state` itself, and globals that nobody declared.
struct ScriptInspection {
  /// What is known of the script that a file belongs to.
  struct Subject {
    /// The fields whose default is `json.null`.
    var nullFields: Set<String> = []
    /// Whether messages come from outside, where a number may be written as a text.
    var readsSources = true
    /// The fields of messages that come as numbers, since a source says so, with dots between names.
    var numbers: Set<String> = []
    /// The paths of all globals, such as `alert.send`.
    var globals: Set<String> = []
  }

  let file: String
  let subject: Subject
  private(set) var findings: [Finding] = []
  /// The modules that the file requires by name.
  private(set) var modules: [String] = []
  var scopes: [[String: Binding]] = [["_ENV": .other]]
  private var globalTables: Set<String>
  private var assignedGlobals: Set<String> = []
  /// Fields of the state that are set to nil somewhere, so that comparing them with nil makes sense.
  private var clearedFields: Set<String> = []
  private var comparedWithNil: [(field: String, finding: Finding)] = []
  /// Fields of the state that are set to what a message holds, as it came, and where.
  private var rawFields: [String: (path: String, line: Int)] = [:]
  /// Comparisons by order with a field of the state, of which the block doesn't say what it is.
  private var comparedFields: [(field: String, line: Int)] = []

  /// What a local stands for.
  enum Binding: Equatable {
    case other
    /// The state that a handler is given; whether it is the parameter itself.
    case state(isParameter: Bool)
    case field(String)
    /// A message, or what was read from it: as the script writes it, and as the field of a message, in which all items
    /// of a list are one.
    case message(path: String, field: String)
    /// What the host gives beside, of which all members are known.
    case given(String, members: Set<String>)
  }

  /// Inspects a file that a machine has loaded.
  init(_ text: String, file: String, subject: Subject) {
    self.file = file
    self.subject = subject
    globalTables = Set(
      subject.globals.compactMap { $0.split(separator: ".").dropLast().first.map(String.init) })
    do throws(LuaSyntaxError) {
      walk(try LuaParser.parse(text))
    } catch {
      report(error.line, "the file isn't looked through: \(error.message)")
    }
    for (field, finding) in comparedWithNil where !clearedFields.contains(field) { findings.append(finding) }
    for (field, line) in comparedFields {
      guard let raw = rawFields[field] else { continue }
      report(
        line,
        "state.\(field) is \(raw.path) as it came (line \(raw.line)), which may be a text, and texts are compared letter "
          + "by letter, or not at all with numbers; write state.\(field) = num(\(raw.path))")
    }
  }

  mutating func report(_ line: Int, _ message: String) {
    findings.append(Finding(Place(file: file, line: line), message))
  }

  // MARK: - Names

  func binding(of name: String) -> Binding? {
    for scope in scopes.reversed() { if let binding = scope[name] { return binding } }
    return nil
  }

  mutating func declare(_ name: String, _ binding: Binding = .other) {
    scopes[scopes.count - 1][name] = binding
  }

  /// What an expression stands for, as far as it matters here.
  func meaning(of expression: LuaExpression) -> Binding {
    switch expression.kind {
    case .name(let name): return binding(of: name) ?? .other
    case .index(let base, let key):
      switch (meaning(of: base), key.kind) {
      case (.state, .text(let name)): return .field(name)
      case (.message(let path, let field), .text(let name)):
        return .message(path: "\(path).\(name)", field: field.isEmpty ? name : "\(field).\(name)")
      case (.message(let path, let field), _): return .message(path: "\(path)[…]", field: field)
      default: return .other
      }
    default: return .other
    }
  }

  /// Looks at a name that is read.
  mutating func read(_ name: String, line: Int) {
    guard binding(of: name) == nil, !subject.globals.contains(name), !globalTables.contains(name),
      !assignedGlobals.contains(name)
    else { return }
    let known = subject.globals.filter { !$0.contains(".") }.union(globalTables)
      .union(scopes.flatMap(\.keys))
    let nearest = Suggestion.nearest(to: name, among: known).map { "did you mean '\($0)'?" }
    report(line, "there is no '\(name)', so this reads nil; \(nearest ?? "declare it with local")")
  }

  /// Looks at a member that is read of one of the host's tables.
  mutating func read(_ member: String, of table: String, line: Int) {
    guard binding(of: table) == nil, globalTables.contains(table),
      !subject.globals.contains("\(table).\(member)")
    else { return }
    let known = subject.globals.filter { $0.hasPrefix("\(table).") }
    report(
      line, "there is no \(table).\(member); \(Suggestion.hint(for: "\(table).\(member)", among: known))")
  }

  /// Looks at a member that is read of what the host gives a handler.
  mutating func read(_ member: String, ofGiven expression: LuaExpression, line: Int) {
    guard case .given(let name, let members) = meaning(of: expression), !members.contains(member) else {
      return
    }
    report(
      line,
      "there is no \(name).\(member), so this reads nil; \(Suggestion.hint(for: member, among: members))")
  }

  /// Looks at a name that is assigned to.
  mutating func assign(_ name: String, _ value: Binding, line: Int) {
    guard let scope = scopes.lastIndex(where: { $0[name] != nil }) else {
      if assignedGlobals.insert(name).inserted {
        report(
          line,
          "'\(name)' is a global, which is no state: it isn't stored, and isn't undone when a handler fails; "
            + "write local \(name), or keep it in M.state")
      }
      return
    }
    if case .state(isParameter: true)? = scopes[scope][name] {
      report(
        line,
        "this only gives the name '\(name)' another table, and the state stays as it is; set its fields instead"
      )
    }
    scopes[scope][name] = value
  }

  /// Notes what a field of the state is set to: behind that, in the same block, it isn't what it began as.
  mutating func set(_ field: String, to value: LuaExpression?) {
    if case .nil? = value?.kind { clearedFields.insert(field) }
    if value?.isNull == true {
      for index in scopes.indices { scopes[index]["state.\(field)"] = nil }
    } else {
      declare("state.\(field)")
    }
    if let value, case .message(let path, let source) = meaning(of: value), mayBeText(source) {
      for index in scopes.indices { scopes[index]["kind of state.\(field)"] = nil }
      if rawFields[field] == nil { rawFields[field] = (path, value.line) }
    } else {
      declare("kind of state.\(field)")
    }
  }

  /// Whether a field of a message may hold a number as a text.
  private func mayBeText(_ field: String) -> Bool {
    subject.readsSources
      && !subject.numbers.contains { field == $0 || $0.isEmpty || field.hasPrefix("\($0).") }
  }

  /// Notes what a condition that holds says of fields of the state.
  mutating func narrow(_ condition: LuaExpression) {
    switch condition.kind {
    case .binary("and", let left, let right):
      narrow(left)
      narrow(right)
    case .binary("~=", let left, let right): narrow(left, right)
    default: break
    }
  }

  /// Notes that a field of the state isn't null, where one of two expressions is `json.null` and the other a field.
  mutating func narrow(_ left: LuaExpression, _ right: LuaExpression) {
    for (field, null) in [(left, right), (right, left)] where null.isNull {
      if case .field(let name) = meaning(of: field) { declare("state.\(name)") }
    }
  }

  mutating func require(_ module: String) { modules.append(module) }

  // MARK: - Conditions and comparisons

  /// Looks at an expression that counts as true or false, where the left sides of `and` and `or` were looked at.
  mutating func judge(_ expression: LuaExpression) {
    switch expression.kind {
    case .binary("and", let left, let right):
      scopes.append([:])
      narrow(left)
      judge(right)
      scopes.removeLast()
    case .binary("or", _, let right): judge(right)
    default: judgeTruth(of: expression)
    }
  }

  private mutating func judgeTruth(of expression: LuaExpression) {
    if case .field(let field) = meaning(of: expression), subject.nullFields.contains(field),
      binding(of: "state.\(field)") == nil
    {
      report(
        expression.line,
        "state.\(field) begins as json.null, which counts as true; write state.\(field) ~= json.null")
    } else if expression.isNull {
      report(expression.line, "json.null counts as true; compare with it, as in state.price ~= json.null")
    }
  }

  mutating func compare(_ operation: String, _ left: LuaExpression, _ right: LuaExpression, line: Int) {
    if operation == "==" || operation == "~=" {
      for (a, b) in [(left, right), (right, left)] {
        guard case .nil = b.kind, case .field(let field) = meaning(of: a), subject.nullFields.contains(field)
        else {
          continue
        }
        comparedWithNil.append(
          (
            field,
            Finding(
              Place(file: file, line: line),
              "state.\(field) begins as json.null, which isn't nil; compare it with json.null")
          ))
      }
      return
    }
    for side in [left, right] {
      if case .text(let text) = side.kind, Double(text) != nil {
        return report(
          line, "this compares with the text \"\(text)\", letter by letter; leave out its quotes")
      }
    }
    for (side, other) in [(left, right), (right, left)] {
      if case .text = other.kind { continue }
      if case .field(let field) = meaning(of: side), binding(of: "kind of state.\(field)") == nil {
        comparedFields.append((field, line))
      }
      guard case .message(let path, let field) = meaning(of: side), mayBeText(field) else { continue }
      return report(
        line,
        "\(path) may come as a text, and texts are compared letter by letter, or not at all with numbers; "
          + "write num(\(path))")
    }
  }
}

extension LuaExpression {
  /// Whether it is `json.null`.
  var isNull: Bool {
    if case .index(let base, let key) = kind, case .name("json") = base.kind, case .text("null") = key.kind {
      return true
    }
    return false
  }
}
