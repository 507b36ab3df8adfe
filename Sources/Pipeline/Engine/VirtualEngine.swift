import Composable
package import Scripting

/// An engine on a virtual clock, with memory for storage and channels that only take notes: what replays and
/// tests run. Nothing leaves, nothing waits, and the same input gives the same outcome.
///
/// Confined to the actor on which it is made, like its store: not being Sendable, it can't leave it. None of its
/// effects is a task, so everything that follows a call has happened when the call returns.
package final class VirtualEngine {
  private let world = World()
  private let wiring: EngineWiring
  private let sourceNames: [String]
  private let storage: MemoryStorage?
  private let store: Store<EngineState, EngineAction>

  private struct WaitingRequest {
    var script: String
    var request: WebRequest
    /// When it is told that no reply was recorded, nil for never.
    var deadline: Timestamp?
  }

  /// What the engine's client reaches; confined to the engine, like the store.
  private final class World {
    var now = Timestamp(milliseconds: 0)
    private(set) var events: [(time: Timestamp, event: Event)] = []
    var failingChannels: [String: String] = [:]
    /// Requests of scripts that wait for their replies, the oldest first.
    var requests: [WaitingRequest] = []
    var random = SeededRandom(seed: 1)

    /// The version of each script that a recording was made with, as far as it was told.
    var versions: [String: RecordedVersion] = [:]

    /// What a recording tells further on, nil where it could not be looked through.
    var outcomes: RecordedOutcomes?

    /// Lets a request wait for its reply, false where none is to come.
    func await(_ request: WebRequest, of script: String) -> Bool {
      guard outcomes == nil else {
        let isToCome = outcomes?.takeReply(to: RecordedReply.Request(script: script, request)) ?? false
        if isToCome { requests.append(WaitingRequest(script: script, request: request)) }
        return isToCome
      }
      let timeout = Milliseconds(Int64(request.request.timeout / .milliseconds(1)))
      requests.append(WaitingRequest(script: script, request: request, deadline: now + timeout))
      return true
    }

    /// Takes the request that a recorded reply is for: the very one, or the oldest that is the same.
    func takeRequest(for reply: RecordedReply) -> WaitingRequest? {
      let same = requests.indices.filter {
        RecordedReply.Request(script: requests[$0].script, requests[$0].request) == reply.request
      }
      guard let index = same.first(where: { requests[$0].request.number == reply.number }) ?? same.first
      else {
        // Nobody asked this time: nobody else may wait for it.
        _ = outcomes?.takeReply(to: reply.request)
        return nil
      }
      return requests.remove(at: index)
    }

    func note(_ event: Event) { events.append((now, event)) }

    func takeEvents() -> [(time: Timestamp, event: Event)] {
      defer { events.removeAll() }
      return events
    }
  }

  /// Makes an engine for an assembly.
  ///
  /// - Parameters:
  ///   - channels: the names of the channels, which deliver to ``takeEvents()``.
  ///   - policies: how channels deliver, where it isn't as usual.
  ///   - now: where the clock begins.
  ///   - storage: what the engine continues from and commits to; nil for nothing at all.
  ///   - replies: where the replies to HTTP requests of scripts come from.
  package init(
    wiring: EngineWiring, sourceNames: [String], channels: [String],
    policies: [String: DeliveryPolicy] = [:], now: Timestamp,
    storage: MemoryStorage? = nil, replies: Replies = .none, isolation: isolated any Actor = #isolation
  ) {
    self.wiring = wiring
    self.sourceNames = sourceNames
    self.storage = storage
    world.now = now
    var outbox = Outbox(channels: channels.map { ($0, policies[$0] ?? DeliveryPolicy()) }, seed: 1)
    if let snapshot = storage?.load() {
      for native in wiring.natives {
        for fault in native.stage.restore(snapshot) {
          world.note(.log(.error, origin: native.stage.name, text: fault))
        }
      }
      for runner in wiring.runners {
        let sources = wiring.sources(of: runner).map { UInt16($0) }
        do throws(ScriptFailure) {
          let faults = try runner.restore(snapshot, at: now, sources: sources, resumes: false)
          for fault in faults { world.note(.log(.error, origin: runner.name, text: fault)) }
        } catch {
          world.note(.log(.error, origin: runner.name, text: error.reason))
        }
      }
      outbox.restore(snapshot.outbox, now: now)
    }
    let sources = sourceNames.map { EngineState.Source(name: $0, machine: SourceMachine(.virtual)) }
    var client = Self.client(world, storage)
    switch replies {
    case .none: break
    case .byHand:
      client.request = { [world] script, request in
        world.requests.append(WaitingRequest(script: script, request: request))
        return .none
      }
    case .recorded(let outcomes):
      for kill in outcomes?.kills ?? [] { wiring.runners.first { $0.name == kill.script }?.foretell(kill) }
      world.outcomes = outcomes
      client.request = { [world, notRecorded = client.request] script, request in
        world.await(request, of: script) ? .none : notRecorded(script, request)
      }
    }
    store = Store(
      initialState: EngineState(sources: sources, outbox: outbox), turnLimit: 1_000_000, isolation: isolation
    ) {
      Engine(wiring: wiring, client: client)
    }
  }

  private static func client(_ world: World, _ storage: MemoryStorage?) -> EngineClient {
    var client = EngineClient(
      now: { world.now },
      random: { range in
        let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
        return range.lowerBound
          &+ Int64(bitPattern: width == .max ? world.random.next() : world.random.below(width + 1))
      },
      commit: { commit, changes in
        storage?.submit(commit) { _ in }
        return .send(.stored(changes: changes, nil))
      },
      deliver: { delivery in
        if let reason = world.failingChannels[delivery.channel] {
          return .send(.delivered(delivery, .retry(after: nil, reason: reason)))
        }
        world.note(.delivered(delivery.alert, channel: delivery.channel))
        return .send(.delivered(delivery, .delivered))
      },
      perform: { source, requests in
        // An attempt to connect succeeds at once.
        for case .connect(let connection) in requests {
          return .send(.source(source, .opened(connection: connection)))
        }
        return .none
      },
      log: { level, origin, text in world.note(.log(level, origin: origin, text: text)) },
      raised: { alert in world.note(.alert(alert)) })
    client.keepsState = storage != nil
    client.failed = { world.note(.quarantined($0)) }
    client.asked = { world.note(.asked(script: $0, $1)) }
    return client
  }

  /// The time of the virtual clock.
  package var now: Timestamp { world.now }

  /// The scripts of the engine.
  package var runners: [ScriptRunner] { wiring.runners }

  /// A script of the engine.
  package func runner(named name: String) -> ScriptRunner? { wiring.runners.first { $0.name == name } }

  /// Lets scripts and reducers that have nothing stored see a history, before ``start()``.
  ///
  /// - Returns: one sentence where a history that is required came to nothing.
  package func warmUp(with history: History) -> String? {
    var warmUp = WarmUp(wiring, sourceNames: sourceNames)
    let refusal = warmUp.run(
      history, at: world.now, log: { world.note(.log($0, origin: $1, text: $2)) }, told: { _ in })
    for row in warmUp.nativeFailures { world.note(.quarantined(row)) }
    for runner in wiring.runners {
      for row in runner.takeFailures() { world.note(.quarantined(row)) }
    }
    return refusal
  }

  /// Connects all sources.
  package func start() { store.send(.start) }

  /// Hands a batch of messages over; the clock stands at the last message's time afterwards.
  package func receive(_ batch: MessageBatch, source: Int) {
    if batch.count > 0 {
      let epoch = store.readInPlace { $0.sources[source].epoch }
      if batch.epoch(at: 0) != epoch { batch.setEpoch(epoch) }
      let first = Timestamp(milliseconds: batch.received(at: 0))
      if first > world.now { advance(to: first, inclusive: true) }
    }
    let connection = store.readInPlace { $0.sources[source].machine.connection }
    // As in one read of a live source, everything has come when the first is looked at.
    if batch.count > 0 {
      world.now = max(world.now, Timestamp(milliseconds: batch.received(at: batch.count - 1)))
    }
    store.send(.batch(batch, source: source, connection: connection, position: nil))
    // What the last message made due at once happens with it.
    if batch.count > 0 { advance(to: world.now) }
  }

  /// Hands messages of several sources over; the clock stands at the last one's time afterwards.
  package func receive(_ messages: MergedMessages) {
    guard messages.count > 0 else { return }
    let sources = messages.sources
    if !sources.isEmpty {
      for source in sources {
        let epoch = store.readInPlace { $0.sources[source].epoch }
        let batch = messages.batch(of: source)
        if batch.epoch(at: 0) != epoch { batch.setEpoch(epoch) }
      }
      let first = Timestamp(milliseconds: messages.first)
      if first > world.now { advance(to: first, inclusive: true) }
      world.now = max(world.now, Timestamp(milliseconds: messages.last))
      store.send(.merged(messages))
    }
    advance(to: max(world.now, Timestamp(milliseconds: messages.last)))
  }

  /// Moves the clock to a time, from due time to due time.
  package func advance(to time: Timestamp, inclusive: Bool = true) {
    while let due = nextDue, due < time || (inclusive && due == time) {
      world.now = max(world.now, due)
      if let late = world.requests.firstIndex(where: { $0.deadline.map { $0 <= due } ?? false }) {
        let waiting = world.requests.remove(at: late)
        store.send(
          .replied(script: waiting.script, waiting.request, WebReply(error: "not_recorded")))
        continue
      }
      let before = store.readInPlace { $0.nextDue(wiring) }
      store.send(.tick)
      // What can't move on its own would spin: the clock goes on instead.
      if store.readInPlace({ $0.nextDue(wiring) }) == before { break }
    }
    world.now = max(world.now, time)
  }

  /// When something falls due, nil for never.
  package var nextDue: Timestamp? {
    let due = store.readInPlace { $0.nextDue(wiring) }
    guard let deadline = world.requests.compactMap(\.deadline).min() else { return due }
    return min(due ?? deadline, deadline)
  }

  /// Ends a source's connection, as its server would.
  package func disconnect(source: Int, code: Int, reason: String) {
    let connection = store.readInPlace { $0.sources[source].machine.connection }
    store.send(.source(source, .closed(connection: connection, .init(code: code, reason: reason))))
  }

  /// Connects a source again after ``disconnect(source:code:reason:)``.
  package func reconnect(source: Int) { store.send(.source(source, .connect)) }

  /// Whether a source is connected.
  package func isConnected(source: Int) -> Bool {
    store.readInPlace { $0.sources[source].machine.phase == .live }
  }

  /// Lets happen what was recorded beside messages; the clock goes on to its time, but for the end of a run, which is
  /// told ahead.
  package func tell(_ happening: RecordedHappening) {
    if case .kill(let kill) = happening {
      // One without a source is known already where the recording could be looked through.
      guard !kill.source.isEmpty || world.outcomes == nil else { return }
      runner(named: kill.script)?.foretell(kill)
      return
    }
    if happening.time > world.now { advance(to: happening.time) }
    switch happening {
    case .kill: break
    case .history(let message):
      world.note(
        .log(
          .warn, origin: message.script,
          text:
            "a history that stands within a recording is passed over: it would come before the first message"
        ))
    case .version(let version): tell(version)
    case .gap(let gap, let source, _): self.gap(gap, source: source)
    case .event(let event): tell(event)
    case .reply(let reply):
      guard let waiting = world.takeRequest(for: reply) else { break }
      store.send(.replied(script: waiting.script, waiting.request, reply.reply))
    }
  }

  /// Says where a recording was made with other forms of the scripts than run here.
  private func tell(_ version: RecordedVersion) {
    guard let runner = runner(named: version.script) else { return }
    let before = world.versions.updateValue(version, forKey: version.script)
    guard let before else {
      guard runner.version != version.version else { return }
      return world.note(
        .log(
          .info, origin: runner.name,
          text: "the recording was made with version \(version.version) of it; here runs \(runner.version)"))
    }
    guard before.version != version.version else { return }
    world.note(.reloaded(script: runner.name))
    world.note(
      .log(
        .warn, origin: runner.name,
        text:
          "it was reloaded when this was recorded: version \(before.version) ran up to \(version.time.rfc3339()), "
          + "and \(version.version) from there on; here version \(runner.version) runs throughout, so what the "
          + "other did may come out differently"))
  }

  private func tell(_ event: RecordedEvent) {
    switch event.event {
    // An attempt leads to what follows it.
    case .connecting: break
    case .connected: if !isConnected(source: event.source) { reconnect(source: event.source) }
    case .stale: if isConnected(source: event.source) { stale(source: event.source) }
    case .disconnected(let code, let reason):
      guard isConnected(source: event.source) else { break }
      disconnect(source: event.source, code: code, reason: reason)
    }
  }

  /// Tells scripts and rules that messages of a source are missing.
  package func gap(_ gap: SourceGap, source: Int) { store.send(.gap(gap, source: source)) }

  /// Tells scripts and rules that a source is connected but silent.
  package func stale(source: Int) {
    for runner in wiring.runners(fedBy: source) {
      runner.source(UInt16(source), is: .stale, at: world.now)
      runner.tell(
        event: "connection", payload: ["state": "stale", "source": .text(sourceNames[source])], at: world.now)
    }
    store.send(.tick)
  }

  /// Replaces the scripts by newer forms, which belong to the same sources.
  ///
  /// - Throws: ``ReloadRefusal``; what ran runs on.
  package func reload(_ next: EngineWiring) throws(ReloadRefusal) {
    let reload = try EngineReload(wiring, to: next)
    while !(try reload.copy(count: 1_000, at: world.now)) {}
    store.send(.reloaded(try reload.finish(at: world.now)))
    advance(to: world.now)
  }

  /// The HTTP requests of scripts that wait for their replies, the oldest first.
  package var requests: [WebRequest] { world.requests.map(\.request) }

  /// Replies to the waiting request of an index.
  package func reply(_ reply: WebReply, to index: Int) {
    let waiting = world.requests.remove(at: index)
    store.send(.replied(script: waiting.script, waiting.request, reply))
  }

  /// Lets a channel fail from now on, or work again with nil.
  package func setFailure(of channel: String, to reason: String?) { world.failingChannels[channel] = reason }

  /// The channels that fail, with why.
  package var failingChannels: [String: String] { world.failingChannels }

  /// Writes everything that changed, as a flush does.
  package func flush() { store.send(.stop) }

  /// Stores everything that is not yet stored, without telling scripts or sources, as before a restart.
  ///
  /// The engine is over then: another one continues from the same storage.
  package func storeAll() {
    guard let storage else { return }
    var (commit, outbox) = store.readInPlace { ($0.pending, $0.outbox) }
    for native in wiring.natives { native.stage.collect(into: &commit) }
    for runner in wiring.runners { runner.collect(into: &commit) }
    let changes = outbox.takeChanges()
    commit.outbox = changes.rows
    commit.settled = changes.settled
    commit.resent = changes.resent
    storage.submit(commit) { _ in }
  }

  /// What happened since the last call.
  package func takeEvents() -> [Event] { world.takeEvents().map(\.event) }

  /// What happened since the last call, with the times.
  package func takeTimedEvents() -> [(time: Timestamp, event: Event)] { world.takeEvents() }

  /// Reads something of the engine's state.
  package func withState<Result>(_ body: (EngineState) -> Result) -> Result { store.readInPlace(body) }
}

extension SourceMachine.Settings {
  /// Those of a source that is driven by hand: no deadlines, and it stays idle after a loss.
  static let virtual = Self(connectTimeout: nil, staleAfter: nil, afterLoss: .stayIdle)
}
