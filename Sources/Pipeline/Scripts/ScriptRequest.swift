/// What an accepted handler run asked the host for; what is large stands apart, since each of them is copied on its way.
package enum ScriptRequest: Sendable, Hashable {
  indirect case alert(Alert)
  case log(level: LogLevel, text: String)
  case connect(source: String)
  case disconnect(source: String)
  case subscribe(source: String, SubscriptionChange)
  case emit(EmittedMessage)
  /// A text for the server of a source; the output is the name that the script used.
  case send(output: String, source: String, text: String)
  /// A value for a channel, as an alert that carries it.
  indirect case publish(output: String, channel: String, Alert)
  indirect case http(WebRequest)
}

/// A message from a script to those that it feeds.
package struct EmittedMessage: Sendable, Hashable {
  package var topic: String
  /// What was emitted, as JSON.
  package var json: String
  /// The time of what the script was handling.
  package var time: Timestamp
  /// When that came in, which timers go by.
  package var received: Timestamp
  /// The number of the source that it was handling something of; rules of receivers watch the same one.
  package var source: UInt16
  package var isReplayed: Bool
  package var isLate: Bool
}

/// How much a line of the log matters.
package enum LogLevel: UInt8, Sendable, CaseIterable, Comparable {
  case debug
  case info
  case warn
  case error

  /// The name that options and log lines use.
  package var name: String {
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .warn: "warn"
    case .error: "error"
    }
  }

  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
