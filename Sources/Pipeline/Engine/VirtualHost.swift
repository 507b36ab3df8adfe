import Composable
package import Scripting

/// An engine on a virtual clock, with memory for storage and channels that only take notes: what replays and
/// tests run. Nothing leaves, nothing waits, and the same input gives the same outcome.
package actor VirtualHost {
  /// What happened, in order.
  package enum Event: Sendable, Hashable {
    case alert(Alert)
    case delivered(Alert, channel: String)
    case log(LogLevel, origin: String, text: String)
    case quarantined(QuarantineRow)
  }

  private let world = World()
  private let wiring: EngineWiring
  private let sourceNames: [String]
  /// Set once the actor exists, since the store lives on it.
  private var engine: Store<EngineState, EngineAction>?

  /// What the engine's client reaches; confined to the host, like the store.
  private final class World {
    var now = Timestamp(milliseconds: 0)
    var events: [Event] = []
    var failingChannels: [String: String] = [:]
    var random = SeededRandom(seed: 1)
  }

  /// Makes a host for an assembly.
  ///
  /// - Parameters:
  ///   - now: where the clock begins.
  ///   - channels: the names of the channels, which deliver to ``takeEvents()``.
  package init(wiring: sending EngineWiring, sourceNames: [String], channels: [String], now: Timestamp) async {
    self.wiring = wiring
    self.sourceNames = sourceNames
    let world = world
    world.now = now
    let client = EngineClient(
      now: { world.now },
      random: { range in
        let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
        return range.lowerBound &+ Int64(bitPattern: width == .max ? world.random.next() : world.random.below(width + 1))
      },
      commit: { commit, changes in
        for row in commit.quarantine { world.events.append(.quarantined(row)) }
        return .send(.stored(changes: changes, nil))
      },
      deliver: { delivery in
        if let reason = world.failingChannels[delivery.channel] {
          return .send(.delivered(delivery, .retry(after: nil, reason: reason)))
        }
        world.events.append(.delivered(delivery.alert, channel: delivery.channel))
        return .send(.delivered(delivery, .delivered))
      },
      perform: { _, _ in .none },
      log: { level, origin, text in world.events.append(.log(level, origin: origin, text: text)) },
      raised: { alert in world.events.append(.alert(alert)) })
    let sources = sourceNames.map {
      EngineState.Source(name: $0, machine: SourceMachine(.virtual))
    }
    let outbox = Outbox(channels: channels.map { ($0, DeliveryPolicy()) }, seed: 1)
    engine = nil
    engine = Store(
      initialState: EngineState(sources: sources, outbox: outbox), turnLimit: 1_000_000, isolation: self
    ) {
      Engine(wiring: wiring, client: client)
    }
  }

  private var store: Store<EngineState, EngineAction> {
    guard let engine else { preconditionFailure("the host was used before it was made") }
    return engine
  }

  /// The time of the virtual clock.
  package var now: Timestamp { world.now }

  /// The scripts of the engine.
  package func runner(named name: String) -> ScriptRunner? { wiring.runners.first { $0.name == name } }

  /// Connects all sources.
  package func start() {
    store.send(.start)
    for source in sourceNames.indices { open(source) }
  }

  private func open(_ source: Int) {
    let connection = store.withState { $0.sources[source].machine.connection }
    store.send(.source(source, .opened(connection: connection)))
  }

  /// Hands a batch of messages over; the clock stands at the last message's time afterwards.
  package func receive(_ batch: MessageBatch, source: Int) {
    if batch.count > 0 {
      let first = Timestamp(milliseconds: batch.time(at: 0))
      if first > world.now { advance(to: first, inclusive: true) }
    }
    let connection = store.withState { $0.sources[source].machine.connection }
    store.send(.batch(batch, source: source, connection: connection, position: nil))
    if batch.count > 0 {
      let last = Timestamp(milliseconds: batch.time(at: batch.count - 1))
      world.now = max(world.now, last)
    }
  }

  /// Moves the clock to a time, from due time to due time.
  package func advance(to time: Timestamp, inclusive: Bool = true) {
    while let due = store.withState({ $0.nextDue(wiring) }), due < time || (inclusive && due == time) {
      world.now = max(world.now, due)
      let before = store.withState { $0.nextDue(wiring) }
      store.send(.tick)
      // What can't move on its own would spin: the clock goes on instead.
      if store.withState({ $0.nextDue(wiring) }) == before { break }
    }
    world.now = max(world.now, time)
  }

  /// Ends a source's connection, as its server would.
  package func disconnect(source: Int, code: Int, reason: String) {
    let connection = store.withState { $0.sources[source].machine.connection }
    store.send(.source(source, .closed(connection: connection, .init(code: code, reason: reason))))
  }

  /// Connects a source again after ``disconnect(source:code:reason:)``.
  package func reconnect(source: Int) {
    store.send(.source(source, .connect))
    open(source)
  }

  /// Tells scripts and rules that a source is connected but silent.
  package func stale(source: Int) { wiring.runners(fedBy: source).forEach { tellStale($0, source) } }

  private func tellStale(_ runner: ScriptRunner, _ source: Int) {
    runner.source(UInt16(source), is: .stale, at: world.now)
    runner.tell(
      event: "connection", payload: ["state": "stale", "source": .text(sourceNames[source])], at: world.now)
    store.send(.tick)
  }

  /// Lets a channel fail from now on, or work again with nil.
  package func setFailure(of channel: String, to reason: String?) { world.failingChannels[channel] = reason }

  /// Writes everything that changed, as a flush does.
  package func flush() { store.send(.stop) }

  /// What happened since the last call.
  package func takeEvents() -> [Event] {
    defer { world.events.removeAll() }
    return world.events
  }

  /// Reads something of the engine's state.
  package func withState<Result: Sendable>(_ body: (EngineState) -> Result) -> Result { store.withState(body) }
}

extension SourceMachine.Settings {
  /// Those of a source that is driven by hand: no deadlines, and it stays idle after a loss.
  static let virtual = Self(connectTimeout: nil, staleAfter: nil, afterLoss: .stayIdle)
}
