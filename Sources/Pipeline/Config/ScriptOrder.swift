/// The order in which scripts pass a message on, and the circles that leave none.
struct ScriptOrder {
  /// Each script after those that feed it, by name where that leaves a choice; those of circles are missing.
  private(set) var names: [String] = []
  /// Scripts that feed each other in a circle, each circle from its first name on.
  private(set) var circles: [[String]] = []

  /// Finds the order of scripts whose inputs are known.
  init(_ scripts: [String: ScriptConfiguration]) {
    var feeders: [String: Set<String>] = scripts.mapValues { script in
      Set(
        script.inputs.values.compactMap { origin in
          if case .topic(let feeder, _) = origin, scripts[feeder] != nil { feeder } else { nil }
        })
    }
    while !feeders.isEmpty {
      if let next = feeders.filter({ $0.value.isEmpty }).keys.min() {
        names.append(next)
        feeders[next] = nil
        for name in feeders.keys { feeders[name]?.remove(next) }
        continue
      }
      // Everything left is fed by something left, so walking from feeder to feeder must come around.
      var walk: [String] = []
      var current = feeders.keys.min()
      while let name = current, !walk.contains(name) {
        walk.append(name)
        current = feeders[name]?.min()
      }
      guard let current, let start = walk.firstIndex(of: current) else { return }
      let circle = Array(walk[start...].reversed())
      let first = circle.indices.min { circle[$0] < circle[$1] } ?? 0
      circles.append(Array(circle[first...] + circle[..<first]))
      for name in circle { feeders[name] = nil }
      for name in feeders.keys { feeders[name]?.subtract(circle) }
    }
  }
}
