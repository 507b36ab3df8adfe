extension Assembly {
  /// The reducers written in Swift of a configuration, by name, with the sources that feed them.
  static func natives(
    of configuration: Configuration, registry: Registry, _ findings: inout Findings
  ) -> [EngineWiring.Native] {
    let sourceNames = configuration.sources.keys.sorted()
    var natives: [EngineWiring.Native] = []
    for (name, reducer) in configuration.reducers.sorted(by: { $0.key < $1.key }) {
      var inputs: [Int: String] = [:]
      for (input, source) in reducer.inputs {
        if let number = sourceNames.firstIndex(of: source) { inputs[number] = input }
      }
      do {
        let settings: NativeReducerSettings = try registry.make(reducer.component)
        let stage = settings.makeRunner(name: name)
        natives.append(
          EngineWiring.Native(
            stage: stage, inputs: inputs,
            topics: stage.topics.map { EngineWiring.Topic(name: $0, feeds: []) }))
      } catch {
        findings.add(reducer.place.member("reducer"), "\(error)")
      }
    }
    return natives
  }
}

extension [EngineWiring.Native] {
  /// Lets a script take a topic of a reducer; gives a sentence where there is no such topic.
  mutating func add(_ feed: EngineWiring.Feed, to topic: String, of reducer: String) -> String? {
    guard let place = firstIndex(where: { $0.stage.name == reducer }) else { return nil }
    guard let index = self[place].topics.firstIndex(where: { $0.name == topic }) else {
      return "the reducer '\(reducer)' emits no topic '\(topic)'; "
        + Suggestion.hint(for: topic, among: self[place].topics.map(\.name))
    }
    self[place].topics[index].feeds.append(feed)
    return nil
  }
}
