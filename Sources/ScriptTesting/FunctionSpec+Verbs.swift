import Pipeline

extension FunctionSpec {
  /// What makes the table `t`, and `it`.
  static let tests = [testScript, testConfig, test, cases]

  /// What a test lets happen.
  static let verbs = [
    receive, advance, disconnect, reconnect, stale, gap, restart, reload, fail, reply, series, recording,
    warmUp,
  ]

  static let testScript = FunctionSpec(
    "test.script",
    parameters: [
      ParameterSpec("file", .text, help: "The script's file, from the folder of the test"),
      .options(
        optional: true,
        fields: [
          ParameterSpec(
            "params", .map(of: .anything), optional: true,
            help: "Parameters in place of the script's defaults"),
          now,
          ParameterSpec(
            "from", .map(of: .text), optional: true, help: "The source of an input, where it has another name"
          ),
        ], help: "How it is set up"),
    ], returns: Result(.named(TypeSpec.subject.name), "the table t of verbs and claims"),
    summary: "Makes a script with a source for each of its inputs to test it alone",
    example: "local t = test.script(\"alert.lua\", { params = { level = 70000 } })", files: [.test])

  static let testConfig = FunctionSpec(
    "test.config",
    parameters: [
      ParameterSpec("file", .text, help: "The configuration's file, from the folder of the test"),
      .options(optional: true, fields: [now], help: "How it is set up"),
    ], returns: Result(.named(TypeSpec.subject.name), "the table t of verbs and claims"),
    summary: "Puts a whole configuration together to test it with its routes and channels",
    example: "local t = test.config(\"config.lua\")", files: [.test])

  static let test = FunctionSpec(
    "it",
    parameters: [
      ParameterSpec("name", .text, help: "What the test shows, as the end of a sentence"),
      ParameterSpec("body", .function([], returns: []), help: "The test, which begins with a fresh state"),
    ], summary: "Declares a test",
    example: """
      it("fires once", function()
        t.receive("price", { bitcoin = 70010 })
        t.alert { rule = "over level" }
      end)
      """,
    files: [.test], phase: .loading)

  static let cases = FunctionSpec(
    "each",
    parameters: [
      ParameterSpec("title", .text, optional: true, help: "What stands before the name of each case"),
      ParameterSpec(
        "cases", .anything,
        help: "A list of cases, each with its name as the member name, or a table of cases by their names"),
      ParameterSpec(
        "body", .function([ParameterSpec("case", .anything, help: "The case")], returns: []),
        help: "The test of a case, which begins with a fresh state"),
    ], summary: "Declares a test for each case of a table",
    example: """
      each("at the level", { below = 69999, on = 70000 }, function(price)
        t.receive("price", { bitcoin = price })
        t.state { price = price + 0.0 }
      end)
      """,
    files: [.test], phase: .loading)

  static let receive = verb(
    "receive",
    [
      input,
      ParameterSpec(
        "message", .anything, help: "A table, which is sent as JSON, or the raw text of a message"),
      .options(
        optional: true,
        fields: [
          ParameterSpec(
            "time", .either([.text, .integer]), optional: true, default: "now",
            help: "When the message happened"),
          ParameterSpec(
            "late", .boolean, optional: true, default: "false", help: "Whether it comes after a later one"),
          ParameterSpec(
            "replayed", .boolean, optional: true, default: "false", help: "Whether it was sent before"),
          ParameterSpec("sequence", .integer, optional: true, help: "Its number"),
          ParameterSpec("topic", .text, optional: true, help: "Its topic"),
          ParameterSpec(
            "text", .boolean, optional: true, default: "false",
            help: "Whether it is text as it is, and not read as JSON"),
          ParameterSpec(
            "received", .either([.text, .integer]), optional: true, default: "when it happened",
            help: "When it came in"),
        ], help: "What goes with it"),
    ], "Lets a message come in", "t.receive(\"price\", { bitcoin = \"69000\" })")

  static let advance = verb(
    "advance", [ParameterSpec("duration", .duration, help: "How far, such as \"10m\"")],
    "Moves the clock on, with everything that falls due on the way", "t.advance(\"10m\")")

  static let disconnect = verb(
    "disconnect",
    [
      input,
      .options(
        optional: true,
        fields: [
          ParameterSpec(
            "code", .integer, optional: true, default: "1006", help: "Why, as a WebSocket close code"),
          ParameterSpec("reason", .text, optional: true, help: "Why, in words"),
        ], help: "Why it disconnects"),
    ], "Cuts the connection of a source", "t.disconnect(\"btc\", { code = 1001, reason = \"going away\" })")

  static let reconnect = verb(
    "reconnect", [input], "Connects a source that is disconnected", "t.reconnect(\"btc\")")

  static let stale = verb(
    "stale", [input], "Tells that a source is connected, but silent for too long", "t.stale(\"btc\")")

  static let gap = verb(
    "gap",
    [
      input,
      .options(
        optional: true,
        fields: [
          ParameterSpec(
            "key", .text, optional: true, default: "every key", help: "The key whose messages are missing"),
          ParameterSpec("missed", .integer, optional: true, help: "How many are missing, if that is known"),
          ParameterSpec(
            "reason", .text, optional: true, default: "\"sequence\"", help: "How the gap showed"),
        ], help: "What is missing"),
    ], "Tells that messages of a source are missing", "t.gap(\"btc\", { missed = 3 })")

  static let restart = verb(
    "restart", [], "Stops the host and starts it again on what it had stored", "t.restart()")

  static let reload = verb(
    "reload",
    [
      .options(
        optional: true,
        fields: [
          ParameterSpec(
            "file", .text, optional: true,
            help:
              "The script or configuration to take in place of the present one, from the folder of the test"),
          ParameterSpec(
            "params", .map(of: .anything), optional: true, help: "Parameters in place of those given so far"),
          ParameterSpec(
            "refused", .text, optional: true,
            help: "Claims that it is refused, with a part of the reason, and the old one runs on"),
        ], help: "What is new")
    ], "Puts a newer form of the script in the place of the one that runs, with its state",
    "t.reload { file = \"alert_v2.lua\" }")

  static let fail = verb(
    "fail",
    [
      ParameterSpec("channel", .text, help: "The name of a channel"),
      ParameterSpec(
        "reason", .text, optional: true, help: "Why, in words; nil lets the channel deliver again"),
    ], "Lets a channel fail from now on", "t.fail(\"phone\", \"out of credit\")")

  static let series = verb(
    "series",
    [
      input,
      ParameterSpec(
        "make", .function([ParameterSpec("value", .number, help: "The tick's number")], returns: [.anything]),
        help: "Makes a message of a number"),
      ParameterSpec(
        "ticks", .text,
        help: "Numbers, steps such as +100 and -5, _ for no message and stale, each with x and a count if it "
          + "repeats"),
      .options(
        optional: true,
        fields: [
          ParameterSpec(
            "every", .duration, optional: true, default: "\"1s\"", help: "How far ticks are apart")
        ], help: "How it is played"),
    ], "Lets messages come in one after another",
    "t.series(\"price\", function(n) return { bitcoin = n } end, \"69000 +100x10 _x3\")")

  static let recording = verb(
    "recording",
    [
      ParameterSpec("file", .text, help: "The file, from the folder of the test"),
      .options(
        optional: true,
        fields: [
          ParameterSpec(
            "source", .text, optional: true, default: "the first",
            help: "The source of messages without one of their own"),
          ParameterSpec(
            "every", .duration, optional: true, default: "\"1s\"", help: "How far such messages are apart"),
        ], help: "How plain messages are played"),
    ], "Plays a recording, such as one of pipeline record, or a file of messages",
    "t.recording(\"minute.ndjson\")")

  static let warmUp = verb(
    "warm_up",
    [
      ParameterSpec(
        "input", .text, optional: true,
        help: "The input whose history it is; without it, the files that the configuration names"),
      ParameterSpec(
        "history", .either([.list(of: .anything), .text]), optional: true,
        help: "Its messages, the oldest first, or the text of a file or an answer that holds them"),
      .options(
        optional: true,
        fields: [
          ParameterSpec(
            "script", .text, optional: true, help: "Whose input it is, where several have one of this name"),
          ParameterSpec(
            "every", .duration, optional: true, default: "\"1s\"",
            help: "How far messages are apart, up to now; those that carry their times keep them"),
        ], help: "How it is read"),
    ],
    "Lets a history come before the first message, as warm_up of a configuration does: nothing of it leaves",
    "t.warm_up(\"price\", { { bitcoin = 69000 }, { bitcoin = 69500 } })")

  static let reply = verb(
    "reply",
    [
      ParameterSpec("url", .text, optional: true, help: "A part of the URL; the oldest request without it"),
      ParameterSpec(
        "reply",
        .table([
          ParameterSpec("status", .integer, optional: true, default: "200", help: "The HTTP status"),
          ParameterSpec("headers", .map(of: .text), optional: true, help: "Header fields by name"),
          ParameterSpec("json", .anything, optional: true, help: "The body as plain data"),
          ParameterSpec("text", .text, optional: true, help: "The body as it is"),
          ParameterSpec("error", .text, optional: true, help: "Why there is no answer"),
        ]), help: "What comes back"),
    ], "Answers an HTTP request that waits for its reply",
    "t.reply(\"/v1/btc\", { status = 200, json = { name = \"bitcoin\" } })")

  private static let input = ParameterSpec("input", .text, help: "The name of an input or a source")
  private static let now = ParameterSpec(
    "now", .either([.text, .integer]), optional: true, default: "\"2026-01-01T00:00:00Z\"",
    help: "When the test's clock begins")

  private static func verb(
    _ name: String, _ parameters: [ParameterSpec], _ summary: String, _ example: String
  ) -> FunctionSpec {
    FunctionSpec("t.\(name)", parameters: parameters, summary: summary, example: example, files: [.test])
  }
}
