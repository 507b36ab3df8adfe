extension TypeSpec {
  /// What constructors of each kind make.
  static let components = ComponentKind.allCases.map { kind in
    TypeSpec(typeName(of: kind), summary: "What \(kind.rawValue).… makes for a configuration")
  }

  /// The name of the type that constructors of a kind make.
  static func typeName(of kind: ComponentKind) -> String {
    kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
  }

  static let environmentReference = TypeSpec(
    "EnvironmentReference", summary: "A text of the environment that is never printed, as env makes it",
    example: "channel.webhook { url = env \"WEBHOOK_URL\" }")

  static let configuration = TypeSpec(
    "Configuration", summary: "What a configuration returns",
    members: [
      ParameterSpec("sources", .map(of: .named("Source")), help: "The feeds by name"),
      ParameterSpec(
        "scripts", .map(of: .table(ScriptConfiguration.fields.map(ParameterSpec.init))), optional: true,
        help: "The scripts by name"),
      ParameterSpec(
        "channels", .map(of: .named("Channel")), optional: true, help: "Where alerts go, by name"),
      ParameterSpec(
        "routes", .list(of: .table(AlertRoute.options.map(ParameterSpec.init))), optional: true,
        help: "Which alerts go to which channels; the first that takes an alert counts"),
      ParameterSpec(
        "storage", .named("Storage"), optional: true, default: "memory", help: "Where state is kept"),
    ], example: "return { sources = { btc = source.simulated {} } }")
}

extension FunctionSpec {
  static let environment = FunctionSpec(
    "env", parameters: [ParameterSpec("name", .text, help: "The name of an environment variable")],
    returns: Result(.named(TypeSpec.environmentReference.name), "a reference that options for secrets take"),
    summary: "Stands for the text of an environment variable; in a function for headers it is the text",
    example: "url = env \"WEBHOOK_URL\"",
    files: [.configuration])
}

extension ConstantSpec {
  static let null = ConstantSpec(
    "json.null", .named(TypeSpec.null.name),
    summary: "The null of JSON; it isn't nil, and it counts as true in conditions",
    example: "if state.price ~= json.null then over:check(state.price) end", files: .all)
}
