import Composable

/// Many rows, each a feature of its own.
struct Rows: Reducer {
  struct State: Sendable { var rows = IdentifiedArray<Int, Leaf.State>() }
  enum Action: Sendable { case row(IdentifiedAction<Int, Leaf.Action>) }

  static func state(of count: Int) -> State {
    var state = State()
    for id in 0..<count { state.rows.update(Leaf.State(), id: id) }
    return state
  }

  var body: some Reducer<State, Action> {
    EmptyReducer<State, Action>()
      .forEach(
        \.rows, action: Route(embed: Action.row) { if case .row(let action) = $0 { action } else { nil } }
      ) {
        Leaf()
      }
  }
}

/// A large array of which each action changes one element.
struct Elements: Reducer {
  func reduce(into state: inout [Int], action: Int) -> Effect<Int> {
    state[action] &+= 1
    return .none
  }
}
