import Pipeline

/// What one of several engines sees to that play the same files.
struct ReplayPart: Sendable {
  /// Whether it tells what is about nobody's script or source.
  let isFirst: Bool
  /// What it runs.
  let scripts: Set<String>
  /// Sources whose messages are nothing to it.
  let passedOver: Set<String>
  /// The scripts and sources that it tells about, by name; each has one engine that does.
  private let own: Set<String>
  private let others: Set<String>

  /// Whether it tells what is about something of a name; what is about a source, several engines may see.
  func tells(_ name: String) -> Bool { own.contains(name) || (isFirst && !others.contains(name)) }

  /// Makes the parts for groups of scripts.
  static func make(_ groups: [[String]], of configuration: Pipeline.Configuration) -> [ReplayPart] {
    let fed = groups.map { group in
      Set(
        group.flatMap { name in
          (configuration.scripts[name]?.inputs ?? [:]).values.compactMap { origin in
            if case .source(let source) = origin { source } else { nil }
          }
        })
    }
    var own = groups.map { Set($0) }
    for source in configuration.sources.keys where !groups.isEmpty {
      own[fed.firstIndex { $0.contains(source) } ?? 0].insert(source)
    }
    let all = own.reduce(into: Set<String>()) { $0.formUnion($1) }
    return groups.indices.map { index in
      ReplayPart(
        isFirst: index == 0, scripts: Set(groups[index]),
        passedOver: Set(configuration.sources.keys).subtracting(fed[index]).subtracting(own[index]),
        own: own[index], others: all.subtracting(own[index]))
    }
  }
}
