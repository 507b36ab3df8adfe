import Composable
import ComposableNetworking
import ExampleTerminal
import Glibc

/// `BitcoinTrackerExample URL`: the tracker in a terminal, for a feed of messages such as `{"bitcoin":"67123.45"}`.
@main
struct BitcoinTrackerTerminal {
  @MainActor
  static func main() async {
    guard CommandLine.arguments.count == 2 else {
      print("usage: BitcoinTrackerExample URL, such as ws://127.0.0.1:8080/prices")
      exit(2)
    }
    let store = Store(
      initialState: BitcoinTracker.State(), dependencies: Dependencies(.live) { $0.socket = .sockets() }
    ) { BitcoinTracker(url: CommandLine.arguments[1]) }
    print("Return presses the button, q ends.")
    let observation = store.observe(\.summary) { print($0) }
    for await line in typedLines() {
      if line == "q" { break }
      store.send(.buttonTapped)
    }
    observation.cancel()
    await store.close()
  }
}
