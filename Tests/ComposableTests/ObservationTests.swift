import Composable
import Testing

@Suite("3.7 Observation")
@MainActor
struct ObservationTests {
  @Test("Changes begin with the value of now and give each different one")
  func changes() async {
    let store = Store(initialState: Counter.State(), dependencies: .preview) { Counter() }
    var changes = store.changes(of: \.count).makeAsyncIterator()
    #expect(await changes.next() == 0)
    store.send(.increment)
    #expect(await changes.next() == 1)
    store.send(.ticked("elsewhere"))
    store.send(.increment)
    #expect(await changes.next() == 2)
  }

  @Test("Changes of one turn are told once, and a slow reader gets the newest")
  func coalesced() async {
    let store = Store(initialState: [Int](), dependencies: .preview) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        return action < 5 ? .send(action + 1) : .none
      }
    }
    var told: [Int] = []
    let observation = store.observe({ $0.count }) { told.append($0) }
    var changes = store.changes(of: \.count).makeAsyncIterator()
    store.send(1)
    store.send(1)
    #expect(told == [0, 5, 10])
    #expect(await changes.next() == 10)
    observation.cancel()
    store.send(1)
    #expect(told == [0, 5, 10])
  }

  @Test("An observer is told the value of now at once, so that one function shows the first state, too")
  func firstValue() {
    let store = Store(initialState: Counter.State(count: 7), dependencies: .preview) { Counter() }
    var shown = ""
    let observation = store.observe(\.count) { shown = "count: \($0)" }
    #expect(shown == "count: 7")
    store.send(.increment)
    #expect(shown == "count: 8")
    observation.cancel()
  }

  @Test("What an observer sends at its first call is handled after it has returned, before observe returns")
  func sendAtFirstCall() {
    let store = Store(initialState: Counter.State(), dependencies: .preview) { Counter() }
    var steps: [Int] = []
    let observation = store.observe(\.count) { count in
      steps.append(count)
      if count < 2 { store.send(.increment) }
      steps.append(-count)
    }
    #expect(steps == [0, 0, 1, -1, 2, -2])
    #expect(store.state.count == 2)
    observation.cancel()
  }

  @Test("Whoever begins to observe within a turn is told its end as well")
  func beginWithinTurn() {
    let store = Store(initialState: Counter.State(), dependencies: .preview) { Counter() }
    var told: [Int] = []
    var inner: Observation?
    let outer = store.observe(\.count) { count in
      guard count == 1 else { return }
      store.send(.increment)
      inner = store.observe(\.count) { told.append($0) }
    }
    store.send(.increment)
    #expect(told == [1, 2])
    inner?.cancel()
    outer.cancel()
  }

  @Test("A store that is closed already tells its last value, and its sequence ends")
  func closed() async {
    let store = Store(initialState: 3, dependencies: .preview) { EmptyReducer<Int, Int>() }
    await store.close()
    var told: [Int] = []
    let observation = store.observe({ $0 }) { told.append($0) }
    #expect(told == [3])
    var changes = store.changes(of: { $0 }).makeAsyncIterator()
    #expect(await changes.next() == 3)
    #expect(await changes.next() == nil)
    observation.cancel()
  }

  @Test("The sequence ends when the store closes")
  func end() async {
    let store = Store(initialState: 0, dependencies: .preview) { EmptyReducer<Int, Int>() }
    var changes = store.changes(of: { $0 }).makeAsyncIterator()
    #expect(await changes.next() == 0)
    await store.close()
    #expect(await changes.next() == nil)
  }

  @Test("A scoped store reads, sends and observes its part")
  func scoped() {
    let store = Store(
      initialState: Composite.State(rows: IdentifiedArray([Counter.State()], id: { _ in 3 })),
      dependencies: .preview
    ) { Composite() }
    let first = store.scope(state: \.first, action: .first)
    let optional = store.scope(state: \.optional, action: .optional)
    let row = store.scope(state: \.rows[id: 3], action: Route<Composite.Action, Counter.Action>.row(3))
    var told: [Int] = []
    let observation = first.observe(\.count) { told.append($0) }
    first.send(.increment)
    store.send(.second(.increment))
    store.send(.first(.increment))
    row.send(.increment)
    #expect(told == [0, 1, 2])
    #expect(first.state.count == 2)
    #expect(row.state?.count == 1)
    #expect(optional.state == nil)
    store.send(.showOptional(true))
    optional.send(.increment)
    #expect(optional.state?.count == 1)
    observation.cancel()
  }

  @Test("A snapshot stays as it was")
  func snapshot() {
    let store = Store(initialState: [1], dependencies: .preview) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        return .none
      }
    }
    let snapshot = store.snapshot()
    store.send(2)
    #expect(snapshot == [1])
    #expect(store.state == [1, 2])
  }
}

extension Route where Whole == Composite.Action, Part == Counter.Action {
  static func row(_ id: Int) -> Self {
    Route(embed: { .rows(.element(id: id, action: $0)) }) {
      if case .rows(.element(id, let action)) = $0 { action } else { nil }
    }
  }
}
