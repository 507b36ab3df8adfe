import Composable
import ComposableTesting
import Testing

/// A row that holds rows of its own kind, and a timer that may be shown.
private struct Folder: Reducer {
  struct State: Equatable {
    var count = 0
    var folders = IdentifiedArray<Int, State>()
    var timers: [Counter.State] = []
    /// Kept in an array so that the state may contain itself; at most one.
    var timer: Counter.State? {
      get { timers.first }
      set { timers = newValue.map { [$0] } ?? [] }
    }
  }

  indirect enum Action: Sendable, Equatable {
    case folder(IdentifiedAction<Int, Action>)
    case timer(Counter.Action)
    case count(after: Int)
    case hideTimer(of: Int)
    case replace(Int)
    case countAndReplace(Int)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .count(let steps):
        state.count += 1
        return steps > 0 ? .send(.count(after: steps - 1)) : .none
      case .hideTimer(let id): state.folders[id: id]?.timer = nil
      case .replace(let id):
        state.folders.remove(id: id)
        state.folders.update(State(), id: id)
      case .countAndReplace(let id):
        return .merge(
          .send(.folder(.element(id: id, action: .count(after: 1)))), .send(.replace(id)))
      case .folder, .timer: break
      }
      return .none
    }
    .ifLet(\.timer, action: .timer) { Counter() }
    .forEach(\.folders, action: .folder) { AnyReducer(Folder()) }
  }

  static func state(depth: Int, timer: Counter.State? = nil) -> State {
    var state = State()
    state.timer = timer
    if depth > 0 { state.folders.update(Self.state(depth: depth - 1, timer: timer), id: 1) }
    return state
  }
}

extension Folder.Action {
  /// The action for the folder at the end of a path of ids.
  fileprivate static func at(_ path: [Int], _ action: Self) -> Self {
    path.reversed().reduce(action) { .folder(.element(id: $1, action: $0)) }
  }
}

extension Route where Whole == Folder.Action, Part == IdentifiedAction<Int, Folder.Action> {
  fileprivate static var folder: Self {
    Route(embed: Whole.folder) { if case .folder(let action) = $0 { action } else { nil } }
  }
}

extension Route where Whole == Folder.Action, Part == Counter.Action {
  fileprivate static var timer: Self {
    Route(embed: Whole.timer) { if case .timer(let action) = $0 { action } else { nil } }
  }
}

@Suite("3.5 Features that contain features of their own kind")
struct NestedFeatureTests {
  private func store(
    _ depth: Int, timer: Counter.State? = nil
  ) -> TestStore<Folder.State, Folder.Action> {
    TestStore(initialState: Folder.state(depth: depth, timer: timer), exhaustivity: .off) { Folder() }
  }

  @Test("A feature may contain itself, and its actions come back through every level")
  func recursion() {
    let store = store(3)
    store.exhaustivity = .on
    func count(_ number: Int) -> (inout Folder.State) -> Void {
      { $0.folders[id: 1]?.folders[id: 1]?.folders[id: 1]?.count = number }
    }
    store.send(.at([1, 1, 1], .count(after: 1)), changes: count(1))
    store.receive(.at([1, 1, 1], .count(after: 0)), changes: count(2))
    store.finish()
  }

  @Test("Equal ids at different depths are different instances")
  func depths() {
    let store = store(3, timer: Counter.State())
    for path in [[], [1], [1, 1]] { store.send(.at(path, .timer(.start("timer")))) }
    #expect(store.runningEffectNames.count == 3)
    store.send(.at([1], .timer(.stop("timer"))))
    #expect(store.runningEffectNames.count == 2)
    store.clock.advance(by: .seconds(1))
    store.skipReceivedActions()
    #expect(store.state.timer?.log == ["timer"])
    #expect(store.state.folders[id: 1]?.timer?.log == [])
    #expect(store.state.folders[id: 1]?.folders[id: 1]?.timer?.log == ["timer"])
  }

  @Test("A removed row takes along what rows below it had started, and nothing else")
  func removedSubtree() {
    let store = store(3, timer: Counter.State())
    for path in [[], [1], [1, 1], [1, 1, 1]] { store.send(.at(path, .timer(.start("timer")))) }
    store.send(.at([1], .replace(1)))
    #expect(store.runningEffectNames.count == 2)
    store.send(.replace(1))
    #expect(store.runningEffectNames.count == 1)
    store.send(.timer(.stop("timer")))
    #expect(store.runningEffectNames.isEmpty)
  }

  @Test("What a feature above hides inside a row is cancelled, too")
  func hiddenInsideRow() {
    let store = store(2, timer: Counter.State())
    for path in [[1], [1, 1]] { store.send(.at(path, .timer(.start("timer")))) }
    store.send(.hideTimer(of: 1))
    #expect(store.runningEffectNames.count == 1)
    store.send(.at([1], .hideTimer(of: 1)))
    #expect(store.runningEffectNames.isEmpty)
  }

  @Test("What a row had queued before it was replaced is dropped; what the new row queues arrives")
  func queuedBeforeReplacement() {
    let store = store(1)
    // The row's first count queues another, behind the replacement.
    store.send(.countAndReplace(1))
    store.skipReceivedActions()
    #expect(store.state.folders[id: 1]?.count == 0)
    store.send(.at([1], .count(after: 2)))
    store.skipReceivedActions()
    #expect(store.state.folders[id: 1]?.count == 3)
  }

  @Test("What rows had queued is dropped when their whole collection is replaced in one turn")
  func queuedBeforeNewCollection() {
    struct Rows: Reducer {
      enum Action: Sendable, Equatable { case row(IdentifiedAction<Int, Counter.Action>), swap }
      var body: some Reducer<IdentifiedArray<Int, Counter.State>, Action> {
        Reduce<IdentifiedArray<Int, Counter.State>, Action> { state, action in
          if action == .swap { state = IdentifiedArray([Counter.State(count: 7)], id: { _ in 2 }) }
          if action == .row(.element(id: 1, action: .incrementLater)) { return .send(.swap) }
          return .none
        }
        .forEach(
          \.self, action: Route(embed: Action.row) { if case .row(let action) = $0 { action } else { nil } }
        ) {
          CombineReducers {
            Counter()
            Reduce<Counter.State, Counter.Action> { _, action in
              action == .increment ? .send(.decrement) : .none
            }
          }
        }
      }
    }
    let failures = Recorder<String>()
    let store = TestStore(
      initialState: IdentifiedArray([1, 2].map { Counter.State(count: $0) }, id: \.count),
      report: { message, _ in failures.record(message) }
    ) { Rows() }
    store.send(.row(.element(id: 1, action: .incrementLater)))
    store.receive(.row(.element(id: 1, action: .increment))) { $0[id: 1]?.count = 2 }
    // The row's decrement waits behind this, which removes the row.
    store.receive(.swap) { $0 = IdentifiedArray([Counter.State(count: 7)], id: { _ in 2 }) }
    store.finish()
    #expect(failures.values == [])
  }

  @Test("Effects of a reducer that is called by hand belong to the feature that called it")
  func calledByHand() {
    struct Caller: Reducer {
      func reduce(into state: inout Composite.State, action: Composite.Action) -> Effect<Composite.Action> {
        Composite().reduce(into: &state, action: action)
      }
    }
    let rows = IdentifiedArray([Counter.State()], id: { _ in 1 })
    let store = TestStore(initialState: Composite.State(rows: rows), exhaustivity: .off) { Caller() }
    store.send(.rows(.element(id: 1, action: .incrementLater)))
    store.send(.first(.start("timer")))
    store.skipReceivedActions()
    #expect(store.state.rows[id: 1]?.count == 1)
    #expect(store.runningEffectNames.count == 1)
    store.send(.second(.stop("timer")))
    #expect(store.runningEffectNames.isEmpty)
  }
}
