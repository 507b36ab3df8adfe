import Composable
import ComposableTesting
import Testing

@testable import SearchExample

@Suite("Example: Search")
struct SearchTests {
  /// Time on the network; the time of typing is the store's.
  private let network = TestClock()
  private let bern = Place(name: "Bern", country: "Switzerland")

  /// A store whose questions take a second to be answered, with the question itself.
  private func store(_ state: Search.State = Search.State()) -> TestStore<Search.State, Search.Action> {
    TestStore(
      initialState: state,
      dependencies: Dependencies(.test) {
        $0.places.search = { [network] query in
          try await network.sleep(for: .seconds(1))
          if query == "nowhere" { throw Offline() }
          return [Place(name: query, country: "")]
        }
      }
    ) { Search() }
  }

  private struct Offline: Error, CustomStringConvertible { let description = "You are offline." }

  @Test("It asks once the typing has paused for 300 ms")
  func debounce() {
    let store = store()
    store.send(.typed("ber")) { $0.query = "ber" }
    store.clock.advance(by: .milliseconds(299))
    store.send(.typed("bern")) { $0.query = "bern" }
    store.clock.advance(by: .milliseconds(299))
    #expect(network.sleeperCount == 0)
    store.clock.advance(by: .milliseconds(1))
    #expect(network.sleeperCount == 1)
    network.advance(by: .seconds(1))
    store.receive(.found([Place(name: "bern", country: "")])) {
      $0.places = [Place(name: "bern", country: "")]
    }
    store.finish()
  }

  @Test("The newest question wins, even where an older answer is still on its way")
  func newestWins() {
    let store = store()
    store.send(.typed("lyo")) { $0.query = "lyo" }
    store.clock.advance(by: .milliseconds(300))
    store.send(.typed("lyon")) { $0.query = "lyon" }
    #expect(network.sleeperCount == 0)
    store.clock.advance(by: .milliseconds(300))
    network.advance(by: .seconds(1))
    store.receive(.found([Place(name: "lyon", country: "")])) {
      $0.places = [Place(name: "lyon", country: "")]
    }
    store.finish()
  }

  @Test("Clearing the field forgets the places and cancels the question", arguments: [0, 300])
  func clearing(afterMilliseconds pause: Int) {
    let store = store(Search.State(places: [bern]))
    store.send(.typed("b")) { $0.query = "b" }
    store.clock.advance(by: .milliseconds(pause))
    store.send(.typed("")) {
      $0.query = ""
      $0.places = []
    }
    store.finish()
  }

  @Test("A failure is shown until the next answer")
  func failure() {
    let store = store(Search.State(places: [bern]))
    store.send(.typed("nowhere")) { $0.query = "nowhere" }
    store.clock.advance(by: .milliseconds(300))
    network.advance(by: .seconds(1))
    store.receive(.failed("You are offline.")) {
      $0.places = []
      $0.failure = "You are offline."
    }
    store.send(.typed("here")) { $0.query = "here" }
    store.clock.advance(by: .milliseconds(300))
    network.advance(by: .seconds(1))
    store.receive(.found([Place(name: "here", country: "")])) {
      $0.places = [Place(name: "here", country: "")]
      $0.failure = nil
    }
    store.finish()
  }

  @Test("Without a network it knows a few places")
  func live() async throws {
    #expect(try await PlaceClient.live.search("ber").map(\.name) == ["Berlin", "Bergen", "Bern"])
  }
}
