import AllocationCounter
import Composable

/// A feature with a large array, of which each action writes one element.
struct Leaf: Reducer {
  struct State {
    var values = Array(repeating: 0, count: 100_000)
  }

  enum Action: Sendable { case write(Int), writeLater(Int) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .write(let index):
      state.values[index] &+= 1
      return .none
    case .writeLater(let index): return .send(.write(index))
    }
  }
}

/// A parent with a child in each kind of place.
struct Parent: Reducer {
  enum Mode { case off, on(Leaf.State) }

  struct State {
    var own = Leaf.State()
    var property = Leaf.State()
    var optional: Leaf.State? = Leaf.State()
    var mode = Mode.on(Leaf.State())
    var rows = IdentifiedArray<Int, Leaf.State>()
  }

  enum Action: Sendable {
    case own(Int)
    case property(Leaf.Action)
    case optional(Leaf.Action)
    case mode(Leaf.Action)
    case row(IdentifiedAction<Int, Leaf.Action>)
  }

  var body: some Reducer<State, Action> {
    Scope(
      state: \.property,
      action: Route(embed: Action.property) { if case .property(let action) = $0 { action } else { nil } }
    ) { Leaf() }
    Scope(
      state: \.mode,
      action: Route(embed: Action.mode) { if case .mode(let action) = $0 { action } else { nil } }
    ) {
      EmptyReducer<Mode, Leaf.Action>().ifCaseLet(
        Route(embed: Mode.on) { if case .on(let state) = $0 { state } else { nil } }, action: .whole
      ) { Leaf() }
    }
    Reduce<State, Action> { state, action in
      if case .own(let index) = action { state.own.values[index] &+= 1 }
      return .none
    }
    .ifLet(
      \.optional,
      action: Route(embed: Action.optional) { if case .optional(let action) = $0 { action } else { nil } }
    ) { Leaf() }
    .forEach(
      \.rows, action: Route(embed: Action.row) { if case .row(let action) = $0 { action } else { nil } }
    ) { Leaf() }
  }
}

/// Prints, for each kind of action, how many blocks and bytes one of it allocates: `row 0 0`.
@MainActor func measureActions() {
  var state = Parent.State()
  for id in 0..<10 { state.rows.update(Leaf.State(), id: id) }
  let store = Store(initialState: state) { Parent() }

  func report(_ name: String, _ action: (Int) -> Parent.Action) {
    let count = 1_000
    // Buffers become the store's own, children are bound, queues get their size.
    for index in 0..<10 { store.send(action(index)) }
    let (blocks, bytes) = (allocation_count(), allocation_bytes())
    for index in 0..<count { store.send(action(index)) }
    print(name, (allocation_count() - blocks) / count, (allocation_bytes() - bytes) / count)
  }

  report("own") { .own($0) }
  report("property") { .property(.write($0)) }
  report("optional") { .optional(.write($0)) }
  report("case") { .mode(.write($0)) }
  report("row") { .row(.element(id: $0 % 10, action: .write($0))) }
  report("send") { .property(.writeLater($0)) }
  report("send of a row") { .row(.element(id: $0 % 10, action: .writeLater($0))) }
}
