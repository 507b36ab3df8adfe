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

extension Configuration {
  /// The same configuration with another file in place of a script's.
  ///
  /// - Parameters:
  ///   - script: a script of this configuration.
  ///   - path: the other file, as it is to be opened and named in errors.
  package func replacing(script name: String, with path: String) -> Configuration {
    var scripts = scripts
    if let script = scripts[name] {
      scripts[name] = ScriptConfiguration(
        name: name, file: path, path: path, inputs: script.inputs, parameters: script.parameters,
        limits: script.limits, outputs: script.outputs, hosts: script.hosts,
        warmUps: script.warmUps, place: script.place)
    }
    return Configuration(
      file: file, sources: sources, scripts: scripts, reducers: reducers, channels: channels, routes: routes,
      storage: storage, scriptOrder: scriptOrder)
  }
}

extension Configuration {
  /// The same configuration with some of its scripts alone.
  ///
  /// - Parameter names: scripts that are fed by no others than themselves.
  package func keeping(scripts names: Set<String>) -> Configuration {
    var kept = Configuration(
      file: file, sources: sources, scripts: scripts.filter { names.contains($0.key) }, reducers: reducers,
      channels: channels, routes: routes, storage: storage, scriptOrder: scriptOrder.filter(names.contains))
    kept.program = program
    kept.lasting = lasting
    return kept
  }
}
