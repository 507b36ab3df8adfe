package import Scripting

/// A ``VirtualEngine`` on an actor of its own.
package actor VirtualHost {
  package typealias Event = VirtualEngine.Event

  /// Set once the actor exists, since the engine lives on it.
  private var made: VirtualEngine?

  /// Makes a host for an assembly.
  ///
  /// - Parameters:
  ///   - now: where the clock begins.
  ///   - channels: the names of the channels, which deliver to ``takeEvents()``.
  ///   - replies: where the replies to HTTP requests of scripts come from.
  package init(
    wiring: sending EngineWiring, sourceNames: [String], channels: [String], now: Timestamp,
    replies: VirtualEngine.Replies = .none
  ) async {
    made = nil
    made = VirtualEngine(
      wiring: wiring, sourceNames: sourceNames, channels: channels, now: now,
      storage: .measured, replies: replies,
      isolation: self)
  }

  private var engine: VirtualEngine {
    guard let made else { preconditionFailure("the host was used before it was made") }
    return made
  }

  /// The time of the virtual clock.
  package var now: Timestamp { engine.now }

  /// When something falls due, nil for never.
  package var nextDue: Timestamp? { engine.nextDue }

  /// The scripts of the engine.
  package var runners: [ScriptRunner] { engine.runners }

  /// A script of the engine.
  package func runner(named name: String) -> ScriptRunner? { engine.runner(named: name) }

  /// Lets scripts that have nothing stored see a history, before ``start()``.
  ///
  /// - Returns: one sentence where a history that is required came to nothing.
  package func warmUp(with history: History) -> String? { engine.warmUp(with: history) }

  /// Connects all sources.
  package func start() { engine.start() }

  /// Hands a batch of messages over; the clock stands at the last message's time afterwards.
  package func receive(_ batch: MessageBatch, source: Int) { engine.receive(batch, source: source) }

  /// Hands messages of several sources over; the clock stands at the last one's time afterwards.
  package func receive(_ messages: MergedMessages) { engine.receive(messages) }

  /// Moves the clock to a time, from due time to due time.
  package func advance(to time: Timestamp, inclusive: Bool = true) {
    engine.advance(to: time, inclusive: inclusive)
  }

  /// Ends a source's connection, as its server would.
  package func disconnect(source: Int, code: Int, reason: String) {
    engine.disconnect(source: source, code: code, reason: reason)
  }

  /// Connects a source again after ``disconnect(source:code:reason:)``.
  package func reconnect(source: Int) { engine.reconnect(source: source) }

  /// Lets happen what was recorded beside messages.
  package func tell(_ happening: RecordedHappening) { engine.tell(happening) }

  /// Tells scripts and rules that a source is connected but silent.
  package func stale(source: Int) { engine.stale(source: source) }

  /// Lets a channel fail from now on, or work again with nil.
  package func setFailure(of channel: String, to reason: String?) {
    engine.setFailure(of: channel, to: reason)
  }

  /// Writes everything that changed, as a flush does.
  package func flush() { engine.flush() }

  /// What happened since the last call.
  package func takeEvents() -> [Event] { engine.takeEvents() }

  /// What happened since the last call, with the times.
  package func takeTimedEvents() -> [(time: Timestamp, event: Event)] { engine.takeTimedEvents() }

  /// Reads something of the engine's state.
  package func withState<Result: Sendable>(_ body: (EngineState) -> Result) -> Result {
    engine.withState(body)
  }
}
