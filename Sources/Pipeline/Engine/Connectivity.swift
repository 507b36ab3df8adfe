import Composable
import Scripting

/// Keeps the sources connected: each has a machine that says what to do, and scripts and rules are told.
struct Connectivity: Reducer {
  typealias State = EngineState
  typealias Action = EngineAction

  let wiring: EngineWiring
  let client: EngineClient

  func reduce(into state: inout EngineState, action: EngineAction) -> Effect<EngineAction> {
    switch action {
    case .batch(let batch, let source, let connection, _):
      let now = client.now()
      _ = state.sources[source].machine.received(on: connection, at: now)
      if client.watchesFeeds, let change = state.sources[source].watch.received() {
        report(change, of: source, at: now, &state)
      }
      state.sources[source].received(batch)
      return .none
    case .merged(let messages):
      let now = client.now()
      for source in messages.sources {
        let connection = state.sources[source].machine.connection
        _ = state.sources[source].machine.received(on: connection, at: now)
        state.sources[source].received(messages.batch(of: source))
      }
      return .none
    case .start: return each(&state, .connect)
    case .stop:
      state.isStopping = true
      return each(&state, .stop)
    case .source(let source, let event): return handle(event, of: source, &state)
    case .gap(let gap, let source):
      tell(gap, of: source, state)
      return .none
    case .subscription(let source, let report):
      tell(report, of: source, &state)
      return .none
    case .tick:
      let now = client.now()
      var effects: [Effect<EngineAction>] = []
      for source in state.sources.indices {
        guard let wakeUp = state.sources[source].wakeUp, wakeUp <= now else { continue }
        state.sources[source].wakeUp = nil
        effects.append(handle(.timer, of: source, &state))
      }
      for source in state.sources.indices where client.watchesFeeds {
        guard let change = state.sources[source].watch.tick(at: now) else { continue }
        report(change, of: source, at: now, &state)
      }
      return effects.isEmpty ? .none : .merge(effects)
    case .stored, .ordered, .noticed, .delivered, .replied, .reloaded: return .none
    }
  }

  private func each(_ state: inout EngineState, _ event: SourceMachine.Event) -> Effect<EngineAction> {
    .merge(state.sources.indices.map { handle(event, of: $0, &state) })
  }

  private func handle(
    _ event: SourceMachine.Event, of source: Int, _ state: inout EngineState
  ) -> Effect<EngineAction> {
    let now = client.now()
    var outside: [SourceMachine.Request] = []
    for request in state.sources[source].machine.handle(event, at: now, random: client.random) {
      switch request {
      case .wait(let until): state.sources[source].wakeUp = until
      case .tell(let event):
        let wait: Milliseconds? =
          if case .waiting(let until, _) = state.sources[source].machine.phase { until - now } else { nil }
        tell(event, of: source, at: client.messageTime(), nextAttempt: wait, &state)
      case .finish(let failure):
        state.sources[source].failure = failure
        outside.append(request)
        guard let failure, !state.isStopping else { continue }
        let name = state.sources[source].name
        client.log(.error, name, "the source is over: \(failure)")
        state.hostAlerts.append(
          HostAlert.make(.sourceFailed, about: name, at: now, text: "source '\(name)' is over: \(failure)"))
      default: outside.append(request)
      }
    }
    return outside.isEmpty ? .none : client.perform(source, outside)
  }

  private func tell(_ report: SubscriptionReport, of source: Int, _ state: inout EngineState) {
    let now = client.messageTime()
    let name = state.sources[source].name
    var payload: [String: Value] = [
      "state": .text(report.state), "source": .text(name), "subscription": .text(report.subscription),
      "items": .list(report.items.map { .text($0) }),
    ]
    if let reason = report.reason {
      payload["reason"] = .text(reason)
      client.log(.warn, name, "\(report.title): \(reason)")
      // Once, until it goes well again, however often it is tried.
      if state.sources[source].faultySubscriptions.insert(report.title).inserted {
        state.hostAlerts.append(
          HostAlert.make(
            .subscriptionFailed, about: name, at: now, text: "source '\(name)': \(report.title): \(reason)"))
      }
    } else {
      client.log(.info, name, "\(report.title): \(report.state)")
      state.sources[source].faultySubscriptions.remove(report.title)
    }
    for runner in wiring.runners(fedBy: source) {
      runner.tell(event: "subscription", payload: .map(payload), at: now)
    }
  }

  /// - Parameter nextAttempt: how long the source waits until it connects again, nil where it doesn't.
  private func tell(
    _ event: ConnectionEvent, of source: Int, at now: Timestamp, nextAttempt: Milliseconds?,
    _ state: inout EngineState
  ) {
    let name = state.sources[source].name
    state.sources[source].status = event
    state.sources[source].since = now
    if event == .connected { state.sources[source].connectCount += 1 }
    client.told(.event(RecordedEvent(event: event, source: source, time: now)))
    var payload: [String: Value] = ["state": .text(event.name), "source": .text(name)]
    switch event {
    case .connecting: client.log(.debug, name, "connecting")
    case .connected:
      state.sources[source].epoch += 1
      client.log(.info, name, "connected")
    case .stale: client.log(.warn, name, "connected, but silent for too long")
    case .disconnected(let code, let reason):
      // A farewell, as at the end of a file, is no news; a refusal or a loss is.
      let next = nextAttempt.map { "; next attempt in \($0)" } ?? ""
      client.log(
        code == 1000 || code == 1001 ? .info : .warn, name, "disconnected (\(code)): \(reason)\(next)")
      payload["code"] = .integer(Int64(code))
      payload["reason"] = .text(reason)
    }
    if client.watchesFeeds { watch(event, of: source, at: now, &state) }
    for runner in wiring.runners(fedBy: source) {
      if let status = event.ruleSource { runner.source(UInt16(source), is: status, at: now) }
      runner.tell(event: "connection", payload: .map(payload), at: now)
    }
  }

  private func tell(_ gap: SourceGap, of source: Int, _ state: EngineState) {
    let now = client.messageTime()
    let name = state.sources[source].name
    client.told(.gap(gap, source: source, time: now))
    let key = gap.key.isEmpty ? "" : " of '\(gap.key.prefix(60))'"
    let missed = gap.missed.map { $0 == 1 ? "a message" : "\($0) messages" } ?? "messages"
    // Of what gave way for want of room a line tells when that begins, and one when it is over.
    if gap.reason != SourceGap.overflow {
      client.log(.warn, name, "\(missed)\(key) may be missing: \(gap.reason)")
    }
    for runner in wiring.runners(fedBy: source) {
      runner.gap(gap, source: UInt16(source), name: name, at: now)
    }
  }

  private func watch(
    _ event: ConnectionEvent, of source: Int, at now: Timestamp, _ state: inout EngineState
  ) {
    let machine = state.sources[source].machine
    let isWanted = !state.isStopping && machine.phase != .idle && machine.phase != .finished
    let change = state.sources[source].watch.heard(
      event, isWanted: isWanted, mustGiveData: machine.settings.staleAfter != nil, at: now)
    if let change { report(change, of: source, at: now, &state) }
  }

  private func report(
    _ change: FeedWatch.Change, of source: Int, at now: Timestamp, _ state: inout EngineState
  ) {
    let name = state.sources[source].name
    switch change {
    case .down(let since, let reason):
      let text = "source '\(name)' gives no data since \(since.rfc3339(fraction: false)): \(reason)"
      state.hostAlerts.append(
        HostAlert.make(.feedDown, about: name, since: since, at: now, text: text))
    case .back(let since), .left(let since):
      let news = if case .back = change { "is back" } else { "is watched no more" }
      let text = "source '\(name)' \(news); it was down from \(since.rfc3339(fraction: false))"
      state.hostAlerts.append(
        HostAlert.make(.feedDown, .resolved, about: name, since: since, at: now, text: text))
    }
  }
}

extension EngineState.Source {
  /// Counts what one read gave.
  fileprivate mutating func received(_ batch: MessageBatch) {
    guard batch.count > 0 else { return }
    messageCount += UInt64(batch.count)
    byteCount += UInt64(batch.messageByteCount)
    lastMessage = Timestamp(milliseconds: batch.received(at: batch.count - 1))
  }
}
