/// One thing to tell somebody: a rule that fired or resolved, a script's own alert, or the host's.
public struct Alert: Sendable, Hashable {
  /// Whether the alert begins an episode, ends one, or reminds of one still going on.
  public enum Kind: String, Sendable, CaseIterable {
    case firing
    case resolved
    case reminder
    /// No alert but a value that a script published; its text is the value as JSON.
    case published
  }

  /// The same for every repeat of this alert, so that a receiver can recognise one: 32 hexadecimal digits
  /// hashed from storage, script, name, key, episode and kind. The channel is added where it is delivered.
  public var id: String
  /// The name of the rule, or the name given to `alert.send`.
  public var name: String
  /// The name of the script that raised it, or `host` for the host's own.
  public var script: String
  /// The key whose state raised it; empty where a script has no keys.
  public var key: String
  /// Whether it begins an episode, ends one or reminds of one.
  public var kind: Kind
  /// How much it matters.
  public var severity: Severity
  /// What to tell, in the user's words.
  public var text: String
  /// When it became true, by the feed's time where the source declares one.
  public var time: Timestamp
  /// When the rule's condition became true, nil where no rule raised it; known until it is queued for its channels.
  public var since: Timestamp?
  /// The value that the rule watched, nil for an alert without one.
  public var value: Double?
  /// Names and texts that go along, for routes and receivers.
  public var labels: [String: String]
  /// Whether it begins, or reminds of, an episode whose end will be told as well.
  public var lasts: Bool

  /// Makes an alert from its parts.
  public init(
    id: String, name: String, script: String, key: String = "", kind: Kind = .firing,
    severity: Severity = .info, text: String, time: Timestamp, value: Double? = nil,
    labels: [String: String] = [:], lasts: Bool = false
  ) {
    self.id = id
    self.name = name
    self.script = script
    self.key = key
    self.kind = kind
    self.severity = severity
    self.text = text
    self.time = time
    self.value = value
    self.labels = labels
    self.lasts = lasts
  }
}
