import Composable
import ComposableTesting
import Testing

@testable import CaseStudiesExample

@Suite("Case study: an optimistic change")
struct FavoriteTests {
  /// The time that the server takes.
  private let time = TestClock()

  private func store(refusing: Bool = false) -> TestStore<Favorite.State, Favorite.Action> {
    struct Full: Error, CustomStringConvertible { let description = "You have too many favourites." }
    return TestStore(initialState: Favorite.State(id: UniqueID(1))) {
      Favorite { [time] _, isFavorite in
        try await time.sleep(for: .seconds(1))
        if refusing { throw Full() }
        return isFavorite
      }
    }
  }

  @Test("The heart turns at once, and the server agrees later")
  func agreeing() {
    let store = store()
    store.send(.heartTapped) {
      $0.isFavorite = true
      $0.confirmed = false
    }
    time.advance(by: .seconds(1))
    store.receive(.saved(true)) { $0.confirmed = nil }
    store.finish()
  }

  @Test(
    "Where the server refuses, the heart turns back, however often it was tapped meanwhile", arguments: 1...3)
  func rollback(taps: Int) {
    let store = store(refusing: true)
    for tap in 1...taps {
      store.send(.heartTapped) {
        $0.isFavorite = !tap.isMultiple(of: 2)
        $0.confirmed = false
      }
    }
    #expect(time.sleeperCount == 1)
    time.advance(by: .seconds(1))
    store.receive(.refused("You have too many favourites.")) {
      $0.isFavorite = false
      $0.confirmed = nil
      $0.problem = "You have too many favourites."
    }
    store.finish()
  }
}
