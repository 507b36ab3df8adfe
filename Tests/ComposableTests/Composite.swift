import Composable

/// A parent with a fixed, an optional, an enumerated and many keyed children.
struct Composite: Reducer {
  struct State: Equatable {
    var first = Counter.State()
    var second = Counter.State()
    var optional: Counter.State?
    var mode = Mode.State.idle
    var rows = IdentifiedArray<Int, Counter.State>()
    var order: [String] = []
  }

  enum Action: Sendable, Equatable {
    case first(Counter.Action)
    case second(Counter.Action)
    case optional(Counter.Action)
    case mode(Mode.Action)
    case rows(IdentifiedAction<Int, Counter.Action>)
    case showOptional(Bool)
    case remove(Int)
    case replaceRows([Int])
    case nothing
  }

  var body: some Reducer<State, Action> {
    Scope(state: \.first, action: .first) { Counter() }
    Scope(state: \.second, action: .second) { Counter() }
    Scope(state: \.mode, action: .mode) { Mode() }
    Reduce { state, action in
      switch action {
      case .showOptional(let isShown): state.optional = isShown ? Counter.State() : nil
      case .remove(let id): state.rows.remove(id: id)
      case .replaceRows(let ids):
        state.rows = IdentifiedArray(ids.map { Counter.State(count: $0) }, id: \.count)
      case .optional(let action): state.order.append("parent saw \(action) at \(state.optional?.count ?? -1)")
      default: break
      }
      return .none
    }
    .ifLet(\.optional, action: .optional) { Counter() }
    .forEach(\.rows, action: .rows) { Counter() }
  }
}

/// A feature whose state is one of two cases.
struct Mode: Reducer {
  enum State: Equatable {
    case idle
    case counting(Counter.State)
  }

  enum Action: Sendable, Equatable {
    case counting(Counter.Action)
    case begin
    case end
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .begin: state = .counting(Counter.State())
      case .end: state = .idle
      case .counting: break
      }
      return .none
    }
    .ifCaseLet(.counting, action: .counting) { Counter() }
  }
}

extension Route where Whole == Composite.Action, Part == Counter.Action {
  static var first: Self {
    Route(embed: Composite.Action.first) { if case .first(let action) = $0 { action } else { nil } }
  }
  static var second: Self {
    Route(embed: Composite.Action.second) { if case .second(let action) = $0 { action } else { nil } }
  }
  static var optional: Self {
    Route(embed: Composite.Action.optional) { if case .optional(let action) = $0 { action } else { nil } }
  }
}

extension Route where Whole == Composite.Action, Part == Mode.Action {
  static var mode: Self {
    Route(embed: Composite.Action.mode) { if case .mode(let action) = $0 { action } else { nil } }
  }
}

extension Route where Whole == Composite.Action, Part == IdentifiedAction<Int, Counter.Action> {
  static var rows: Self {
    Route(embed: Composite.Action.rows) { if case .rows(let action) = $0 { action } else { nil } }
  }
}

extension Route where Whole == Mode.State, Part == Counter.State {
  static var counting: Self {
    Route(embed: Mode.State.counting) { if case .counting(let state) = $0 { state } else { nil } }
  }
}

extension Route where Whole == Mode.Action, Part == Counter.Action {
  static var counting: Self {
    Route(embed: Mode.Action.counting) { if case .counting(let action) = $0 { action } else { nil } }
  }
}
