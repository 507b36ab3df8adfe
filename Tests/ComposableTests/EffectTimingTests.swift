import Composable
import ComposableTesting
import Testing

@Suite("3.4 Debounce and throttle")
struct EffectTimingTests {
  /// Sends letters, one per second (`-` for none, `x` cancels), and writes what comes out at which second.
  ///
  /// What the clock brings at the end of a second is seen by the send of the next one.
  private func diagram(
    _ letters: String, _ limit: @escaping @Sendable (Effect<String>) -> Effect<String>
  ) -> String {
    let store = TestStore(initialState: [String](), exhaustivity: .off) {
      Reduce<[String], String> { state, action in
        if action.hasPrefix("out ") {
          state.append(String(action.dropFirst(4)))
          return .none
        }
        return action == "x" ? .cancel(id: "id") : limit(.send("out \(action)"))
      }
    }
    var output = ""
    for letter in letters {
      let before = store.state.count
      if letter != "-" { store.send(String(letter)) }
      store.skipReceivedActions()
      output += store.state.count > before ? store.state[before...].joined() : "-"
      store.clock.advance(by: .seconds(1))
    }
    return output
  }

  @Test("Debounce sends the last one after a quiet span")
  func debounce() {
    #expect(
      diagram("ab--c---d--") { $0.debounce(id: "id", for: .seconds(2)) }
        == "---b--c---d")
  }

  @Test("Debounce is ended by a cancel")
  func cancelledDebounce() {
    #expect(diagram("a-x---b----") { $0.debounce(id: "id", for: .seconds(3)) } == "---------b-")
  }

  @Test("Throttle sends the first at once and the last of each span at its end")
  func throttleLatest() {
    #expect(
      diagram("abc--d-----") { $0.throttle(id: "id", for: .seconds(3), latest: true) } == "a--c--d----")
  }

  @Test("Throttle can send the first of each span instead")
  func throttleFirst() {
    #expect(
      diagram("abc--d-----") { $0.throttle(id: "id", for: .seconds(3), latest: false) } == "a--b--d----")
  }

  @Test("Throttle is ended by a cancel, and what follows is sent at once")
  func cancelledThrottle() {
    #expect(
      diagram("abx-c------") { $0.throttle(id: "id", for: .seconds(3), latest: true) } == "a---c------")
  }

  @Test("The clock is the one of the feature's part of the tree")
  func subtreeClock() {
    let store = TestStore(initialState: [String]()) {
      Reduce<[String], String> { state, action in
        state.append(action)
        return action == "go" ? .send("out").debounce(id: 1, for: .seconds(1_000)) : .none
      }
      .dependency(\.clock, ImmediateClock())
    }
    store.send("go") { $0 = ["go"] }
    store.receive("out") { $0.append("out") }
    store.finish()
  }
}
