import Composable
import Glibc
import Scripting
import Threads
import WebSocket

/// A configuration at work: sockets, clock, storage and channels around the engine, on a thread of its own.
package actor LiveHost {
  /// How long a stop may take before what is left stays undelivered in the storage.
  static let stopTimeout = Milliseconds(4_000)
  /// How long a stop may wait for whoever has locked the storage, and for what there is to write.
  static let stopStorageTimeout = Milliseconds(3_000)

  private let loop: EventLoop
  let desk: SourceDesk
  let wiring: EngineWiring
  let world: LiveWorld
  let storage: any Storage
  let log: LogSink
  let observer: (@Sendable (SourceObservation) -> Void)?
  let batch = MessageBatch()
  /// By the number of the source.
  var paces: [TurnPace]
  /// The most messages for one turn.
  var limits: [Int]
  /// How long after it happened the last message was read.
  var delays: [Milliseconds?]
  var positions: [String?]
  private var engine: Store<EngineState, EngineAction>?
  private var runsUntil: UInt64?
  var stopsBy: UInt64?
  private var finished: CheckedContinuation<Void, Never>?
  private var isOver = false
  private var copyFailingSince: Timestamp?
  var channels: [any Channel] = []
  private var heartbeats = Heartbeats([], now: 0)
  var reloading: ReloadAtWork?
  /// The reading of histories before the start, which a stop ends.
  var historyReading: Task<History, any Error>?
  /// Messages of histories at which reducers written in Swift failed, for the quarantine.
  var warmUpFailures: [QuarantineRow] = []
  var status: HostStatus

  package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private init(
    loop: EventLoop, wiring: sending EngineWiring, desk: SourceDesk, clock: WorldClock, sourceCount: Int,
    storage: any Storage, log: @escaping LogSink, options: LiveOptions, configuration: String
  ) {
    self.loop = loop
    self.desk = desk
    world = LiveWorld(clock)
    status = HostStatus(
      version: ProgramVersion.current, configuration: configuration, started: .systemClock(),
      process: Int(getpid()), storageHome: storage.home)
    self.wiring = wiring
    self.storage = storage
    self.log = log
    paces = Array(repeating: TurnPace(), count: sourceCount)
    limits = paces.map(\.limit)
    delays = Array(repeating: nil, count: sourceCount)
    positions = Array(repeating: nil, count: sourceCount)
    observer = options.observer
    runsUntil = options.duration.map { monotonicNanoseconds() + UInt64(max($0.count, 0)) * 1_000_000 }
  }

  /// Runs a configuration until it is stopped, its time is over, or its sources have ended.
  ///
  /// - Parameters:
  ///   - stopRequests: each element asks for a clean stop.
  ///   - log: takes the lines of the log.
  /// - Throws: ``StartError`` when it can't start.
  package static func run(
    _ assembly: sending Assembly, options: LiveOptions, registry: Registry, stopRequests: AsyncStream<Void>,
    log: @escaping LogSink
  ) async throws(StartError) -> LiveOutcome {
    let parts = try LiveParts(assembly.configuration, options: options, registry: registry, log: log)
    let (configuration, sourceNames) = (assembly.configuration, assembly.sourceNames)
    let keys = sourceNames.indices.map { assembly.wiring.keys(of: $0) }
    let sources = try LiveParts.sources(configuration, names: sourceNames, keys: keys, registry: registry)
    let clock = WorldClock()
    let loop: EventLoop
    let desk: SourceDesk
    do throws(FileError) {
      loop = try EventLoop()
      desk = try SourceDesk(sources.items, loop: loop, clock: clock, log: log)
    } catch {
      throw StartError(error.description)
    }
    let host = LiveHost(
      loop: loop, wiring: assembly.wiring, desk: desk, clock: clock, sourceCount: sourceNames.count,
      storage: parts.storage, log: log, options: options, configuration: configuration.file)
    do throws(SystemFailure) {
      try DedicatedThread.start(stackBytes: 4 << 20) {
        loop.run(
          wait: { host.assumeIsolated { $0.milliseconds() } },
          turn: { turn in host.assumeIsolated { $0.turn(turn) } })
      }
    } catch {
      loop.stop()
      throw StartError("can't start the engine's thread: \(error.description)")
    }
    defer { loop.stop() }
    do throws(SystemFailure) {
      try DedicatedThread.start { desk.relieve() }
    } catch {
      throw StartError("can't start the thread that reads sources: \(error.description)")
    }
    defer { desk.stop() }
    let stopper = Task {
      for await _ in stopRequests { await host.stop() }
    }
    defer { stopper.cancel() }
    let listener = Task {
      for await alert in parts.notices { await host.noticed(alert) }
    }
    defer { listener.cancel() }
    do throws(StartError) {
      try await host.start(
        parts, configuration, sourceNames: sourceNames, machines: sources.machines, resumes: sources.resumes)
    } catch {
      await parts.storage.close()
      throw error
    }
    var operations: HostOperations?
    if let supervision = options.supervision {
      operations = await HostOperations(
        host, configuration, supervision: supervision, storage: parts.storageFile, registry: registry,
        log: log)
    }
    var outcome = await host.wait()
    await operations?.stop()
    if await host.close() != nil { outcome.isFailure = true }
    return outcome
  }

  var store: Store<EngineState, EngineAction> {
    guard let engine else { preconditionFailure("the engine was used before it was made") }
    return engine
  }

  // MARK: - Beginning and end

  private func start(
    _ parts: LiveParts, _ configuration: Configuration, sourceNames: [String],
    machines: [SourceMachine.Settings], resumes: [Bool]
  ) async throws(StartError) {
    let snapshot: Snapshot
    do throws(StorageError) {
      snapshot = try await storage.load()
      try restore(snapshot, sourceNames: sourceNames, resumes: resumes)
      try await resume(parts.channels)
    } catch {
      throw StartError(error.description)
    }
    try await warmUp(configuration, parts, sourceNames: sourceNames)
    tellVersions()
    engine = makeStore(parts, snapshot, sourceNames: sourceNames, machines: machines)
    heartbeats = Heartbeats(channels, now: monotonicNanoseconds())
    storage.watch { [weak self] event in
      Task { await self?.happened(event) }
    }
    send(stopsBy == nil ? .start : .stop)
    endIfDone(now: monotonicNanoseconds())
  }

  private func clockWasSet(by step: Milliseconds) {
    let seconds = Milliseconds.seconds((Int64(clamping: step.count.magnitude) + 500) / 1_000)
    let text =
      step < .zero
      ? "the system's clock was set back by \(seconds): the host's goes on, a tenth slower, until that has caught up"
      : "the system's clock was set forward by \(seconds): what fell due meanwhile happens now"
    send(.noticed(HostAlert.make(.clockSet, about: "clock", at: world.now(), text: text)))
  }

  private func noticed(_ alert: Alert) {
    if engine != nil, !isOver { send(.noticed(alert)) }
  }

  private func happened(_ event: StorageEvent) {
    guard engine != nil, !isOver else { return }
    let now = world.now()
    switch event {
    case .ordered: send(.ordered)
    case .copyFailed(let error):
      copyFailingSince = now
      send(.noticed(HostAlert.make(.copyFailing, about: "storage", at: now, text: error.description)))
    case .copied:
      let alert = HostAlert.make(
        .copyFailing, .resolved, about: "storage", since: copyFailingSince, at: now,
        text: "the storage can be copied again")
      send(.noticed(alert))
    }
  }

  /// Asks for a clean stop, however far the start has come; a second time changes nothing.
  package func stop() {
    guard stopsBy == nil else { return }
    let now = monotonicNanoseconds()
    stopsBy = now + UInt64(Self.stopTimeout.count) * 1_000_000
    storage.hurry(within: Self.stopStorageTimeout)
    historyReading?.cancel()
    guard engine != nil else { return }
    send(.stop)
    desk.discard()
    endIfDone(now: now)
  }

  private func wait() async -> LiveOutcome {
    if !isOver { await withCheckedContinuation { finished = $0 } }
    let outcome = store.readInPlace { state in
      LiveOutcome(
        alertCount: state.alertCount, messageCount: state.sources.reduce(0) { $0 + $1.messageCount },
        failedSources: state.sources.compactMap { source in source.failure.map { "\(source.name): \($0)" } },
        undeliveredCount: state.outbox.openCount,
        isFailure: state.sources.allSatisfy { $0.failure != nil })
    }
    return outcome
  }

  /// Ends everything; gives why something could not be stored, which the log has told by then.
  private func close() async -> StorageError? {
    let wasTold = store.readInPlace { $0.storageFailure != nil }
    await store.close()
    for channel in channels { await channel.close() }
    let failure = await storage.close()
    if let failure, !wasTold { log(.error, "storage", failure.description) }
    return failure
  }

  // MARK: - The thread's turns

  /// How long the next wait may last.
  private func milliseconds() -> Int32 {
    guard let engine else { return -1 }
    guard !world.hasRequests, reloading == nil else { return 0 }
    var due: UInt64?
    func consider(_ other: UInt64?) {
      if let other { due = min(due ?? other, other) }
    }
    let now = monotonicNanoseconds()
    guard case .until(let deadline) = desk.rest(now: now) else { return 0 }
    consider(deadline)
    consider(runsUntil)
    consider(stopsBy)
    consider(heartbeats.nextDue)
    if let next = engine.readInPlace({ $0.nextDue(wiring) }) {
      let wait = (next - world.now()).count
      consider(now + UInt64(min(max(wait, 0), 86_400_000)) * 1_000_000)
    }
    guard let due else { return -1 }
    guard due > now else { return 0 }
    return Int32(clamping: (due - now + 999_999) / 1_000_000)
  }

  private func turn(_ turn: EventLoop.Turn) {
    guard engine != nil, !isOver else { return }
    performRequests()
    readSources(turn.ready)
    let now = monotonicNanoseconds()
    if let due = store.readInPlace({ $0.nextDue(wiring) }), due <= world.now() { send(.tick) }
    if let step = world.takeClockStep() { clockWasSet(by: step) }
    workOnReload()
    heartbeats.beat(now: now) { store.readInPlace { $0.trouble(wiring, at: world.now()) } }
    if let runsUntil, runsUntil <= now {
      self.runsUntil = nil
      stop()
    }
    endIfDone(now: now)
  }

  private func endIfDone(now: UInt64) {
    if stopsBy == nil, store.readInPlace(\.isExhausted) { return stop() }
    guard !isOver, let stopsBy else { return }
    let isSettled = store.readInPlace {
      $0.isExhausted && $0.outbox.openCount == 0 && $0.commitsUnderWay == 0 && $0.requestsUnderWay == 0
        && $0.outgoing.isEmpty
    }
    guard isSettled || stopsBy <= now else { return }
    isOver = true
    giveUpReload()
    finished?.resume()
    finished = nil
  }

  /// Sends an action and carries out what the machines of the sources ask for.
  func send(_ action: EngineAction) {
    store.send(action)
    performRequests()
  }
}
