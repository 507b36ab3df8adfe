import Composable

/// Commits what changed and sees alerts to their channels: nothing leaves before it is durable, where state is kept.
struct Deliveries: Reducer {
  typealias State = EngineState
  typealias Action = EngineAction

  /// How long a change may wait for a commit when no alert asks for one.
  static let flushInterval = Milliseconds.seconds(1)

  let wiring: EngineWiring
  let client: EngineClient

  func reduce(into state: inout EngineState, action: EngineAction) -> Effect<EngineAction> {
    var effects: [Effect<EngineAction>] = []
    switch action {
    case .stored(let changes, let error):
      stored(changes, error, &state)
      if error == nil { effects = sendOut(through: changes, &state) }
      state.outbox.follow(client.orders(), now: client.now())
    case .ordered: state.outbox.follow(client.orders(), now: client.now())
    case .noticed(let alert):
      client.log(.warn, alert.key, alert.text)
      state.hostAlerts.append(alert)
    case .replied: state.requestsUnderWay -= 1
    case .delivered(let delivery, let outcome):
      state.outbox.outcome(outcome, of: delivery, now: client.now())
      report(outcome, of: delivery)
    default: break
    }
    if !state.hostAlerts.isEmpty { enqueue(&state) }
    if !state.publications.isEmpty {
      for (alert, channel) in state.publications {
        state.outbox.enqueue(alert, to: [channel], now: client.now())
      }
      state.publications.removeAll(keepingCapacity: true)
    }
    if state.outbox.nextDue != nil { state.outbox.settleDue(now: client.now()) }
    for change in state.outbox.takeHealthChanges() { channelChanged(change, &state) }
    for loss in state.outbox.takeLosses() { gaveUp(loss, &state) }
    // Where nothing is kept, nothing has to be durable before it leaves; but connections come first.
    if !client.keepsState, !state.asksForConnections, state.commitsUnderWay == 0, state.storageFailure == nil
    {
      effects += sendOut(through: .max, &state)
    }
    state.asksForConnections = false
    if let commit = commit(&state, action) { effects.append(commit) }
    if state.outbox.nextDue != nil {
      for delivery in state.outbox.deliveries(now: client.now()) { effects.append(client.deliver(delivery)) }
    }
    return effects.isEmpty ? .none : .merge(effects)
  }

  private func enqueue(_ state: inout EngineState) {
    let now = client.now()
    for alert in state.hostAlerts {
      state.alertCount += 1
      client.raised(alert)
      let aboutStorage =
        alert.script == "host" && alert.name == HostAlert.storageFailing.rawValue && alert.kind == .firing
      state.outbox.enqueue(
        alert, to: wiring.router.channels(for: alert), hold: wiring.router.hold(for: alert), now: now,
        bypassingStorage: aboutStorage)
    }
    state.hostAlerts.removeAll(keepingCapacity: true)
  }

  /// Starts a commit when an alert waits for one, when changes have waited long enough, or at the end.
  private func commit(_ state: inout EngineState, _ action: EngineAction) -> Effect<EngineAction>? {
    let isStop = if case .stop = action { true } else { false }
    let hasChanges =
      !state.pending.isEmpty || !state.outbox.changes.isEmpty || state.storageFailure != nil
      || hasUnstored(state.outgoing)
      || (client.keepsState && wiring.natives.contains { $0.stage.hasChanges })
      || wiring.runners.contains { client.keepsState ? $0.hasChanges : !$0.quarantined.isEmpty }
    guard hasChanges else { return nil }
    // While storage fails, alerts gather behind the next try, which comes with the flush.
    let mayHurry = state.storageFailure == nil || isStop
    var isDue = mayHurry && (state.outbox.wantsCommit || hasUnstored(state.outgoing) || state.isStopping)
    if !isDue {
      let now = client.now()
      // One flush at a time: what changes while the storage is busy is written once, and not again for each second.
      if let due = state.flushDue {
        isDue = due <= now && state.commitsUnderWay == 0
      } else {
        state.flushDue = now + Self.flushInterval
      }
    }
    guard isDue, state.storageFailure == nil || state.commitsUnderWay == 0 else { return nil }
    state.flushDue = nil
    var commit = state.pending
    state.pending = Commit()
    if client.keepsState {
      for native in wiring.natives { native.stage.collect(into: &commit) }
    }
    for runner in wiring.runners {
      if client.keepsState {
        runner.collect(into: &commit)
      } else {
        commit.quarantine += runner.takeQuarantined()
        runner.carried = Commit()
      }
    }
    let changes = state.outbox.takeChanges()
    commit.outbox = changes.rows
    commit.settled = changes.settled
    commit.resent = changes.resent
    for index in state.outgoing.indices where state.outgoing[index].commit == nil {
      state.outgoing[index].commit = changes.number
    }
    state.commitsUnderWay += 1
    return client.commit(commit, changes.number)
  }

  private func stored(_ changes: Int, _ error: StorageError?, _ state: inout EngineState) {
    state.commitsUnderWay -= 1
    guard let error else {
      if state.storageFailure != nil {
        client.log(.info, "storage", "writing works again")
        state.hostAlerts.append(
          HostAlert.make(
            .storageFailing, .resolved, about: "storage", since: state.storageFailingSince,
            at: client.now(), text: "the storage can be written again"))
      }
      state.storageFailure = nil
      state.lastCommit = client.now()
      state.outbox.committed(changes)
      return
    }
    let isNew = state.storageFailure == nil
    state.storageFailure = error
    state.flushDue = client.now() + Self.flushInterval
    guard isNew else { return }
    client.log(.error, "storage", error.description)
    let now = client.now()
    state.storageFailingSince = now
    state.hostAlerts.append(
      HostAlert.make(.storageFailing, about: "storage", at: now, text: error.description))
  }

  private func hasUnstored(_ outgoing: [OutgoingMessage]) -> Bool { outgoing.contains { $0.commit == nil } }

  /// Sends what left the scripts in turns that are durable now, or need not be.
  private func sendOut(through commit: Int, _ state: inout EngineState) -> [Effect<EngineAction>] {
    var effects: [Effect<EngineAction>] = []
    var count = 0
    while count < state.outgoing.count, (state.outgoing[count].commit ?? .max) <= commit {
      switch state.outgoing[count].content {
      case .message(let source, let text): client.send(source, text)
      case .request(let request, let script):
        state.requestsUnderWay += 1
        effects.append(client.request(script, request))
      }
      count += 1
    }
    if count > 0 { state.outgoing.removeSubrange(..<count) }
    return effects
  }

  private func report(_ outcome: DeliveryOutcome, of delivery: Delivery) {
    switch outcome {
    case .delivered: break
    case .retry(_, let reason):
      client.log(.warn, delivery.channel, "attempt \(delivery.attempt) failed and is tried again: \(reason)")
    case .failed(let reason):
      client.log(.error, delivery.channel, "can't deliver '\(delivery.alert.name)': \(reason)")
    }
  }

  private func channelChanged(_ change: ChannelHealthChange, _ state: inout EngineState) {
    let alert: Alert
    if let failure = change.failure {
      client.log(.error, change.channel, "the channel is down: \(failure)")
      state.channelsFailingSince[change.channel] = change.time
      alert = HostAlert.make(
        .channelFailing, about: change.channel, at: change.time,
        text: "channel '\(change.channel)' is down: \(failure)")
    } else {
      client.log(.info, change.channel, "the channel works again")
      alert = HostAlert.make(
        .channelFailing, .resolved, about: change.channel,
        since: state.channelsFailingSince.removeValue(forKey: change.channel), at: change.time,
        text: "channel '\(change.channel)' works again")
    }
    tell(alert, pastChannel: change.channel, &state)
  }

  private func gaveUp(_ loss: LostDelivery, _ state: inout EngineState) {
    let alert = HostAlert.make(
      .alertGivenUp, about: loss.channel, at: loss.time,
      text:
        "channel '\(loss.channel)' could not deliver '\(loss.alert.name)': \(loss.reason); 'pipeline alerts "
        + "CONFIG --failed' lists what became a dead letter, 'pipeline alerts retry' sends it again")
    tell(alert, pastChannel: loss.channel, &state)
  }

  /// Tells of a channel by the others.
  private func tell(_ alert: Alert, pastChannel channel: String, _ state: inout EngineState) {
    let others = wiring.router.channels(for: alert).filter { $0 != channel }
    client.raised(alert)
    state.alertCount += 1
    state.outbox.enqueue(alert, to: others, now: client.now())
  }
}
