/// What an accepted handler run asked the host for.
package enum ScriptRequest: Sendable, Hashable {
  case alert(Alert)
  case log(level: LogLevel, text: String)
  case connect(source: String)
  case disconnect(source: String)
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
