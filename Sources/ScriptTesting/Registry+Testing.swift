package import Pipeline

extension Registry {
  /// The same with the functions of tests.
  package var withTesting: Registry {
    var registry = self
    registry.register(TypeSpec.subject)
    for function in TestFunctions.specs { registry.register(function) }
    return registry
  }
}

extension TypeSpec {
  /// What `test.script` and `test.config` return.
  static let subject = TypeSpec(
    "Test", variable: "t",
    summary: "What test.script and test.config return: verbs that let something happen, and "
      + "claims about what it did; anything that happened and was not claimed fails the test",
    example: "local t = test.script(\"alert.lua\")")
}
