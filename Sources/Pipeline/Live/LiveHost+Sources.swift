import Composable
import Scripting
import WebSocket

/// What a host reads, and what its engine asks of sources.
extension LiveHost {
  // MARK: - Reading

  /// Reads and handles what is there, or what waits, as much of it as one turn should take.
  func readSources(_ ready: [UInt64]) {
    var next = 0
    var now = monotonicNanoseconds()
    while true {
      // The desk gives it its time.
      var output = SourceOutput(batch: batch, time: Timestamp(milliseconds: 0), epoch: 0)
      let reading = desk.read(
        from: &next, ready: ready, now: now, horizon: world.oldestWaiting, limits: limits, into: &output)
      switch reading {
      case .source(let source): now = handle(output, of: source, since: now)
      case .nothing(hasWaiting: true): return takeWaiting()
      case .nothing(hasWaiting: false):
        world.oldestWaiting = nil
        return
      }
    }
  }

  /// Handles what was read, and says when that was done, in monotonic nanoseconds.
  private func handle(_ output: SourceOutput, of source: Int, since start: UInt64) -> UInt64 {
    for reason in output.refused { log(.warn, name(of: source), reason) }
    let connection = store.readInPlace { $0.sources[source].machine.connection }
    var events = output.events[...]
    if events.first == .opened {
      events.removeFirst()
      send(.source(source, .opened(connection: connection)))
    }
    // Answers alone are no data: a source that gives nothing else goes stale.
    if batch.count > output.answerCount {
      handle(batchOf: source, connection, position: output.position)
    }
    let count = batch.count
    if count > 0 { batch.removeAll() }
    for report in output.reports { send(.subscription(source, report)) }
    for event in events { send(event, of: source, connection) }
    let end = monotonicNanoseconds()
    if count > 0 { note(source, messages: count, nanoseconds: end - start) }
    return end
  }

  private func note(_ source: Int, messages: Int, nanoseconds: UInt64) {
    paces[source].note(messages: messages, nanoseconds: nanoseconds)
    limits[source] = paces[source].limit
  }

  private func handle(batchOf source: Int, _ connection: Int, position: String?) {
    if let position { positions[source] = position }
    world.held = observer == nil ? nil : []
    send(.batch(batch, source: source, connection: connection, position: position))
    // A recording tells the ends of runs before their messages, and what the messages led to behind them.
    observer?(.messages(batch, source: source))
    for happening in world.held ?? [] { observer?(.happening(happening)) }
    world.held = nil
    // The engine has given it the source's own time, where it has one.
    let last = batch.count - 1
    delays[source] = Milliseconds(batch.received(at: last) - batch.time(at: last))
  }

  private func send(_ event: SourceOutput.Event, of source: Int, _ connection: Int) {
    switch event {
    case .opened: send(.source(source, .opened(connection: connection)))
    case .closed(let end): send(.source(source, .closed(connection: connection, end)))
    case .ended: send(.source(source, .ended(connection: connection)))
    }
  }

  private func takeWaiting() {
    guard let input = desk.take(limits: limits, into: batch) else { return }
    world.oldestWaiting = input.time
    let source = input.source
    if let loss = input.loss { tell(loss, of: source) }
    switch input.content {
    case .messages(let position):
      let start = monotonicNanoseconds()
      handle(batchOf: source, input.connection, position: position)
      note(source, messages: batch.count, nanoseconds: monotonicNanoseconds() - start)
      batch.removeAll()
    case .event(let event): send(event, of: source, input.connection)
    case .report(let report): send(.subscription(source, report))
    }
    world.oldestWaiting = input.oldest
    // A source is not silent while something of it waits.
    for (source, connection) in desk.waiting { send(.source(source, .heard(connection: connection))) }
  }

  private func tell(_ loss: WaitingQueue.Loss, of source: Int) {
    guard let keys = loss.keys, !keys.isEmpty else {
      return send(.gap(SourceGap(missed: Int64(loss.messages), reason: SourceGap.overflow), source: source))
    }
    for (key, count) in keys.sorted(by: { $0.key < $1.key }) {
      send(.gap(SourceGap(key: key, missed: Int64(count), reason: SourceGap.overflow), source: source))
    }
  }

  func name(of source: Int) -> String { store.readInPlace { $0.sources[source].name } }

  // MARK: - Requests

  /// Carries out what was asked for, also by actions that effects have sent since the last turn.
  func performRequests() {
    while let (source, request) = world.takeRequest() {
      switch request {
      case .machine(let request): perform(request, source)
      case .send(let text): send(text, to: source)
      case .subscribe(let change): desk.change(change, of: source)
      }
    }
  }

  private func send(_ text: String, to source: Int) {
    do {
      try desk.send(text, to: source)
    } catch {
      log(.warn, name(of: source), "a message of a script was not sent: \(error)")
    }
  }

  private func perform(_ request: SourceMachine.Request, _ source: Int) {
    switch request {
    case .connect(let connection): desk.connect(source, connection: connection, position: positions[source])
    case .sendOpening(let connection):
      do {
        try desk.sendOpening(source)
      } catch {
        desk.close(source, code: 1000, reason: "")
        let end = SourceMachine.End(reason: "can't send the opening messages: \(error)", isPermanent: true)
        store.send(.source(source, .closed(connection: connection, end)))
      }
    case .close(_, let code, let reason): desk.close(source, code: code, reason: reason)
    case .holdHost(let until):
      for other in desk.neighbours(of: source) { store.send(.source(other, .hostHeld(until: until))) }
    case .wait, .tell, .finish: break
    }
  }
}
