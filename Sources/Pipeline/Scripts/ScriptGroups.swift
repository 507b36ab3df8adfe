/// The scripts of a configuration in groups that have nothing to do with each other.
///
/// Scripts of one group are connected by topics, directly or through others.
package struct ScriptGroups: Sendable {
  /// The groups by their first script, each in the order in which a message passes them.
  package let groups: [[String]]
  private let places: [String: Int]

  /// Finds the groups of a configuration.
  package init(_ configuration: Configuration) {
    self.init(
      order: configuration.scriptOrder, origins: configuration.scripts.mapValues { Array($0.inputs.values) })
  }

  /// Finds the groups of scripts.
  ///
  /// - Parameters:
  ///   - order: the scripts, each after those that feed it.
  ///   - origins: what feeds each.
  init(order: [String], origins: [String: [InputOrigin]]) {
    var place = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1, $0) })
    func join(_ one: String, _ other: String) {
      guard let first = place[one], let second = place[other], first != second else { return }
      for (name, number) in place where number == max(first, second) { place[name] = min(first, second) }
    }
    // A reducer written in Swift joins those that it feeds by its first one.
    var fed: [String: String] = [:]
    for name in order {
      for case .topic(let feeder, _) in origins[name] ?? [] {
        let other = place[feeder] == nil ? fed[feeder] : feeder
        if let other { join(name, other) } else { fed[feeder] = name }
      }
    }
    var groups: [[String]] = []
    var numbers: [Int: Int] = [:]
    var places: [String: Int] = [:]
    for name in order {
      guard let first = place[name] else { continue }
      let number = numbers[first] ?? groups.count
      if number == groups.count {
        numbers[first] = number
        groups.append([])
      }
      groups[number].append(name)
      places[name] = number
    }
    self.groups = groups
    self.places = places
  }

  /// The number of the group that an alert belongs to; -1 for what is about the host itself, but for its scripts.
  package func number(of alert: Alert) -> Int {
    guard alert.script == "host" else { return places[alert.script] ?? 0 }
    return alert.name == HostAlert.scriptSuspended.rawValue ? places[alert.key] ?? 0 : -1
  }

  /// The groups in at most so many parts with about as many scripts each; the first group is in the first.
  package func parts(atMost count: Int) -> [[String]] {
    var parts = Array(repeating: [String](), count: max(min(count, groups.count), 1))
    for group in groups.prefix(1) { parts[0] += group }
    let rest = groups.dropFirst().enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }
    for (_, group) in rest {
      let least = parts.indices.min { (parts[$0].count, $0) < (parts[$1].count, $1) } ?? 0
      parts[least] += group
    }
    return parts
  }
}
