import Composable
import ComposableTesting
import Testing

@Suite("The documentation of Composable: concepts")
@MainActor
struct ConceptsTests {
  @Test("A store is sent actions and observed")
  func store() {
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    do {
      // snippet
      let store = Store(initialState: Counter.State()) { Counter() }
      let observation = store.observe(\.count) { print("count: \($0)") }
      store.send(.incremented)
      // end
      observation.cancel()
    }
    #expect(printed == ["count: 0", "count: 1"])
  }

  @Test("Children work in each kind of place")
  func children() {
    let store = TestStore(initialState: Counters.State()) { Counters() }
    store.send(.total(.incremented)) { $0.total.count = 1 }
    store.send(.draftOpened) { $0.draft = Counter.State() }
    store.send(.draft(.incremented)) { $0.draft?.count = 1 }
    store.send(.draftKept) {
      $0.draft = nil
      $0.rows[id: 1] = Counter.State(count: 1)
    }
    store.send(.rows(.element(id: 1, action: .incremented))) { $0.rows[id: 1]?.count = 2 }
    store.send(.removed(1)) { $0.rows.remove(id: 1) }
    store.finish()

    let session = TestStore(initialState: Session.State.signedOut) { Session() }
    session.send(.signedIn) { $0 = .counting(Counter.State()) }
    session.send(.counting(.incremented)) { $0 = .counting(Counter.State(count: 1)) }
    session.send(.signedOut) { $0 = .signedOut }
    session.finish()
  }

  @Test("Reactions to a change, changes printed, several reducers as one")
  func modifiers() {
    var printed: [String] = []
    func print(_ text: String) { printed.append(text) }
    let isVerbose = true
    // snippet
    struct Limited: Reducer {
      let isVerbose: Bool
      let print: (String) -> Void

      var body: some Reducer<Counter.State, Counter.Action> {
        CombineReducers {
          Counter()
          if isVerbose { Reduce { _, action in action == .incremented ? .send(.answered("more")) : .none } }
        }
        .onChange(of: \.count) { old, new, state in
          if new > 2 { state.count = old }
          return .none
        }
        .printChanges(to: print)
      }
    }
    // end
    let store = Store(initialState: Counter.State(count: 2)) { Limited(isVerbose: isVerbose, print: print) }
    store.send(.incremented)
    #expect(store.state == Counter.State(count: 2, fact: "more"))
    #expect(
      printed == [
        "received .incremented\n  (no change)", "received .answered(\"more\")\n  fact: nil → \"more\"",
      ])
  }

  @Test("A part of a store is a store, and changes are a sequence")
  func parts() async {
    let store = Store(initialState: Counters.State()) { Counters() }
    store.send(.draftOpened)
    store.send(.draftKept)
    // snippet
    let total = store.scope(state: \.total, action: .total)
    total.send(.incremented)

    var counts = total.changes(of: \.count).makeAsyncIterator()
    let now = await counts.next()

    let rowCount = store.withState { $0.rows.count }
    let everything = store.snapshot()
    await store.close()
    // end
    #expect(now == 1)
    #expect(rowCount == 1)
    #expect(everything.total.count == 1)
  }

  @Test("A store lives on an actor")
  func actor() async {
    // snippet
    actor Engine {
      private var store: Store<Counter.State, Counter.Action>?

      func start() { store = Store(initialState: Counter.State(), dependencies: .preview) { Counter() } }
      func increment() { store?.send(.incremented) }
      var count: Int { store?.withState(\.count) ?? 0 }

      func stop() async {
        await store?.close()
        store = nil
      }
    }
    // end
    let engine = Engine()
    await engine.start()
    await engine.increment()
    #expect(await engine.count == 1)
    await engine.stop()
  }
}
