package import Composable

/// What the engine's reducers need of the world, as values: one set for a live host, one for replays and tests.
package struct EngineClient {
  /// The time that stamps what happens now.
  package var now: () -> Timestamp
  /// The time up to which all messages that came were handled, which is that of scripts; it is behind ``now`` while
  /// messages wait.
  package var messageTime: () -> Timestamp
  /// A whole number evenly drawn from a range, for jitter.
  package var random: (ClosedRange<Int64>) -> Int64
  /// Makes a commit durable; the effect ends in ``EngineAction/stored(changes:_:)``.
  package var commit: (Commit, _ changes: Int) -> Effect<EngineAction>
  /// Whether commits are kept; where they aren't, scripts are not asked what changed.
  package var keepsState = true
  /// What users ask for by way of the storage; when that changes, ``EngineAction/ordered`` follows.
  package var orders: () -> StandingOrders = { StandingOrders() }
  /// Whether a source without data raises an alert of the host's own.
  package var watchesFeeds = false
  /// Attempts a delivery; the effect ends in ``EngineAction/delivered(_:_:)``.
  package var deliver: (Delivery) -> Effect<EngineAction>
  /// Carries out what the machine of a source asks for.
  package var perform: (_ source: Int, [SourceMachine.Request]) -> Effect<EngineAction>
  /// Sends a text to the server of a source, if it is connected.
  package var send: (_ source: Int, _ text: String) -> Void = { _, _ in }
  /// Hands a source a wish of a script about its subscriptions.
  package var subscribe: (_ source: Int, SubscriptionChange) -> Void = { _, _ in }
  /// Sends an HTTP request of a script; the effect ends in ``EngineAction/replied(script:_:_:)``. Where there is no
  /// network, the reply says so.
  package var request: (_ script: String, WebRequest) -> Effect<EngineAction> = { script, request in
    .send(.replied(script: script, request, WebReply(error: "not_recorded")))
  }
  /// Writes a line to the log; the origin is a script's or a source's name.
  package var log: (LogLevel, _ origin: String, _ text: String) -> Void
  /// Sees what happens beside messages, as a recording keeps it: to connections, by replies, by ends of runs. The end
  /// of a run is told before the turn that it happened in is over.
  package var told: (RecordedHappening) -> Void = { _ in }
  /// Sees each alert when it is raised, before it goes anywhere.
  package var raised: (Alert) -> Void
  /// Sees each message that goes to the quarantine, when it fails.
  package var failed: (QuarantineRow) -> Void = { _ in }
  /// Sees what accepted handlers ask for, in order.
  package var asked: (_ script: String, ScriptRequest) -> Void = { _, _ in }

  /// Makes a client from its parts.
  package init(
    now: @escaping () -> Timestamp, random: @escaping (ClosedRange<Int64>) -> Int64,
    commit: @escaping (Commit, Int) -> Effect<EngineAction>,
    deliver: @escaping (Delivery) -> Effect<EngineAction>,
    perform: @escaping (Int, [SourceMachine.Request]) -> Effect<EngineAction>,
    log: @escaping (LogLevel, String, String) -> Void, raised: @escaping (Alert) -> Void = { _ in }
  ) {
    self.now = now
    messageTime = now
    self.random = random
    self.commit = commit
    self.deliver = deliver
    self.perform = perform
    self.log = log
    self.raised = raised
  }
}
