import Composable
import ComposableTesting
import Testing

@Suite("3.5 Composition")
struct CompositionTests {
  @Test("A scope runs its child for the child's actions only")
  func scope() {
    let store = TestStore(initialState: Composite.State()) { Composite() }
    store.send(.first(.increment)) { $0.first.count = 1 }
    store.send(.second(.decrement)) { $0.second.count = -1 }
    store.send(.nothing)
    store.finish()
  }

  @Test("A child's effects come back as actions of the parent")
  func effectsOfChildren() {
    let store = TestStore(
      initialState: Composite.State(rows: IdentifiedArray([Counter.State()], id: { _ in 7 }))
    ) { Composite() }
    store.send(.first(.load))
    store.receive(.first(.loaded(3))) { $0.first.count = 3 }
    store.send(.rows(.element(id: 7, action: .load)))
    store.receive(.rows(.element(id: 7, action: .loaded(3)))) { $0.rows[id: 7]?.count = 3 }
    store.send(.mode(.begin)) { $0.mode = .counting(Counter.State()) }
    store.send(.mode(.counting(.incrementLater)))
    store.receive(.mode(.counting(.increment))) { $0.mode = .counting(Counter.State(count: 1)) }
    store.finish()
  }

  @Test("The child sees an action before its parent")
  func childFirst() {
    let store = TestStore(initialState: Composite.State(optional: Counter.State())) { Composite() }
    store.send(.optional(.increment)) {
      $0.optional?.count = 1
      $0.order = ["parent saw increment at 1"]
    }
    store.finish()
  }

  @Test("A computed property and a tuple inside the state work as places of a child")
  func computedPlace() {
    struct Pair {
      var parts = (left: 1, right: 2);
      var doubled: Int {
        get { parts.left * 2 }
        set { parts.left = newValue / 2 }
      }
    }
    struct Feature: Reducer {
      var body: some Reducer<Pair, Int> {
        Scope(state: \.parts.right, action: .whole) { Add() }
        Scope(state: \.doubled, action: .whole) { Add() }
      }
    }
    struct Add: Reducer {
      func reduce(into state: inout Int, action: Int) -> Effect<Int> {
        state += action
        return .none
      }
    }
    var pair = Pair()
    _ = Feature().reduce(into: &pair, action: 10)
    #expect(pair.parts == (6, 12))
  }

  @Test(
    "An action for an absent child, another case or a removed row is reported and changes nothing",
    .tags(.badDay))
  func absentChildren() {
    let failures = Recorder<String>()
    let store = TestStore(
      initialState: Composite.State(), report: { message, _ in failures.record(message) }
    ) { Composite() }
    store.send(.optional(.increment)) { $0.order = ["parent saw increment at -1"] }
    store.send(.mode(.counting(.increment)))
    store.send(.rows(.element(id: 9, action: .increment)))
    store.finish()
    let texts = failures.values.map { $0.split(separator: ": ", maxSplits: 1).last.map(String.init) }
    #expect(
      texts == [
        "an action arrived for a child whose state is nil. The action was optional.increment.",
        "an action arrived for a case that the state is not in. The action was mode.counting.increment.",
        "an action arrived for row 9, which doesn't exist. The action was rows.element.increment.",
      ])
    #expect(failures.values.allSatisfy { $0.hasPrefix("ComposableTests/Composite.swift:") })
  }

  @Test("onChange sees the old and the new value, and only when they differ")
  func onChange() {
    let store = TestStore(initialState: Counter.State()) {
      Counter().onChange(of: \.count) { old, new, state in
        state.log.append("\(old) → \(new)")
        return new == 2 ? .send(.ticked("two")) : .none
      }
    }
    store.send(.increment) {
      $0.count = 1
      $0.log = ["0 → 1"]
    }
    store.send(.ticked("x")) { $0.log.append("x") }
    store.send(.increment) {
      $0.count = 2
      $0.log.append("1 → 2")
    }
    store.receive(.ticked("two")) { $0.log.append("two") }
    store.finish()
  }

  @Test("printChanges tells the action and what it changed by path")
  @MainActor
  func printChanges() {
    var printed: [String] = []
    let store = Store(initialState: Composite.State()) { Composite().printChanges { printed.append($0) } }
    store.send(.first(.increment))
    store.send(.nothing)
    #expect(
      printed == [
        "received .first(.increment)\n  first.count: 0 → 1", "received .nothing\n  (no change)",
      ])
  }

  @Test("A route can be continued into a part of its part")
  func appendedRoute() {
    let route = Route<Composite.Action, Mode.Action>.mode.appending(.counting)
    #expect(route.extract(.mode(.counting(.increment))) == .increment)
    #expect(route.extract(.mode(.begin)) == nil)
    #expect(route.embed(.increment) == .mode(.counting(.increment)))
  }
}
