// Mistakes with routes and with the places of children. This isn't compiled with the tests: CompilerErrorTests has the
// compiler read it, and compares what it says about each declaration.

import Composable

struct Child: Reducer {
  struct State: Equatable { var count = 0 }
  enum Action: Sendable, Equatable { case increment }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

struct Other: Reducer {
  struct State: Equatable { var text = "" }
  enum Action: Sendable, Equatable { case clear }
  func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}

struct State: Equatable {
  var child = Child.State()
  var optional: Child.State?
  var rows = IdentifiedArray<Int, Child.State>()
  var list: [Child.State] = []
}

enum Mode: Equatable { case child(Child.State), other(Other.State) }

enum Action: Sendable, Equatable {
  case child(Child.Action)
  case other(Other.Action)
  case rows(IdentifiedAction<Int, Child.Action>)
}

extension Route where Whole == Action, Part == Child.Action {
  static var child: Self { Route(embed: Whole.child) { if case .child(let part) = $0 { part } else { nil } } }
}

extension Route where Whole == Action, Part == Other.Action {
  static var other: Self { Route(embed: Whole.other) { if case .other(let part) = $0 { part } else { nil } } }
}

extension Route where Whole == Action, Part == IdentifiedAction<Int, Child.Action> {
  static var rows: Self { Route(embed: Whole.rows) { if case .rows(let part) = $0 { part } else { nil } } }
}

extension Route where Whole == Mode, Part == Other.State {
  static var other: Self { Route(embed: Whole.other) { if case .other(let part) = $0 { part } else { nil } } }
}

struct ScopeWithRouteOfOtherChild: Reducer {
  var body: some Reducer<State, Action> {
    Scope(state: \.child, action: .other) { Child() }
  }
}

struct ScopeWithOtherChild: Reducer {
  var body: some Reducer<State, Action> {
    Scope(state: \.child, action: .child) { Other() }
  }
}

struct ScopeWithMisspelledRoute: Reducer {
  var body: some Reducer<State, Action> {
    Scope(state: \.child, action: .chidl) { Child() }
  }
}

struct ScopeWithOtherState: Reducer {
  var body: some Reducer<State, Action> {
    Scope(state: \.list, action: .child) { Child() }
  }
}

struct ScopeWithCaseForRoute: Reducer {
  var body: some Reducer<State, Action> {
    Scope(state: \.child, action: Action.child) { Child() }
  }
}

struct IfLetWithRouteOfOtherChild: Reducer {
  var body: some Reducer<State, Action> {
    Reduce { _, _ in .none }
      .ifLet(\.optional, action: .other) { Child() }
  }
}

struct IfLetWithStateThatIsAlwaysThere: Reducer {
  var body: some Reducer<State, Action> {
    Reduce { _, _ in .none }
      .ifLet(\.child, action: .child) { Child() }
  }
}

struct IfCaseLetWithRouteOfOtherCase: Reducer {
  var body: some Reducer<Mode, Action> {
    Reduce { _, _ in .none }
      .ifCaseLet(.other, action: .child) { Child() }
  }
}

struct ForEachWithRouteOfOneChild: Reducer {
  var body: some Reducer<State, Action> {
    Reduce { _, _ in .none }
      .forEach(\.rows, action: .child) { Child() }
  }
}

struct ForEachWithArray: Reducer {
  var body: some Reducer<State, Action> {
    Reduce { _, _ in .none }
      .forEach(\.list, action: .rows) { Child() }
  }
}

struct ForEachWithOtherRow: Reducer {
  var body: some Reducer<State, Action> {
    Reduce { _, _ in .none }
      .forEach(\.rows, action: .rows) { Other() }
  }
}

func embedOfOtherCase() -> Route<Action, Child.Action> {
  Route(embed: Action.other) { if case .child(let part) = $0 { part } else { nil } }
}

func extractOfOtherCase() -> Route<Action, Child.Action> {
  Route(embed: Action.child) { if case .other(let part) = $0 { part } else { nil } }
}
