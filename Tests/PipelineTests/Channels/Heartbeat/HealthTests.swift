import Testing

@testable import Pipeline

@Suite("When all is well")
struct HealthTests {
  private let now = Timestamp(milliseconds: 0)
  private let wiring = EngineWiring(runners: [], feeds: [], router: AlertRouter(routes: [], channels: []))

  private func state(_ event: ConnectionEvent?, _ change: (inout EngineState) -> Void = { _ in })
    -> EngineState
  {
    var source = EngineState.Source(name: "btc", machine: SourceMachine(.virtual))
    source.status = event
    var state = EngineState(
      sources: [source], outbox: Outbox(channels: [("phone", DeliveryPolicy())], seed: 1))
    change(&state)
    return state
  }

  @Test("a connected source and channels that work are well")
  func well() { #expect(state(.connected).trouble(wiring, at: now) == nil) }

  @Test(
    "a source without a connection or without data is trouble",
    arguments: [
      (ConnectionEvent.connecting, "source 'btc' is connecting"), (.stale, "source 'btc' is stale"),
      (.disconnected(code: 1006, reason: ""), "source 'btc' is disconnected"),
    ])
  func sources(event: ConnectionEvent, trouble: String) {
    #expect(state(event).trouble(wiring, at: now) == trouble)
  }

  @Test("a source that is over is trouble, and so is a storage that fails")
  func failures() {
    #expect(
      state(.connected) { $0.sources[0].failure = "no such file" }.trouble(wiring, at: now)
        == "source 'btc' is over: no such file")
    #expect(
      state(.connected) { $0.storageFailure = StorageError(.failed, "disk full") }.trouble(wiring, at: now)
        == "the storage fails: disk full")
  }

  @Test("a channel that is down is trouble until it works again")
  func channels() {
    var down = state(.connected)
    for id in ["1", "2", "3"] {
      down.outbox.enqueue(.sample(key: id), to: ["phone"], now: now)
    }
    var time = now
    func attempt(_ outcome: DeliveryOutcome) {
      down.outbox.committed(down.outbox.takeChanges().number)
      time = max(time, down.outbox.nextDue ?? time)
      for delivery in down.outbox.deliveries(now: time) {
        down.outbox.outcome(outcome, of: delivery, now: time)
      }
    }
    for _ in 0..<3 { attempt(.retry(after: nil, reason: "refused")) }
    #expect(down.trouble(wiring, at: now) == "channel 'phone' is down")
    attempt(.delivered)
    #expect(down.trouble(wiring, at: now) == nil)
  }
}
