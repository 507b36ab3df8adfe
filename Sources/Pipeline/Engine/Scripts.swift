import Composable
import Scripting

/// Hands messages and time to the scripts and gathers what they ask for.
struct Scripts: Reducer {
  typealias State = EngineState
  typealias Action = EngineAction

  let wiring: EngineWiring
  let client: EngineClient

  func reduce(into state: inout EngineState, action: EngineAction) -> Effect<EngineAction> {
    var effects: [Effect<EngineAction>] = []
    switch action {
    case .batch(let batch, let source, _, let position):
      if batch.decode() > 0 { quarantineFaulty(batch, source, &state) }
      for feed in wiring.feeds[source] {
        feed.runner.handle(
          batch, input: feed.input, source: state.sources[source].name, number: UInt16(source))
      }
      if let position { state.pending.positions[state.sources[source].name] = position }
    case .start:
      let now = client.now()
      for runner in wiring.runners { runner.tell(event: "start", payload: .map([:]), at: now) }
    case .tick:
      let now = client.now()
      for runner in wiring.runners { runner.advance(to: now) }
    case .source, .stored, .delivered, .stop: break
    }
    for runner in wiring.runners {
      for row in runner.takeFailures() {
        client.log(.warn, runner.name, row.reason)
        client.failed(row)
      }
      for request in runner.takeRequests() {
        client.asked(runner.name, request)
        perform(request, of: runner, &state, &effects)
      }
    }
    return effects.isEmpty ? .none : .merge(effects)
  }

  private func perform(
    _ request: ScriptRequest, of runner: ScriptRunner, _ state: inout EngineState,
    _ effects: inout [Effect<EngineAction>]
  ) {
    switch request {
    case .alert(let alert): state.hostAlerts.append(alert)
    case .log(let level, let text): client.log(level, runner.name, text)
    case .connect(let source): send(.connect, to: source, of: runner, state, &effects)
    case .disconnect(let source): send(.disconnect, to: source, of: runner, state, &effects)
    }
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

  private func quarantineFaulty(_ batch: MessageBatch, _ source: Int, _ state: inout EngineState) {
    let name = state.sources[source].name
    for index in 0..<batch.count {
      guard let fault = batch.fault(at: index) else { continue }
      state.sources[source].faultyCount += 1
      client.log(.warn, name, "a message can't be decoded: \(fault.reason)")
      let row = QuarantineRow(
        time: Timestamp(milliseconds: batch.time(at: index)), script: "", source: name, input: "",
        reason: fault.reason, place: "", traceback: "", message: Array(batch.bytes(at: index)))
      state.pending.quarantine.append(row)
      client.failed(row)
    }
  }
}
