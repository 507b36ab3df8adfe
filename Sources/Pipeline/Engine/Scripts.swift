import Composable
import Scripting

/// Hands messages and time to the scripts and gathers what they ask for.
///
/// Where a script feeds another one, messages and due times pass one at a time, each through all scripts that it
/// reaches, so that what a script sees doesn't depend on how many messages one read gave. Where none does, a
/// script walks a whole batch.
struct Scripts: Reducer {
  typealias State = EngineState
  typealias Action = EngineAction

  /// The most messages that scripts which topics connect hand on for one message of a source, or one time at which
  /// something of them falls due; more would be a flood. What other scripts do makes no difference, so it is the same
  /// whichever share an engine.
  static let emitLimit = 10_000

  let wiring: EngineWiring
  let client: EngineClient
  /// Holds the one emitted message that is on its way, again and again.
  private let batch = MessageBatch()
  private let counts = EmissionCounts()

  init(wiring: EngineWiring, client: EngineClient) {
    self.wiring = wiring
    self.client = client
  }

  func reduce(into state: inout EngineState, action: EngineAction) -> Effect<EngineAction> {
    var effects: [Effect<EngineAction>] = []
    switch action {
    // Nothing of scripts: they are not asked either.
    case .stored, .ordered, .noticed, .delivered: return .none
    case .batch(let read, let source, let connection, let position):
      let intake = wiring.intakes[source]
      let batch = intake?.parts(of: read) ?? read
      if batch.decode() > 0 { quarantineFaulty(batch, source, &state) }
      let notes = intake?.inspect(batch, connection: connection) ?? []
      let name = state.sources[source].name
      if wiring.hasTopics {
        var told = 0
        for index in 0..<batch.count {
          advance(to: Timestamp(milliseconds: batch.received(at: index)), &state, &effects)
          while told < notes.count, notes[told].index == index {
            tell(notes[told], of: batch, source, name, &state)
            told += 1
          }
          reduceNatively(batch, at: index, source, name, &state)
          handle(batch, index..<(index + 1), source, name)
          settle(&state, &effects)
        }
      } else {
        var next = 0
        for note in notes {
          handle(batch, next..<note.index, source, name)
          tell(note, of: batch, source, name, &state)
          next = note.index
        }
        handle(batch, next..<batch.count, source, name)
      }
      if let position { state.pending.positions[name] = position }
    case .merged(let messages): reduce(messages, &state, &effects)
    case .start:
      let now = client.messageTime()
      for runner in wiring.runners {
        runner.begin(at: now, sources: wiring.sources(of: runner).map { UInt16($0) })
      }
      for runner in wiring.runners { runner.tell(event: "start", payload: .map([:]), at: now) }
    case .tick: advance(to: client.messageTime(), &state, &effects)
    case .replied(let name, let request, let reply):
      let runner = wiring.runners.first { $0.name == name }
      runner?.receive(reply, to: request, at: client.messageTime())
    case .reloaded(let reports): reloaded(reports, state)
    case .stop:
      for runner in wiring.runners where runner.keylessCount > 0 {
        let counts = "\(runner.keylessCount) of \(runner.handledCount)"
        client.log(.info, runner.name, "\(counts) messages had no key and were skipped")
      }
    case .source, .gap, .subscription: break
    }
    settle(&state, &effects)
    if case .replied(let script, let request, let reply) = action {
      // Behind the end of a run that it led to, which a recording has to tell first.
      client.told(
        .reply(RecordedReply(time: client.messageTime(), script: script, request: request, reply: reply)))
    }
    return effects.isEmpty ? .none : .merge(effects)
  }

  /// Tells scripts and rules what a message reveals, before they get the message.
  func tell(
    _ note: MessageIntake.Note, of batch: MessageBatch, _ source: Int, _ name: String,
    _ state: inout EngineState
  ) {
    guard let (gap, isForAll) = count(note, of: batch, source, name, &state) else { return }
    for feed in wiring.feeds[source] {
      feed.runner.gap(
        gap, input: feed.input, source: UInt16(source), name: name, batch, note.index, isForAll: isForAll)
    }
  }

  /// Counts and logs what a message reveals; returns what scripts and rules are told of it, and whether all keys are.
  func count(
    _ note: MessageIntake.Note, of batch: MessageBatch, _ source: Int, _ name: String,
    _ state: inout EngineState
  ) -> (gap: SourceGap, isForAll: Bool)? {
    guard let gap = SourceGap(note.finding) else { return nil }
    let time = Timestamp(milliseconds: batch.received(at: note.index))
    // Numbers of the source as a whole may be missing from any key; told to all at most once a second.
    var isForAll = gap.isLoss && !note.isKeyed
    if gap.isLoss {
      state.sources[source].gapCount += 1
      let missed = gap.missed.map { $0 == 1 ? "a message" : "\($0) messages" } ?? "messages"
      client.log(.warn, name, "\(missed) may be missing: \(gap.reason)")
    }
    if isForAll {
      let last = state.sources[source].lastWideGap
      isForAll = last.map { time - $0 >= .seconds(1) } ?? true
      if isForAll { state.sources[source].lastWideGap = time }
    }
    return (gap, isForAll)
  }

  func handle(_ batch: MessageBatch, _ range: Range<Int>, _ source: Int, _ name: String) {
    let (feeds, number) = (wiring.feeds[source], UInt16(source))
    guard wiring.hasTwins[source] else {
      for feed in feeds {
        feed.runner.handle(batch, in: range, input: feed.input, source: name, number: number)
      }
      return
    }
    for (place, feed) in feeds.enumerated() {
      guard !feeds[..<place].contains(where: { $0.runner === feed.runner }) else { continue }
      let twins = feeds.filter { $0.runner === feed.runner }
      if twins.count == 1 {
        feed.runner.handle(batch, in: range, input: feed.input, source: name, number: number)
        continue
      }
      // All inputs get a message before any gets the next one, however many come at once.
      for index in range {
        for twin in twins {
          feed.runner.handle(
            batch, in: index..<(index + 1), input: twin.input, source: name, number: number)
        }
      }
    }
  }

  /// Tells rules that may be fed by other sources now how these are, and scripts that they were replaced.
  private func reloaded(_ reports: [ScriptReloadReport], _ state: EngineState) {
    let now = client.messageTime()
    for (number, source) in state.sources.enumerated() {
      guard let status = source.status?.ruleSource else { continue }
      for runner in wiring.runners(fedBy: number) { runner.source(UInt16(number), is: status, at: now) }
    }
    for report in reports {
      client.log(.info, report.script, report.line)
      let runner = wiring.runners.first { $0.name == report.script }
      if let runner {
        client.told(.version(RecordedVersion(time: now, script: runner.name, version: runner.version)))
      }
      runner?.tell(event: "reload", payload: report.event, at: now)
    }
  }

  func advance(
    to time: Timestamp, _ state: inout EngineState, _ effects: inout [Effect<EngineAction>]
  ) {
    guard wiring.hasTopics else {
      for runner in wiring.runners { runner.advance(to: time) }
      return
    }
    while let due = wiring.nextDue, due <= time {
      for runner in wiring.runners { runner.advance(to: due) }
      settle(&state, &effects)
    }
  }

  /// Sees to all that the scripts asked for, and that those ask for whom they feed.
  func settle(_ state: inout EngineState, _ effects: inout [Effect<EngineAction>]) {
    counts.reset(groups: wiring.groupCount)
    for (place, runner) in wiring.runners.enumerated() {
      for request in runner.takeRequests() {
        client.asked(runner.name, request)
        perform(request, of: runner, at: place, &state, &effects)
      }
      for row in runner.takeFailures() {
        client.log(.warn, runner.name, row.reason)
        client.failed(row)
      }
      for kill in runner.takeKills() { client.told(.kill(kill)) }
    }
  }

  private func perform(
    _ request: ScriptRequest, of runner: ScriptRunner, at place: Int, _ state: inout EngineState,
    _ effects: inout [Effect<EngineAction>]
  ) {
    switch request {
    case .alert(let alert): state.hostAlerts.append(alert)
    case .log(let level, let text): client.log(level, runner.name, text)
    case .connect(let source):
      state.asksForConnections = true
      send(.connect, to: source, of: runner, state, &effects)
    case .disconnect(let source):
      state.asksForConnections = true
      send(.disconnect, to: source, of: runner, state, &effects)
    case .subscribe(let name, let change):
      guard let source = state.sources.firstIndex(where: { $0.name == name }) else { return }
      client.subscribe(source, change)
      guard state.sources[source].subscriptions.note(change) else { return }
      state.pending.positions[SubscriptionChanges.storageName(of: name)] =
        state.sources[source].subscriptions.encoded
    case .publish(_, let channel, let alert): state.publications.append((alert, channel))
    case .send(_, let name, let text):
      guard let source = state.sources.firstIndex(where: { $0.name == name }) else { return }
      state.outgoing.append(OutgoingMessage(content: .message(source: source, text: text)))
    case .http(let request):
      state.outgoing.append(OutgoingMessage(content: .request(request, script: runner.name)))
    case .emit(let message):
      guard let topic = wiring.topics[place].first(where: { $0.name == message.topic }) else { return }
      switch counts.add(topic.feeds.count, in: wiring.groups[place], limit: Self.emitLimit) {
      case .within: break
      case .beyond(let isFirst):
        if isFirst { runner.refuse(message, limit: Self.emitLimit) }
        return
      }
      handOn(
        message.json, time: message.time, received: message.received, isReplayed: message.isReplayed,
        isLate: message.isLate
      ) { batch in
        for feed in topic.feeds {
          feed.runner.handle(
            batch, in: 0..<1, input: feed.input, source: runner.name, topic: topic.name,
            number: message.source)
        }
      }
    }
  }

  /// Makes a message of one that was emitted, for as long as it is handled.
  func handOn(
    _ json: String, time: Timestamp, received: Timestamp, isReplayed: Bool, isLate: Bool = false,
    _ handle: (MessageBatch) -> Void
  ) {
    batch.removeAll()
    batch.append(
      json, time: time.milliseconds, received: received.milliseconds, replayed: isReplayed)
    if isLate { batch.markLate(at: 0) }
    _ = batch.decode()
    handle(batch)
  }

  private func send(
    _ event: SourceMachine.Event, to name: String, of runner: ScriptRunner, _ state: EngineState,
    _ effects: inout [Effect<EngineAction>]
  ) {
    guard let source = state.sources.firstIndex(where: { $0.name == name }) else {
      let hint = Suggestion.hint(for: name, among: state.sources.map(\.name))
      return client.log(.error, runner.name, "there is no source '\(name)'; \(hint)")
    }
    effects.append(.send(.source(source, event)))
  }

  func quarantineFaulty(_ batch: MessageBatch, _ source: Int, _ state: inout EngineState) {
    let name = state.sources[source].name
    for index in 0..<batch.count {
      guard !batch.isSkipped(at: index), let fault = batch.fault(at: index) else { continue }
      state.sources[source].faultyCount += 1
      client.log(.warn, name, "a message can't be decoded: \(fault.reason)")
      let row = QuarantineRow(
        time: Timestamp(milliseconds: batch.received(at: index)), script: "", source: name, input: "",
        reason: fault.reason, place: "", traceback: "", message: Array(batch.bytes(at: index)))
      state.pending.quarantine.append(row)
      client.failed(row)
    }
  }
}
