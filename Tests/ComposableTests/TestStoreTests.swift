import Composable
import ComposableTesting
import Synchronization
import Testing

@Suite("3.9 The test store")
struct TestStoreTests {
  @Test("Received actions are claimed by value, by route or by a condition")
  func receive() {
    let store = TestStore(initialState: Composite.State()) { Composite() }
    store.send(.first(.load))
    store.receive(.first(.loaded(3))) { $0.first.count = 3 }
    store.send(.first(.load))
    store.receive(Route<Composite.Action, Counter.Action>.first)
    store.send(.second(.load))
    store.receive(Route<Composite.Action, Counter.Action>.second, where: { $0 == .loaded(3) }) {
      $0.second.count = 3
    }
    store.send(.second(.load))
    store.receive(where: { if case .second(.loaded) = $0 { true } else { false } })
    store.finish()
  }

  @Test("With exhaustivity off only what is mentioned counts")
  func nonExhaustive() {
    let store = TestStore(initialState: Counter.State(), exhaustivity: .off) { Counter() }
    store.send(.increment)
    store.send(.load)
    store.send(.start("timer"))
    store.clock.advance(by: .seconds(3))
    store.receive(.ticked("timer")) { $0.log = ["timer"] }
    store.receive(.ticked("timer"))
    store.assert { $0.count = 3 }
    store.finish()
  }

  @Test("Exhaustivity can be off for a block")
  func block() {
    let store = TestStore(initialState: Counter.State()) { Counter() }
    store.withExhaustivity(.off) {
      store.send(.load)
      store.skipReceivedActions()
    }
    store.send(.increment) { $0.count = 4 }
    store.finish()
  }

  @Test("Received actions and running effects can be skipped")
  func skipping() {
    let store = TestStore(initialState: Counter.State()) { Counter() }
    store.send(.load)
    store.skipReceivedActions()
    store.assert { $0.count = 3 }
    store.send(.start("timer"))
    store.skipInFlightEffects()
    store.clock.advance(by: .seconds(10))
    store.finish()
  }

  @Test("The clock goes from due time to due time, and all comes to rest in between")
  func clock() {
    let store = TestStore(initialState: Counter.State()) { Counter() }
    store.send(.start("a"))
    store.clock.advance(by: .milliseconds(500))
    store.send(.start("b"))
    store.clock.advance(by: .seconds(2))
    for (index, name) in ["a", "b", "a", "b"].enumerated() {
      store.receive(.ticked(name)) { $0.log.append(name) }
      #expect(store.state.log.count == index + 1)
    }
    store.send(.stop("a"))
    store.send(.stop("b"))
    store.finish()
  }

  @Test("An effect that leaves the thread of the test can be waited for")
  func outsideWork() async {
    let store = TestStore(initialState: "") {
      Reduce<String, String> { state, action in
        state = action
        return action == "go"
          ? .run { send in await send(await MainActor.run { "from the main actor" }) } : .none
      }
    }
    store.send("go") { $0 = "go" }
    await store.waitForOutsideWork()
    store.receive("from the main actor") { $0 = "from the main actor" }
    store.finish()
  }

  @Test("Effects that call actors and make child tasks come to rest without waiting")
  func actorsInEffects() {
    actor Total {
      var total = 0
      func add(_ number: Int) { total += number }
    }
    let store = TestStore(initialState: 0) {
      Reduce<Int, Int> { state, action in
        state = action
        guard action == 0 else { return .none }
        return .run { send in
          let total = Total()
          await withTaskGroup(of: Void.self) { group in
            for number in 1...100 { group.addTask { await total.add(number) } }
          }
          await send(await total.total)
        }
      }
    }
    store.send(0)
    store.receive(5_050) { $0 = 5_050 }
    store.finish()
  }

  @Test("Failures are recorded with Swift Testing at the caller's line")
  func location() {
    let line = Mutex(0)
    withKnownIssue {
      let store = TestStore(initialState: Counter.State()) { Counter() }
      line.withLock { $0 = #line + 1 }
      store.send(.increment)
      store.finish()
    } matching: { issue in
      issue.sourceLocation?.line == line.withLock { $0 } && "\(issue)".contains("count: 0 → 1")
    }
  }
}
