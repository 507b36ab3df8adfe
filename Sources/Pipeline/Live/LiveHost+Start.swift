import Composable
import Scripting

/// What a host begins with: its storage's content, and a store around it.
extension LiveHost {
  /// Tells channels which of their alerts go on, as far as the rules still exist.
  func resume(_ channels: [String: any Channel]) async throws(StorageError) {
    self.channels = Array(channels.values)
    let following = self.channels.filter(\.followsEpisodes)
    guard !following.isEmpty else { return }
    let history = try await storage.history(limit: 10_000)
    for channel in following {
      let alerts = LastingAlerts.told(by: channel.name, in: history).filter { alert in
        wiring.runners.contains { runner in
          runner.name == alert.script && runner.rules.contains { $0.name == alert.name }
        }
      }
      await channel.resume(alerts)
    }
  }

  /// Has a recording say which forms of the scripts run.
  func tellVersions() {
    guard let observer else { return }
    for runner in wiring.runners {
      observer(
        .happening(
          .version(RecordedVersion(time: world.now(), script: runner.name, version: runner.version))))
    }
  }

  /// Lets scripts and reducers that have nothing stored see their history, unless a stop comes first.
  func warmUp(
    _ configuration: Configuration, _ parts: LiveParts, sourceNames: [String]
  ) async throws(StartError) {
    let stages = wiring.natives.map(\.stage).filter(\.isCold)
    let cold = Set(wiring.runners.filter(\.isCold).map(\.name) + stages.map(\.name))
    guard cold.contains(where: { !configuration.warmUps(of: $0).isEmpty }), stopsBy == nil else { return }
    let loader = HistoryLoader(
      configuration, now: world.now(), fetch: HistoryLoader.fetch(through: parts.transfers))
    let reading = Task { try await loader.load(cold.contains) }
    historyReading = reading
    defer { historyReading = nil }
    let history: History
    // Only a stop cancels it.
    do { history = try await reading.value } catch { return }
    guard stopsBy == nil else { return }
    var warmUp = WarmUp(wiring, sourceNames: sourceNames)
    let refusal = warmUp.run(history, at: world.now(), log: log) { [observer] in
      observer?(.happening($0))
    }
    warmUpFailures = warmUp.nativeFailures
    // Told as a whole.
    for runner in wiring.runners { _ = runner.takeFailures() }
    if let refusal { throw StartError(refusal) }
  }

  func restore(
    _ snapshot: Snapshot, sourceNames: [String], resumes: [Bool]
  ) throws(StorageError) {
    for notice in snapshot.notices { log(.error, "storage", notice.message) }
    for (source, name) in sourceNames.enumerated() {
      for change in snapshot.subscriptions(of: name).all { desk.change(change, of: source) }
    }
    positions = sourceNames.map { snapshot.positions[$0] }
    for native in wiring.natives {
      for fault in native.stage.restore(snapshot) {
        log(.error, native.stage.name, "\(fault); it starts afresh")
      }
    }
    for runner in wiring.runners {
      let sources = wiring.sources(of: runner)
      var isSeamless = true
      for source in sources where !resumes[source] || positions[source] == nil { isSeamless = false }
      do throws(ScriptFailure) {
        let faults = try runner.restore(
          snapshot, at: world.now(), sources: sources.map { UInt16($0) }, resumes: isSeamless)
        for fault in faults { log(.error, runner.name, "\(fault); it starts afresh") }
      } catch {
        throw StorageError(.failed, error.reason)
      }
    }
  }

  func makeStore(
    _ parts: LiveParts, _ snapshot: Snapshot, sourceNames: [String], machines: [SourceMachine.Settings]
  ) -> Store<EngineState, EngineAction> {
    let now = world.now()
    let lanes = parts.channelNames.map { (name: $0, policy: parts.policies[$0] ?? DeliveryPolicy()) }
    var outbox = Outbox(channels: lanes, seed: world.random.next())
    outbox.restore(snapshot.outbox, now: now)
    outbox.follow(storage.orders, now: now)
    var sources: [EngineState.Source] = []
    for (name, settings) in zip(sourceNames, machines) {
      var source = EngineState.Source(name: name, machine: SourceMachine(settings))
      source.subscriptions = snapshot.subscriptions(of: name)
      sources.append(source)
    }
    var state = EngineState(sources: sources, outbox: outbox)
    state.pending.quarantine += warmUpFailures
    for notice in snapshot.notices {
      state.hostAlerts.append(
        HostAlert.make(.storageReplaced, about: storage.home, at: now, text: notice.message))
    }
    var client = EngineClient.live(
      world, storage: storage, channels: parts.channels, requests: parts.requests, log: log,
      outputClosed: { [weak self] in await self?.stop() })
    // The storage in memory is as short-lived as what it would keep.
    client.keepsState = parts.storageFile != nil
    if parts.isDryRun { client = client.keepingInside(log: log, sourceNames: sourceNames) }
    if let observer {
      client.told = { [world] happening in
        if case .kill = happening {
          observer(.happening(happening))
        } else if world.held != nil {
          world.held?.append(happening)
        } else {
          observer(.happening(happening))
        }
      }
    }
    let engine = Engine(wiring: wiring, client: client)
    return Store(initialState: state, isolation: self) { engine }
  }
}
