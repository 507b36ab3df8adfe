extension Registry {
  /// Everything that comes with the program.
  public static let builtIn: Registry = {
    var registry = Registry()
    registry.registerSources()
    registry.registerChannels()
    registry.register(SQLiteSettings.self)
    for function in ScriptFunctions.specs + ScriptFunctions.statisticSpecs { registry.register(function) }
    return registry
  }()

  /// The declarations of all components.
  package var components: [ComponentSpec] { ComponentKind.allCases.flatMap { specs(of: $0) } }
}
