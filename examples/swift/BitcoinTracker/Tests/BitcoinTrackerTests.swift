import Composable
import ComposableTesting
import Testing

@testable import BitcoinTrackerExample

@Suite("Example: BitcoinTracker")
struct BitcoinTrackerTests {
  private let feed = Feed()

  private func store(
    _ client: WebSocketClient? = nil
  ) -> TestStore<BitcoinTracker.State, BitcoinTracker.Action> {
    TestStore(
      initialState: BitcoinTracker.State(),
      dependencies: Dependencies(.test) { $0.socket = client ?? feed.client }
    ) { BitcoinTracker(url: "wss://example.org/prices?assets=bitcoin") }
  }

  private func connected() -> TestStore<BitcoinTracker.State, BitcoinTracker.Action> {
    let store = store()
    store.send(.buttonTapped) { $0.connectivity = .connecting }
    feed.tell(.opened(protocol: nil))
    store.receive(.connection(.opened(protocol: nil))) { $0.connectivity = .connected }
    return store
  }

  @Test("The button connects, prices come, the button disconnects and ends all that runs")
  func wholeLife() {
    let store = connected()
    feed.tell(#"{"bitcoin":"67123.45"}"#)
    store.receive(.received(.text(#"{"bitcoin":"67123.45"}"#))) { $0.price = 67_123.45 }
    #expect(store.state.summary == "connected: 67123.45 dollars [Disconnect]")
    #expect(!feed.isEnded)
    store.send(.buttonTapped) { $0 = BitcoinTracker.State() }
    #expect(feed.isEnded)
    store.finish()
  }

  @Test("The button ends an attempt to connect, too")
  func impatience() {
    let store = store()
    store.send(.buttonTapped) { $0.connectivity = .connecting }
    #expect(store.state.button == "Disconnect")
    store.send(.buttonTapped) { $0.connectivity = .disconnected }
    #expect(feed.isEnded)
    store.finish()
  }

  @Test("A connection that the feed closes leaves no old price behind")
  func closedByFeed() {
    let store = connected()
    feed.tell(#"{"bitcoin":"1"}"#)
    store.receive(.received(.text(#"{"bitcoin":"1"}"#))) { $0.price = 1 }
    feed.tell(.closed(code: 1_001, reason: "maintenance"))
    store.receive(.connection(.closed(code: 1_001, reason: "maintenance"))) {
      $0 = BitcoinTracker.State(problem: "The connection ended (1001): maintenance")
    }
    store.finish()
  }

  @Test(
    "A message without a price is told and changes no price",
    arguments: ["[]", #"{"ether":"1"}"#, #"{"bitcoin":"x"}"#])
  func noPrice(text: String) {
    let store = connected()
    feed.tell(text)
    store.receive(.received(.text(text))) {
      $0.problem = "Expected a price, got text(\(text.debugDescription))."
    }
    store.send(.buttonTapped) { $0 = BitcoinTracker.State() }
    store.finish()
  }

  @Test("A connection that can't be opened, or breaks, says why")
  func failures() {
    struct Unplugged: Error, CustomStringConvertible { let description = "The cable is unplugged." }
    var client = feed.client
    client.open = { _, _, _ in throw Unplugged() }
    let unopened = store(client)
    unopened.send(.buttonTapped) { $0.connectivity = .connecting }
    unopened.receive(.failed("The cable is unplugged.")) {
      $0 = BitcoinTracker.State(problem: "The cable is unplugged.")
    }
    unopened.finish()

    let broken = connected()
    feed.fail(Unplugged())
    broken.receive(.failed("The cable is unplugged.")) {
      $0 = BitcoinTracker.State(problem: "The cable is unplugged.")
    }
    #expect(feed.isEnded)
    broken.finish()
  }
}
