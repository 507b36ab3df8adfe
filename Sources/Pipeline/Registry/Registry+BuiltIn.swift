extension Registry {
  /// Everything that comes with the program.
  public static let builtIn: Registry = {
    var registry = Registry()
    registry.registerSources()
    registry.registerPresets()
    registry.registerChannels()
    registry.register(SQLiteSettings.self)
    for function in ScriptFunctions.specs { registry.register(function) }
    registry.register(FunctionSpec.environment)
    registry.register(FunctionSpec.preset)
    for signature in FunctionSpec.signatures { registry.register(signature.spec) }
    for type in TypeSpec.builtIn { registry.register(type) }
    registry.register(ConstantSpec.null)
    return registry
  }()

  /// The declarations of all components.
  package var components: [ComponentSpec] { ComponentKind.allCases.flatMap { specs(of: $0) } }
}
