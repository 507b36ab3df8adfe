import Scripting

extension SessionSettings {
  private static let upToADay = Milliseconds(1)...Milliseconds.minutes(24 * 60)

  private static let within = FieldSpec(
    "within", .duration(upToADay), default: "10s", help: "The time that the answer may take")

  private static func expect(_ meaning: String) -> FieldSpec {
    FieldSpec(
      "expect", .value,
      help: "What the answer is like that \(meaning): a text as it is, or a table of fields that it has; "
        + "{any} stands for anything, {id} for the number of the request",
      example: ["event": "login", "code": "0"])
  }

  private static let refuse = FieldSpec(
    "refuse", .value, help: "What an answer is like that refuses", example: ["event": "error"])

  /// The options of a session.
  static let fields: [FieldSpec] = [
    FieldSpec(
      "login",
      .list(
        of: .group([
          FieldSpec(
            "send", .message, help: "What is sent; without it the server is expected to speak first",
            example: ["op": "login", "token": "…"]),
          expect("lets the next step begin"), refuse, within,
        ])),
      help: "What is sent before anything else, step by step, each once the one before it is answered; the "
        + "connection is given up when a step is refused or not answered"),
    FieldSpec(
      "open", .list(of: .message),
      help: "Messages to send after each opening, in order: a text as it is, a table as JSON; {position} "
        + "stands for the position to resume at",
      example: [["op": "subscribe", "channel": "trades"]]),
    FieldSpec(
      "subscriptions", .map(of: .group(subscriptionFields)),
      help: "What is asked for after each opening, by name; scripts change it with effect.subscribe and "
        + "effect.unsubscribe, which is remembered"),
    FieldSpec(
      "pace", .duration(.zero...Milliseconds.minutes(60)), default: "0s",
      help: "The least time between two messages to the server; answers to it go out at once all the same"),
    FieldSpec(
      "pass_answers", .boolean, default: false,
      help: "Whether scripts get the answers to logins and subscriptions as well"),
    FieldSpec(
      "heartbeat",
      .group([
        FieldSpec("every", .duration(upToADay), required: true, help: "The time between two", example: "20s"),
        FieldSpec(
          "send", .message, help: "What is sent; without it the server is expected to send on its own",
          example: "ping"),
        FieldSpec(
          "expect", .value, help: "What the answer is like, or the server's own heartbeat", example: "pong"),
        FieldSpec(
          "within", .duration(upToADay), default: "10s",
          help: "The time the answer may take before the connection is given up"),
      ]),
      help: "Messages that the server wants to see now and then, beside the pings of the protocol; scripts "
        + "don't get the answers"),
    FieldSpec(
      "echo",
      .list(
        of: .group([
          FieldSpec(
            "match", .value, required: true, help: "What the message is like: a text, or a table of fields",
            example: ["type": "ping"]),
          FieldSpec(
            "send", .message, required: true,
            help: "What is answered; {name} stands for the field of that name, with dots where it is deeper",
            example: ["type": "pong", "id": "{id}"]),
        ])),
      help: "Messages of the server that are answered at once, even while a script is busy; scripts don't "
        + "get them"),
    FieldSpec(
      "ignore", .list(of: .value),
      help:
        "What messages are like that scripts don't get, such as notices: a text, or a table of fields, as in "
        + "login; answers that are awaited count all the same",
      example: [["event": "notice"]]),
  ]

  private static let subscriptionFields: [FieldSpec] = [
    FieldSpec(
      "send", .message, required: true,
      help: "What is sent: {items} stands for the list of items; an element of a list with {item} in it "
        + "stands there once for each item, {item:lower} in lower case; {id} is the number of the request, {position} "
        + "where to resume",
      example: ["op": "subscribe", "symbols": ["{item}"]]),
    FieldSpec(
      "items", .list(of: .text), help: "What is subscribed to, such as symbols", example: ["BTC-USD"]),
    FieldSpec(
      "chunk", .integer(1...10_000), unit: "items", default: 100, help: "The most items of one message"),
    FieldSpec(
      "cancel", .message, help: "What is sent to end it for items", example: ["op": "unsubscribe"]),
    FieldSpec(
      "enabled", .boolean, default: true, help: "Whether it is asked for before a script says so"),
    FieldSpec(
      "expect", .value,
      help: "What the answer is like that confirms, as in login; with {item} in it each item is confirmed "
        + "for itself. Without it there is no answer",
      example: ["id": "{id}", "success": true]),
    FieldSpec(
      "refuse", .value,
      help: "What an answer is like that refuses; a message of many items is then halved until the ones at "
        + "fault are found, and the rest goes on",
      example: ["id": "{id}", "success": false]),
    within,
    FieldSpec("match", .value, help: "What its data are like", example: ["channel": "trades"]),
    FieldSpec(
      "stale_after", .duration(upToADay),
      help: "The time without its data after which it is asked for again, and after as much time again the "
        + "connection is given up",
      example: "60s"),
  ]

  /// The faults between the options.
  static func faults(_ fields: FieldReader) -> [ComponentSpec.Fault] {
    var faults: [ComponentSpec.Fault] = []
    for (index, login) in fields.groups("login").enumerated()
    where login.optionalMessage("send") == nil && login.optionalValue("expect") == nil {
      faults.append(.init("login[\(index + 1)]", "expected 'send', 'expect' or both, got neither"))
    }
    if let heartbeat = fields.optionalGroup("heartbeat"), heartbeat.optionalMessage("send") == nil,
      heartbeat.optionalValue("expect") == nil
    {
      faults.append(.init("heartbeat", "expected 'send', 'expect' or both, got neither"))
    }
    for (name, subscription) in fields.groupMap("subscriptions") {
      let path = "subscriptions.\(name)"
      let send = subscription.message("send")
      if !subscription.texts("items").isEmpty, !send.mentionsItems {
        faults.append(
          .init("\(path).send", "expected {items}, or {item} in an element of a list, to say where items go"))
      }
      if send.needsSingleItems, subscription.integer("chunk") > 1 {
        faults.append(
          .init("\(path).chunk", "expected chunk = 1, since {item} stands outside of a list"))
      }
      if subscription.optionalDuration("stale_after") != nil, subscription.optionalValue("match") == nil {
        faults.append(.init("\(path).stale_after", "needs 'match', which says what its data are like"))
      }
      if Set(subscription.texts("items")).count < subscription.texts("items").count {
        faults.append(.init("\(path).items", "an item stands twice"))
      }
    }
    return faults
  }
}
