import Scripting

extension Assembly {
  /// What is to be known about sources whose messages give way to later ones of their key.
  static func keyWarnings(
    _ configuration: Configuration, _ wiring: EngineWiring, sourceNames: [String]
  ) -> [String] {
    sourceNames.enumerated().compactMap { number, name in
      guard configuration.sources[name]?.queue?.overflow == .latestPerKey else { return nil }
      let text: String
      if let keys = wiring.keys(of: number) {
        switch keys.paths.count {
        case 0: text = "no script that reads it has M.key, so all but its latest message give way"
        case 1: return nil
        default:
          let paths = keys.paths.map { "'\($0.text)'" }.joined(separator: " and ")
          text =
            "its scripts have keys at \(paths), so a message gives way to a later one that has the same at all"
        }
      } else {
        text =
          "M.key of a script that reads it is a function, or a reducer in Swift reads it, so keys can't be "
          + "seen beforehand and the oldest messages give way; give M.key as a path"
      }
      return "\(configuration.file): warning: sources.\(name).overflow: \(text)"
    }
  }
}
