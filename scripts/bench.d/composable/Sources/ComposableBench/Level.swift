import Composable

/// A feature with one child, to be nested to any depth.
struct Level<Child: Reducer>: Reducer where Child.State: Sendable, Child: SendableMetatype {
  struct State: Sendable {
    var count = 0
    var child: Child.State
  }

  enum Action: Sendable {
    case child(Child.Action)
    case own
  }

  let child: Child

  var body: some Reducer<State, Action> {
    Scope(
      state: \.child,
      action: Route(embed: Action.child) { if case .child(let action) = $0 { action } else { nil } }
    ) {
      child
    }
    Reduce { state, action in
      if case .own = action { state.count += 1 }
      return .none
    }
  }
}

/// The feature at the bottom.
struct Leaf: Reducer {
  struct State: Sendable { var count = 0 }
  enum Action: Sendable { case increment, incrementLater }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment:
      state.count += 1
      return .none
    case .incrementLater: return .send(.increment)
    }
  }
}

typealias Level1 = Level<Leaf>
typealias Level5 = Level<Level<Level<Level<Level1>>>>
typealias Level10 = Level<Level<Level<Level<Level<Level5>>>>>

extension Level where Child == Leaf {
  static var bottom: Self { Self(child: Leaf()) }
  static var start: State { State(child: Leaf.State()) }
  static func action(_ action: Leaf.Action) -> Action { .child(action) }
}
