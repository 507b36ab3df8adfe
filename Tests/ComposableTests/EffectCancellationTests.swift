import Composable
import ComposableTesting
import Testing

@Suite("3.4 Cancellation")
struct EffectCancellationTests {
  /// Runs the effect that belongs to an action's text, and notes every action.
  private func store(
    _ effects: [String: Effect<String>], report: (@Sendable (String, SourceLocation) -> Void)? = nil
  ) -> TestStore<[String], String> {
    TestStore(initialState: [], report: report) {
      Reduce { state, action in
        state.append(action)
        return effects[action] ?? .none
      }
    }
  }

  @Test("A cancel before the start keeps the work from running")
  func cancelBeforeStart() {
    let runs = Recorder<Void>()
    let store = store([
      "go": .merge(
        .run { _ in runs.record(()) }.cancellable(id: 1), .cancel(id: 1))
    ])
    store.send("go") { $0 = ["go"] }
    store.finish()
    #expect(runs.values.isEmpty)
  }

  @Test("A cancel reaches queued actions")
  func cancelQueued() {
    let store = store([
      "go": .merge(.send("queued").cancellable(id: 1), .send("kept"), .cancel(id: 1))
    ])
    store.send("go") { $0 = ["go"] }
    store.receive("kept") { $0.append("kept") }
    store.finish()
  }

  @Test("An effect that goes on after its cancellation can send, but nothing arrives", .tags(.badDay))
  func sendAfterCancel() {
    let steps = Recorder<String>()
    let (gate, opener) = AsyncStream<Void>.makeStream()
    let store = store([
      "go": .run { send in
        // Waits without regard for cancellation.
        await Task.detached { for await _ in gate { return } }.value
        steps.record("sends")
        await send("too late")
        steps.record("ended")
      }
      .cancellable(id: 1), "stop": .cancel(id: 1),
    ])
    store.send("go") { $0 = ["go"] }
    store.send("stop") { $0.append("stop") }
    opener.yield()
    opener.finish()
    store.finish()
    #expect(store.state == ["go", "stop"])
  }

  @Test("cancelInFlight replaces what runs under the id; without it both run")
  func cancelInFlight() {
    func run(_ replaces: Bool) -> [String] {
      let store = TestStore(initialState: [String](), exhaustivity: .off) {
        Reduce<[String], String> { state, action, dependencies in
          state.append(action)
          guard action.hasPrefix("go") else { return .none }
          return .wait(dependencies.clock, 1, "done \(action)")
            .cancellable(id: "id", cancelInFlight: replaces)
        }
      }
      store.send("go 1")
      store.send("go 2")
      store.clock.advance(by: .seconds(1))
      store.skipReceivedActions()
      return store.state
    }
    #expect(run(true) == ["go 1", "go 2", "done go 2"])
    #expect(run(false) == ["go 1", "go 2", "done go 1", "done go 2"])
  }

  @Test("Ids belong to one feature instance: siblings and rows with equal ids don't meet")
  func scopedIDs() {
    let rows = IdentifiedArray([1, 2].map { Counter.State(count: $0) }, id: \.count)
    let store = TestStore(initialState: Composite.State(rows: rows)) { Composite() }
    store.send(.first(.start("timer")))
    store.send(.second(.start("timer")))
    store.send(.rows(.element(id: 1, action: .start("timer"))))
    store.send(.rows(.element(id: 2, action: .start("timer"))))
    store.send(.first(.stop("timer")))
    store.send(.rows(.element(id: 1, action: .stop("timer"))))
    store.clock.advance(by: .seconds(1))
    store.receive(.second(.ticked("timer"))) { $0.second.log = ["timer"] }
    store.receive(.rows(.element(id: 2, action: .ticked("timer")))) { $0.rows[id: 2]?.log = ["timer"] }
    store.send(.second(.stop("timer")))
    store.send(.rows(.element(id: 2, action: .stop("timer"))))
    store.finish()
  }

  @Test("Two stores with equal cancellation ids don't meet", .tags(.badDay))
  func scopedToStore() {
    let one = TestStore(initialState: Counter.State()) { Counter() }
    let other = TestStore(initialState: Counter.State()) { Counter() }
    one.send(.start("timer"))
    other.send(.start("timer"))
    one.send(.stop("timer"))
    one.clock.advance(by: .seconds(1))
    other.clock.advance(by: .seconds(1))
    other.receive(.ticked("timer")) { $0.log = ["timer"] }
    other.send(.stop("timer"))
    one.finish()
    other.finish()
  }

  @Test("The effects of a removed optional child end before the next action")
  func removedOptional() {
    let store = TestStore(initialState: Composite.State(optional: Counter.State())) { Composite() }
    store.exhaustivity = .off
    store.send(.optional(.start("timer")))
    #expect(store.runningEffectNames.count == 1)
    store.send(.showOptional(false))
    #expect(store.runningEffectNames.isEmpty)
    store.send(.showOptional(true))
    store.clock.advance(by: .seconds(5))
    store.skipReceivedActions()
    #expect(store.state.optional?.log == [])
  }

  @Test("The effects of a left case end before the next action")
  func leftCase() {
    let store = TestStore(initialState: Composite.State(), exhaustivity: .off) { Composite() }
    store.send(.mode(.begin))
    store.send(.mode(.counting(.start("timer"))))
    #expect(store.runningEffectNames.count == 1)
    store.send(.mode(.end))
    #expect(store.runningEffectNames.isEmpty)
  }

  @Test("The effects of removed rows end before the next action, those of the others go on")
  func removedRows() {
    let rows = IdentifiedArray((1...4).map { Counter.State(count: $0) }, id: \.count)
    let store = TestStore(initialState: Composite.State(rows: rows), exhaustivity: .off) { Composite() }
    for id in 1...4 { store.send(.rows(.element(id: id, action: .start("row \(id)")))) }
    store.send(.remove(2))
    #expect(names(store) == ["row 1", "row 3", "row 4"])
    store.send(.replaceRows([1, 4]))
    #expect(names(store) == ["row 1", "row 4"])
    store.send(.replaceRows([]))
    #expect(store.runningEffectNames.isEmpty)
  }

  @Test("A row that is removed and put back in one action begins anew")
  func replacedRow() {
    let store = TestStore(
      initialState: IdentifiedArray([Counter.State()], id: { _ in 1 }), exhaustivity: .off
    ) {
      Reduce<IdentifiedArray<Int, Counter.State>, IdentifiedAction<Int, Counter.Action>> { state, action in
        if case .element(_, .decrement) = action {
          let row = state.remove(id: 1)
          state[id: 1] = row
        }
        return .none
      }
      .forEach(\.self, action: .whole) { Counter() }
    }
    store.send(.element(id: 1, action: .start("timer")))
    #expect(store.runningEffectNames.count == 1)
    store.send(.element(id: 1, action: .decrement))
    #expect(store.runningEffectNames.isEmpty)
  }

  @Test("A child removed by a reducer outside its parent is noticed, too")
  func removedFromOutside() {
    let store = TestStore(
      initialState: Composite.State(
        optional: Counter.State(), rows: IdentifiedArray([Counter.State()], id: { _ in 1 })),
      exhaustivity: .off
    ) {
      Composite()
      Reduce<Composite.State, Composite.Action> { state, action in
        if action == .nothing {
          state.optional = nil
          state.rows.remove(id: 1)
        }
        return .none
      }
    }
    store.send(.optional(.start("optional")))
    store.send(.rows(.element(id: 1, action: .start("row"))))
    #expect(store.runningEffectNames.count == 2)
    store.send(.nothing)
    #expect(store.runningEffectNames.isEmpty)
  }

  @Test("Actions queued by a removed child are dropped")
  func queuedByRemovedChild() {
    let store = TestStore(initialState: Composite.State(optional: Counter.State())) {
      Composite()
      Reduce<Composite.State, Composite.Action> { state, action in
        if action == .optional(.incrementLater) { state.optional = nil }
        return .none
      }
    }
    store.send(.optional(.incrementLater)) {
      $0.optional = nil
      $0.order = ["parent saw incrementLater at 0"]
    }
    store.finish()
  }

  private func names(_ store: TestStore<Composite.State, Composite.Action>) -> [String] {
    store.runningEffectNames.compactMap { text in
      text.split(separator: "\"").dropFirst().first.map(String.init)
    }
  }
}
