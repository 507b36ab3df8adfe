/// Whether a source gives data, as its user would see it: pure, told of connections, data and time.
///
/// A source that is wanted and has no connection for a minute is down; one that is silent for longer than its
/// `stale_after` is so at once. It is back when data flows, or, where silence is no fault, when it is connected.
struct FeedWatch: Sendable, Hashable {
  /// How long a source may be without a connection before its user is told.
  static let patience = Milliseconds.minutes(1)

  /// What the user is told.
  enum Change: Sendable, Hashable {
    case down(since: Timestamp, reason: String)
    case back(since: Timestamp)
    /// It is watched no more, whether it gives data or not.
    case left(since: Timestamp)
  }

  /// When to ask again if nothing else happens; nil for never.
  private(set) var due: Timestamp?
  private var since: Timestamp?
  private var reason = ""
  private var isTold = false

  /// Takes note of what happened to the connection.
  ///
  /// - Parameters:
  ///   - isWanted: whether another attempt follows.
  ///   - mustGiveData: whether silence is a fault of the source.
  mutating func heard(
    _ event: ConnectionEvent, isWanted: Bool, mustGiveData: Bool, at now: Timestamp
  ) -> Change? {
    switch event {
    case .connecting:
      begin("there was no connection yet", at: now)
    case .connected:
      due = nil
      if !mustGiveData { return end { .back(since: $0) } }
    case .stale:
      begin("it is connected and silent", at: now)
      return tell()
    case .disconnected(let code, let reason):
      guard isWanted else { return end { .left(since: $0) } }
      begin("disconnected (\(code)): \(reason)", at: now)
      self.reason = "disconnected (\(code)): \(reason)"
      return tick(at: now)
    }
    return nil
  }

  /// Takes note that data came.
  mutating func received() -> Change? { since == nil ? nil : end { .back(since: $0) } }

  /// Takes note of the time.
  mutating func tick(at now: Timestamp) -> Change? {
    guard let due, due <= now else { return nil }
    return tell()
  }

  private mutating func begin(_ reason: String, at now: Timestamp) {
    if since == nil {
      since = now
      self.reason = reason
    }
    if !isTold, let since { due = since + Self.patience }
  }

  private mutating func tell() -> Change? {
    due = nil
    guard !isTold, let since else { return nil }
    isTold = true
    return .down(since: since, reason: reason)
  }

  private mutating func end(_ change: (Timestamp) -> Change) -> Change? {
    defer { self = FeedWatch() }
    guard isTold, let since else { return nil }
    return change(since)
  }
}
