extension TypeSpec {
  /// The types of the functions and files that come with the program.
  static let builtIn =
    [
      rule, timer, statistic, context, connectionEvent, gapEvent, reloadEvent, subscriptionEvent, reply,
      script,
      null,
      configuration,
      environmentReference,
    ]
    + components

  static let rule = TypeSpec(
    "Rule", variable: "rule", summary: "A rule that alert.rule declared",
    example: "local over = alert.rule { name = \"over\", crosses_above = 70000 }")

  static let timer = TypeSpec(
    "Timer", summary: "An entry of M.timers, as daily and every make it",
    example: "M.timers = { summary = daily(\"08:00\", \"Europe/Berlin\") }")

  static let statistic = TypeSpec(
    "Statistic", summary: "A field of the state that stats.… declared",
    example: "M.state = { rsi = stats.rsi { count = 14 } }")

  static let null = TypeSpec("Null", summary: "The null of JSON, which isn't nil and counts as true")

  static let context = TypeSpec(
    "Context", variable: "ctx", summary: "What is known of the message in hand besides its content",
    members: [
      ParameterSpec(
        "time", .integer, unit: "milliseconds since 1970 UTC",
        help: "When it happened, if the source says so with 'time', or else came in"),
      ParameterSpec("received", .integer, unit: "milliseconds since 1970 UTC", help: "When it came in"),
      ParameterSpec(
        "late", .boolean,
        help:
          "Whether it came in after a later one of its key, or is an action whose time came while the program was "
          + "not running"),
      ParameterSpec("source", .text, help: "The source or the script it came from"),
      ParameterSpec(
        "topic", .text,
        help: "The topic that its source gave it, or another script handed it on under; else an empty text"),
      ParameterSpec("key", .text, help: "The key in hand, an empty text without one"),
      ParameterSpec(
        "sequence", .integer, optional: true, help: "Its number, if the source says so with 'sequence'"),
      ParameterSpec("epoch", .integer, help: "A number that grows at each connect of the source"),
      ParameterSpec(
        "replayed", .boolean, help: "Whether the source had sent it before, or it is of a history (warm_up)"),
    ], example: "state.last_time = ctx.time")

  static let connectionEvent = TypeSpec(
    "ConnectionEvent", variable: "event", summary: "What M.events.connection is told about a source",
    members: [
      ParameterSpec(
        "state", .choice(["connecting", "connected", "stale", "disconnected"]), help: "What the source is now"
      ),
      ParameterSpec("source", .text, help: "The name of the source"),
      ParameterSpec(
        "code", .integer, optional: true,
        help: "Why it disconnected: a WebSocket close code, an HTTP status, or 1006"),
      ParameterSpec("reason", .text, optional: true, help: "Why it disconnected, in words"),
    ],
    example: "function M.events.connection(state, event) state.connection = event.state end")

  static let reloadEvent = TypeSpec(
    "ReloadEvent", variable: "event", summary: "What M.events.reload is told about the states that went on",
    members: [
      ParameterSpec("keys", .integer, help: "How many keys went on"),
      ParameterSpec("migrated", .boolean, help: "Whether M.migrate made their states"),
      ParameterSpec("dropped", .list(of: .text), help: "What M.dropped let go"),
    ],
    example: "function M.events.reload(state, event) log.info(\"reloaded\", event.keys) end")

  static let gapEvent = TypeSpec(
    "GapEvent", variable: "event",
    summary: "What M.events.gap is told under each key that it concerns, before the message that shows it",
    members: [
      ParameterSpec(
        "reason", .text,
        help: "How it showed: \"sequence\" where numbers are missing, \"reset\" where they begin anew, "
          + "\"overflow\" where messages gave way for want of room, "
          + "\"duplicate\" where a message was repeated, which is no gap to rules"),
      ParameterSpec("source", .text, help: "The name of the source"),
      ParameterSpec("missed", .integer, optional: true, help: "How many are missing, where that is known"),
      ParameterSpec("expected", .integer, optional: true, help: "The number that was expected"),
      ParameterSpec("got", .integer, optional: true, help: "The number that came"),
    ],
    example: """
      function M.events.gap(state, event)
        if event.reason ~= "duplicate" then state.book = {} end
      end
      """)

  static let subscriptionEvent = TypeSpec(
    "SubscriptionEvent", summary: "What M.events.subscription is told about a subscription of a source",
    members: [
      ParameterSpec(
        "state", .choice(["subscribed", "unsubscribed", "refused", "unanswered", "silent"]),
        help: "What became of it"),
      ParameterSpec("source", .text, help: "The name of the source"),
      ParameterSpec("subscription", .text, help: "The name of the subscription"),
      ParameterSpec("items", .list(of: .text), help: "The items it is about; empty for the whole"),
      ParameterSpec("reason", .text, optional: true, help: "Why, in words, where something is wrong"),
    ],
    example: """
      function M.events.subscription(state, event)
        if event.reason then log.warn(event.subscription, event.reason) end
      end
      """)

  static let reply = TypeSpec(
    "Reply", variable: "reply", summary: "What an action gets as the one reply to an HTTP request",
    members: [
      ParameterSpec("ok", .boolean, help: "Whether the status is one from 200 to 299"),
      ParameterSpec("status", .integer, optional: true, help: "The HTTP status, where there was an answer"),
      ParameterSpec("headers", .map(of: .text), optional: true, help: "Header fields by name in lower case"),
      ParameterSpec("json", .anything, optional: true, help: "The body, where it is JSON"),
      ParameterSpec("text", .text, optional: true, help: "The body, where it isn't"),
      ParameterSpec(
        "error", .text, optional: true,
        help: "Why there was no answer, such as \"timeout\", \"interrupted\" or \"replaced\""),
    ],
    example: """
      function M.actions.found(state, reply)
        if reply.ok then state.name = reply.json.name end
      end
      """)

  static let script = TypeSpec(
    "Script", variable: "M", summary: "What a script returns: its state and its handlers",
    members: [
      ParameterSpec(
        "state", .map(of: .anything), optional: true,
        help: "The fields of the state with their defaults; no others can be read or written, and {} is open"),
      ParameterSpec(
        "key", .either([.text, .map(of: .anything), key]), optional: true,
        help: "What tells the states apart: the path of a field of the message for all inputs, a path or a "
          + "function for each, or one function"),
      ParameterSpec("on", .map(of: handler("message")), optional: true, help: "A handler for each input"),
      ParameterSpec(
        "actions", .map(of: handler("payload")), optional: true, help: "What timers and effects run, by name"),
      ParameterSpec(
        "events",
        .table([
          ParameterSpec("start", handler("event"), optional: true, help: "Runs once when the host starts"),
          ParameterSpec(
            "connection",
            .function(
              [state, ParameterSpec("event", .named("ConnectionEvent"), help: "What happened"), ctx],
              returns: []),
            optional: true, help: "Runs when a source connects, disconnects or falls silent"),
          ParameterSpec(
            "reload",
            .function(
              [state, ParameterSpec("event", .named("ReloadEvent"), help: "What went on"), ctx], returns: []),
            optional: true, help: "Runs when this form of the script has taken the place of another one"),
          ParameterSpec(
            "gap",
            .function(
              [state, ParameterSpec("event", .named("GapEvent"), help: "What is missing"), ctx], returns: []),
            optional: true, help: "Runs under each key that may miss messages, before the one that shows it"),
          ParameterSpec(
            "subscription",
            .function(
              [state, ParameterSpec("event", .named("SubscriptionEvent"), help: "What happened"), ctx],
              returns: []),
            optional: true, help: "Runs when a server confirms or refuses a subscription, or sends none of it"
          ),
        ]), optional: true, help: "What happens beside messages"),
      ParameterSpec(
        "timers", .map(of: .named("Timer")), optional: true,
        help: "When actions run by the clock, by the action's name, under the empty key"),
      ParameterSpec(
        "migrate",
        .function(
          [
            ParameterSpec("old", .map(of: .anything), help: "The old state, without its statistics"),
            ParameterSpec("key", .text, help: "Whose state it is"),
          ], returns: [.map(of: .anything)]), optional: true,
        help:
          "Makes the new state of a key from its old one, where names or kinds of the fields of M.state have "
          + "changed; without it, fields of the same name go on"),
      ParameterSpec(
        "dropped", .list(of: .text), optional: true,
        help:
          "Rules and actions that an older form had and that may go, by name, and \"M.key\" for the states "
          + "under keys; a reload that would lose others is refused"),
    ], example: "local M = { state = { price = 0 }, on = {} }")

  private static let key = ScriptType.function(
    [ParameterSpec("message", .anything, help: "The message")], returns: [.text])

  private static let state = ParameterSpec(
    "state", .map(of: .anything), help: "The state of the key in hand, to be changed in place")
  private static let ctx = ParameterSpec("ctx", .named("Context"), help: "What is known besides")

  private static func handler(_ input: String) -> ScriptType {
    .function([state, ParameterSpec(input, .anything, help: "What came"), ctx], returns: [])
  }
}
