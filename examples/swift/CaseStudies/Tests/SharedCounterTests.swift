import Composable
import ComposableTesting
import Testing

@testable import CaseStudiesExample

@Suite("Case study: shared state")
struct SharedCounterTests {
  @Test("What one page changes, the other shows and resets")
  func pages() {
    let store = TestStore(initialState: SharedCounter.State()) { SharedCounter() }
    store.send(.counter(.changed(by: 5))) {
      $0.counter.statistics = SharedCounter.Statistics(count: 5, highest: 5, changes: 1)
    }
    store.send(.counter(.changed(by: -2))) {
      $0.profile.statistics = SharedCounter.Statistics(count: 3, highest: 5, changes: 2)
    }
    store.send(.profile(.resetTapped)) { $0.counter.statistics = SharedCounter.Statistics() }
    #expect(store.state.counter.statistics == store.state.profile.statistics)
    store.finish()
  }
}
