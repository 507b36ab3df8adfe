extension FunctionSpec {
  /// What happens later, and what is asked of sources and channels.
  static let effects = [
    effectAfter, effectAt, effectDebounce, effectThrottle, effectCancel, effectHTTP, effectSend,
    effectPublish,
    effectConnect, effectDisconnect, effectSubscribe, effectUnsubscribe,
  ]

  static let effectAfter = FunctionSpec(
    "effect.after",
    parameters: [
      ParameterSpec("duration", .duration, help: "How long from now, such as \"10m\""), action,
      ParameterSpec("payload", .anything, optional: true, help: "What the action gets"),
    ],
    summary: "Runs an action later; it replaces a pending one of the same action and key",
    example: "effect.after(\"30s\", \"remind\")", phase: .handling, isEffect: true)

  static let effectAt = FunctionSpec(
    "effect.at",
    parameters: [
      ParameterSpec("time", .number, help: "Milliseconds since 1970 UTC"), action,
      ParameterSpec("payload", .anything, optional: true, help: "What the action gets"),
    ], summary: "Runs an action at a time, or at once if it has passed; it replaces a pending one",
    example: "effect.at(time.parse(\"2026-12-31 18:00\", \"Europe/Berlin\"), \"close\")", phase: .handling,
    isEffect: true)

  static let effectDebounce = FunctionSpec(
    "effect.debounce",
    parameters: [
      ParameterSpec("duration", .duration, help: "How long it has to be quiet, such as \"2s\""), action,
      ParameterSpec("payload", .anything, optional: true, help: "What the action gets; the latest counts"),
    ], summary: "Runs an action once nothing has asked for it for a while",
    example: "effect.debounce(\"2s\", \"look_up\", { symbol = message.s })", phase: .handling, isEffect: true)

  static let effectThrottle = FunctionSpec(
    "effect.throttle",
    parameters: [
      ParameterSpec("duration", .duration, help: "The least span between two runs, such as \"1m\""), action,
      ParameterSpec("payload", .anything, optional: true, help: "What the action gets; the latest counts"),
    ], summary: "Runs an action at once, and then not again before a span is over",
    example: "effect.throttle(\"1m\", \"publish\", state.price)", phase: .handling, isEffect: true)

  static let effectCancel = FunctionSpec(
    "effect.cancel", parameters: [action], summary: "Drops the pending timer of an action and key",
    example: "effect.cancel(\"remind\")", phase: .handling, isEffect: true)

  static let effectHTTP = FunctionSpec(
    "effect.http",
    parameters: [
      .options(
        fields: WebRequest.options.map(ParameterSpec.init) + [
          ParameterSpec(
            "json", .anything, optional: true, help: "The body as plain data, which is sent as JSON")
        ], help: "What to ask for, and what gets the reply")
    ],
    summary: "Sends an HTTP request; an action gets one reply: ok, status, headers, json or text, error",
    example: "effect.http { url = \"https://example.org/\" .. ctx.key, reply = \"found\" }",
    phase: .handling, isEffect: true)

  static let effectSend = FunctionSpec(
    "effect.send",
    parameters: [
      ParameterSpec("output", .text, help: "An output of the script, or the name of a source"),
      ParameterSpec("message", .anything, help: "A text, or plain data that is sent as JSON"),
    ],
    summary: "Sends a message to the server of a source, at most once and only while it is connected",
    example: "effect.send(\"btc\", { op = \"ping\" })", phase: .handling, isEffect: true)

  static let effectPublish = FunctionSpec(
    "effect.publish",
    parameters: [
      ParameterSpec("output", .text, help: "An output of the script, or the name of a channel"),
      ParameterSpec("value", .anything, help: "Plain data"),
    ], summary: "Publishes a value through a channel, at least once, such as a line of a file",
    example: "effect.publish(\"bars\", { symbol = ctx.key, close = state.close })", phase: .handling,
    isEffect: true)

  static let effectConnect = FunctionSpec(
    "effect.connect", parameters: [source], summary: "Connects a source that is disconnected",
    example: "effect.connect(\"btc\")", phase: .handling, isEffect: true)

  static let effectDisconnect = FunctionSpec(
    "effect.disconnect", parameters: [source],
    summary: "Disconnects a source until it is connected again", example: "effect.disconnect(\"btc\")",
    phase: .handling, isEffect: true)

  static let effectSubscribe = FunctionSpec(
    "effect.subscribe", parameters: [source, subscription, items("subscribe to")],
    summary: "Asks for a subscription of a source, or for more items of it, now and after each connect",
    example: "effect.subscribe(\"btc\", \"trades\", { \"ETH-USD\", \"SOL-USD\" })", phase: .handling,
    isEffect: true)

  static let effectUnsubscribe = FunctionSpec(
    "effect.unsubscribe", parameters: [source, subscription, items("end it for")],
    summary: "Ends a subscription of a source, or some items of it, now and after each connect",
    example: "effect.unsubscribe(\"btc\", \"trades\", \"ETH-USD\")", phase: .handling, isEffect: true)

  private static func items(_ purpose: String) -> ParameterSpec {
    ParameterSpec(
      "items", .either([.text, .list(of: .text)]), optional: true,
      help: "What to \(purpose), one item or several; without it the subscription as a whole")
  }

  private static let subscription = ParameterSpec(
    "subscription", .text, help: "The name of one of the source's subscriptions")
  private static let action = ParameterSpec("action", .text, help: "The name of a function of M.actions")
  private static let source = ParameterSpec("source", .text, help: "The name of a source")
}
