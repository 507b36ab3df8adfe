import Composable
import ComposableTesting
import Testing

@testable import CaseStudiesExample

@Suite("Case study: timers")
struct StopwatchTests {
  private let store = TestStore(initialState: Stopwatch.State()) { Stopwatch() }

  @Test("It counts while it is on")
  func counting() {
    store.send(.buttonTapped) { $0.isOn = true }
    for second in 1...3 {
      store.clock.advance(by: .seconds(1))
      store.receive(.ticked) { $0.elapsed = .seconds(second) }
    }
    store.send(.buttonTapped) { $0.isOn = false }
    store.clock.advance(by: .seconds(10))
    store.finish()
  }

  @Test("Another step begins a new wait; while it is off, nothing runs")
  func step() {
    store.send(.stepChanged(.seconds(5))) { $0.step = .seconds(5) }
    store.send(.buttonTapped) { $0.isOn = true }
    store.clock.advance(by: .seconds(4))
    store.send(.stepChanged(.seconds(2))) { $0.step = .seconds(2) }
    #expect(store.clock.sleeperCount == 1)
    store.clock.advance(by: .seconds(2))
    store.receive(.ticked) { $0.elapsed = .seconds(2) }
    store.send(.buttonTapped) { $0.isOn = false }
    store.finish()
  }
}
