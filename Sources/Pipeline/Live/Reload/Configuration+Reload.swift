import Scripting

extension Configuration {
  /// The sections that are put together at the start and can't change while a host runs.
  static let lastingSections = ["sources", "channels", "storage", "reducers"]

  /// What the sections of a configuration say, without the lines they stand in, to be compared and never shown.
  static func lasting(_ value: Value) -> [String: Value] {
    var sections: [String: Value] = [:]
    for name in lastingSections {
      if let section = value[name] { sections[name] = withoutLines(section) }
    }
    // Reducers of the program's own stand among the scripts.
    if case .map(let scripts)? = value["scripts"] {
      sections["reducers"] = .map(scripts.filter { $0.value["reducer"] != nil }.mapValues(withoutLines))
    }
    return sections
  }

  private static func withoutLines(_ value: Value) -> Value {
    switch value {
    case .map(var members):
      members["$line"] = nil
      return .map(members.mapValues(withoutLines))
    case .list(let items): return .list(items.map(withoutLines))
    default: return value
    }
  }

  /// What differs from the configuration that runs and needs a restart, one path each.
  func restartNeeds(from running: Configuration) -> [String] {
    Self.lastingSections.flatMap { section in
      Self.differences(lasting[section], running.lasting[section], at: section)
    }
  }

  private static func differences(_ new: Value?, _ old: Value?, at path: String) -> [String] {
    guard new != old else { return [] }
    func members(_ value: Value?) -> [String: Value] {
      // Of a constructor's call the fields count, of a section its members; an empty table is a list.
      guard case .map(let members)? = value else { return [:] }
      guard case .map(let fields)? = members["$fields"] else { return members }
      var all = fields
      all["component"] = members["$component"]
      all["preset"] = members["$preset"]
      return all
    }
    let (newMembers, oldMembers) = (members(new), members(old))
    let isDeep = path.split(separator: ".").count < 3
    guard isDeep, !newMembers.isEmpty, !oldMembers.isEmpty else {
      return ["\(path) \(old == nil ? "is new" : new == nil ? "is gone" : "changed")"]
    }
    if newMembers["component"] != oldMembers["component"] { return ["\(path) became another component"] }
    return Set(newMembers.keys).union(oldMembers.keys).sorted().flatMap {
      differences(newMembers[$0], oldMembers[$0], at: "\(path).\($0)")
    }
  }
}
