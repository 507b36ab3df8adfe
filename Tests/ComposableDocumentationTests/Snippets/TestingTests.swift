import Composable
import ComposableTesting
import Testing

@Suite("The documentation of Composable: testing")
struct TestingTests {
  @Test("A test claims everything")
  func exhaustive() {
    // snippet
    let store = TestStore(
      initialState: Counter.State(),
      dependencies: Dependencies(.test) { $0.facts.about = { "\($0) is a number." } }
    ) { Counter() }
    store.send(.incremented) { $0.count = 1 }
    store.send(.askTapped) { $0.isAsking = true }
    store.receive(.answered("1 is a number.")) {
      $0.isAsking = false
      $0.fact = "1 is a number."
    }
    store.finish()
    // end
  }

  @Test("Actions are received by value, by route or by a condition")
  func receiving() {
    let store = TestStore(
      initialState: Counters.State(), dependencies: Dependencies(.test) { $0.facts = .preview }
    ) { Counters() }
    let ask: () -> Void = { store.withExhaustivity(.off) { store.send(.total(.askTapped)) } }
    let done: (inout Counters.State) -> Void = {
      $0.total.isAsking = false
      $0.total.fact = "0 is a number."
    }
    // snippet
    ask()
    store.receive(.total(.answered("0 is a number.")), changes: done)
    ask()
    store.receive(Route<Counters.Action, Counter.Action>.total, where: { $0 != .incremented }, changes: done)
    ask()
    store.receive(where: { if case .total(.answered) = $0 { true } else { false } }, changes: done)
    // end
    store.finish()
  }

  @Test("A test may look at a part only")
  func partial() {
    let store = TestStore(
      initialState: Counter.State(), dependencies: Dependencies(.test) { $0.facts = .preview }
    ) { Counter() }
    // snippet
    store.withExhaustivity(.off) {
      store.send(.incremented)
      store.send(.askTapped)
      store.skipReceivedActions()
    }
    store.assert { $0.fact = "1 is a number." }
    store.finish()
    // end
  }

  @Test("Time stands still until it is moved")
  func time() {
    // snippet
    let store = TestStore(initialState: Ticker.State(), exhaustivity: .off) { Ticker() }
    store.send(.appeared)
    store.clock.advance(by: .seconds(3_600))
    store.skipReceivedActions()
    store.assert { $0.seconds = 3_600 }
    store.skipInFlightEffects()
    store.finish()
    // end
  }

  @Test("Work that leaves the test's thread is waited for")
  func outside() async {
    let store = TestStore(
      initialState: Counter.State(),
      dependencies: Dependencies(.test) {
        $0.facts.about = { number in await MainActor.run { "\(number) from the main actor" } }
      }
    ) { Counter() }
    // snippet
    store.send(.askTapped) { $0.isAsking = true }
    await store.waitForOutsideWork()
    store.receive(.answered("0 from the main actor")) {
      $0.isAsking = false
      $0.fact = "0 from the main actor"
    }
    // end
    store.finish()
  }

  @Test("A clock on which nothing waits")
  func immediate() async throws {
    // snippet
    let clock = ImmediateClock()
    try await clock.sleep(for: .seconds(60))
    #expect(clock.now.offset == .seconds(60))
    // end
  }

  @Test("The failures of the article are those of the test store")
  func failures() throws {
    let failures = Failures()
    func store() -> TestStore<Counter.State, Counter.Action> {
      TestStore(
        initialState: Counter.State(), dependencies: Dependencies(.test) { $0.facts = .preview },
        report: failures.record
      ) { Counter() }
    }
    let forgetsChange = store()
    forgetsChange.send(.incremented) { $0.count = 2 }
    forgetsChange.finish()
    let forgetsAction = store()
    forgetsAction.send(.askTapped) { $0.isAsking = true }
    forgetsAction.finish()
    let forgetsEffect = TestStore(initialState: Ticker.State(), report: failures.record) { Ticker() }
    forgetsEffect.send(.appeared)
    forgetsEffect.finish()
    let texts = try Page("Sources/Composable/Composable.docc/Testing.md").blocks(of: "text").map(\.text)
    #expect(failures.texts.map(Self.withoutLine) == texts.map(Self.withoutLine))
  }

  /// Without the number of a line of source, which moves.
  private static func withoutLine(_ text: String) -> String {
    text.replacing(/swift:\d+/, with: "swift:")
  }
}
