extension VirtualEngine {
  /// What happened, in order.
  package enum Event: Sendable, Hashable {
    case alert(Alert)
    case delivered(Alert, channel: String)
    case log(LogLevel, origin: String, text: String)
    case quarantined(QuarantineRow)
    case asked(script: String, ScriptRequest)
    /// A recording tells that another version of a script took the place of one, which it doesn't here.
    case reloaded(script: String)
  }

  /// Where the replies to HTTP requests of scripts come from.
  package enum Replies {
    /// Nowhere: each request is told that no reply was recorded.
    case none
    /// From ``reply(_:to:)``, for which they wait.
    case byHand
    /// From ``tell(_:)``; what a recording tells further on is known where it could be looked through, and otherwise
    /// a request waits for its timeout.
    case recorded(RecordedOutcomes?)
  }
}
