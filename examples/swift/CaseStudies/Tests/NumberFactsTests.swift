import Composable
import ComposableTesting
import Testing

@testable import CaseStudiesExample

@Suite("Case study: cancellation")
struct NumberFactsTests {
  /// The time that answers take.
  private let time = TestClock()

  private func asked() -> TestStore<NumberFacts.State, NumberFacts.Action> {
    let store = TestStore(initialState: NumberFacts.State(number: 7)) {
      NumberFacts { [time] number in
        try await time.sleep(for: .seconds(1))
        return "\(number) is prime."
      }
    }
    store.send(.askTapped) { $0.isBusy = true }
    return store
  }

  @Test("A question is answered")
  func answer() {
    let store = asked()
    time.advance(by: .seconds(1))
    store.receive(.answered("7 is prime.")) {
      $0.isBusy = false
      $0.fact = "7 is prime."
    }
    store.finish()
  }

  @Test("Who loses patience gets no answer later")
  func cancelling() {
    let store = asked()
    store.send(.cancelTapped) { $0.isBusy = false }
    #expect(time.sleeperCount == 0)
    store.finish()
  }

  @Test("Another number makes the question void")
  func otherNumber() {
    let store = asked()
    store.send(.numberChanged(8)) { $0 = NumberFacts.State(number: 8) }
    #expect(time.sleeperCount == 0)
    store.finish()
  }
}
