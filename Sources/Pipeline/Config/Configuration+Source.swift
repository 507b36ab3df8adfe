extension Configuration {
  /// The configuration of some of the sources alone: no scripts, no channels, nothing stored.
  ///
  /// - Parameter names: sources of this configuration.
  package func alone(_ names: [String]) -> Configuration {
    Configuration(
      file: file, sources: sources.filter { names.contains($0.key) }, scripts: [:], reducers: [:],
      channels: [:], routes: [],
      storage: nil, scriptOrder: [])
  }
}
