extension Configuration {
  /// The configuration of one source alone: no scripts, no channels, nothing stored.
  ///
  /// - Parameter name: a source of this configuration.
  package func alone(_ name: String) -> Configuration {
    Configuration(
      file: file, sources: sources.filter { $0.key == name }, scripts: [:], channels: [:], routes: [],
      storage: nil, scriptOrder: [])
  }
}
