import Composable
import Testing

@Suite("3.3 A send processes its queue to the end")
@MainActor
struct TurnTests {
  /// Notes each action and answers some with others.
  private static func notes(
    _ follow: @escaping @Sendable (String) -> [String]
  ) -> Reduce<[String], String> {
    Reduce { state, action in
      state.append(action)
      return .merge(follow(action).map { Effect.send($0) })
    }
  }

  @Test("Follow-up actions come first in, first out, breadth first, before send returns")
  func breadthFirst() {
    let store = Store(initialState: [String]()) {
      Self.notes { $0.count < 3 ? [$0 + "a", $0 + "b"] : [] }
    }
    store.send("x")
    #expect(store.state == ["x", "xa", "xb", "xaa", "xab", "xba", "xbb"])
  }

  @Test("A send from an observer is queued and handled before the outer send returns", .tags(.badDay))
  func reentrantSend() {
    let store = Store(initialState: [String]()) { Self.notes { _ in [] } }
    var seen: [Int] = []
    let observation = store.observe({ $0.count }) { count in
      seen.append(count)
      if (1...3).contains(count) { store.send("from observer \(count)") }
      seen.append(-count)
    }
    store.send("first")
    #expect(store.state == ["first", "from observer 1", "from observer 2", "from observer 3"])
    #expect(seen == [0, 0, 1, -1, 2, -2, 3, -3, 4, -4])
    observation.cancel()
  }

  @Test("A reducer that answers itself for ever is stopped and its cycle is named", .tags(.badDay))
  func endlessTurn() {
    enum Action: Sendable { case ping, pong(Int), idle }
    let issues = Recorder<String>()
    let store = Store(initialState: 0, dependencies: .recording(issues), turnLimit: 500) {
      Reduce<Int, Action> { state, action in
        switch action {
        case .ping: return .send(.pong(state))
        case .pong:
          state += 1
          return .send(.ping)
        case .idle: return .none
        }
      }
    }
    store.send(.ping)
    #expect(
      issues.values == [
        "A turn was stopped after 500 follow-up actions and its waiting actions were dropped: "
          + "ping → pong → ping repeats. "
          + "End the cycle with a condition, or let an effect wait before it sends."
      ])
    let reached = store.state
    store.send(.idle)
    #expect(store.state == reached, "the dropped actions don't come back")
  }

  @Test("The default limit is 10,000 follow-ups: exactly so many pass, one more doesn't")
  func defaultLimit() {
    func reached(_ followUps: Int) -> (Int, [String]) {
      let issues = Recorder<String>()
      let store = Store(initialState: 0, dependencies: .recording(issues)) {
        Reduce<Int, Int> { state, action in
          state += 1
          return action > 0 ? .send(action - 1) : .none
        }
      }
      store.send(followUps)
      return (store.state, issues.values)
    }
    #expect(reached(10_000).0 == 10_001)
    #expect(reached(10_000).1.isEmpty)
    #expect(reached(10_001).0 == 10_001)
    #expect(reached(10_001).1.count == 1)
  }
}
