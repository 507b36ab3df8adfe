package import Pipeline

extension Registry {
  /// Everything that comes with the program, the functions of tests included.
  package static let withTesting: Registry = {
    var registry = Registry.builtIn
    registry.register(TypeSpec.subject)
    for function in TestFunctions.specs { registry.register(function) }
    return registry
  }()
}

extension TypeSpec {
  /// What `test.script` and `test.config` return.
  static let subject = TypeSpec(
    "Test", variable: "t",
    summary: "What test.script and test.config return: verbs that let something happen, and "
      + "claims about what it did; anything that happened and was not claimed fails the test",
    example: "local t = test.script(\"alert.lua\")")
}
