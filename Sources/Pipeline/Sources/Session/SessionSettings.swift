import Scripting

/// What is said to a server beside the messages of scripts: logins, subscriptions, heartbeats and echoes.
package struct SessionSettings: Sendable {
  /// A message that has to be answered before anything else is sent.
  package struct Login: Sendable {
    /// What is sent; nil where the server speaks first.
    var send: MessageTemplate?
    var expect: MessagePattern?
    var refuse: MessagePattern?
    var within: Milliseconds
  }

  /// What is asked for under a name, once for each chunk of its items.
  package struct Subscription: Sendable {
    package var name: String
    var send: MessageTemplate
    /// What ends it for items; nil where it only ends with the connection.
    var cancel: MessageTemplate?
    var items: [String]
    /// Whether it takes items at all.
    package var takesItems: Bool
    var chunk: Int
    var isEnabled: Bool
    var expect: MessagePattern?
    var refuse: MessagePattern?
    var within: Milliseconds
    /// What its data look like, for `staleAfter`.
    var match: MessagePattern?
    var staleAfter: Milliseconds?
  }

  /// A message to send again and again, and the answer to it.
  package struct Heartbeat: Sendable {
    var every: Milliseconds
    /// What is sent; nil where the server sends on its own.
    var send: MessageTemplate?
    var expect: MessagePattern?
    var within: Milliseconds
  }

  /// A message of the server that is answered at once.
  package struct Echo: Sendable {
    var match: MessagePattern
    var send: MessageTemplate
  }

  var logins: [Login]
  /// Messages to send once the logins are through.
  var opening: [MessageTemplate]
  package var subscriptions: [Subscription]
  /// The least time between two messages.
  var pace: Milliseconds
  /// Whether scripts get the answers to logins and subscriptions as well.
  var passesAnswers: Bool
  var heartbeat: Heartbeat?
  var echoes: [Echo]
  /// What messages are like that are nobody's business.
  var ignored: [MessagePattern]

  /// Takes the settings from checked options.
  init(fields: FieldReader) {
    logins = fields.groups("login").map { login in
      Login(
        send: login.optionalMessage("send"), expect: login.pattern("expect"), refuse: login.pattern("refuse"),
        within: login.duration("within"))
    }
    opening = fields.messages("open")
    subscriptions = fields.groupMap("subscriptions").sorted { $0.key < $1.key }.map(Subscription.init)
    pace = fields.duration("pace")
    passesAnswers = fields.boolean("pass_answers")
    heartbeat = fields.optionalGroup("heartbeat").map { heartbeat in
      Heartbeat(
        every: heartbeat.duration("every"), send: heartbeat.optionalMessage("send"),
        expect: heartbeat.pattern("expect"), within: heartbeat.duration("within"))
    }
    echoes = fields.groups("echo").map { echo in
      Echo(match: MessagePattern(echo.value("match")), send: echo.message("send"))
    }
    ignored = fields.values("ignore").map(MessagePattern.init)
  }
}

extension SessionSettings.Subscription {
  init(name: String, fields: FieldReader) {
    self.init(
      name: name, send: fields.message("send"), cancel: fields.optionalMessage("cancel"),
      items: fields.texts("items"), takesItems: fields.message("send").mentionsItems,
      chunk: Int(fields.integer("chunk")), isEnabled: fields.boolean("enabled"),
      expect: fields.pattern("expect"), refuse: fields.pattern("refuse"), within: fields.duration("within"),
      match: fields.pattern("match"), staleAfter: fields.optionalDuration("stale_after"))
  }
}

extension FieldReader {
  fileprivate func pattern(_ name: String) -> MessagePattern? { optionalValue(name).map(MessagePattern.init) }
}

extension ConfiguredComponent {
  /// The subscriptions that scripts can change, with whether each takes items; empty for a source without any.
  var subscriptions: [String: Bool] {
    guard spec.fields.contains(where: { $0.name == "subscriptions" }) else { return [:] }
    return fields.groupMap("subscriptions").mapValues { $0.message("send").mentionsItems }
  }
}
