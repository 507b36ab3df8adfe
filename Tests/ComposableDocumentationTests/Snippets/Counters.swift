import Composable

// snippet
struct Counters: Reducer {
  struct State: Equatable {
    var total = Counter.State()
    var draft: Counter.State?
    var rows = IdentifiedArray<Int, Counter.State>()
  }

  enum Action: Sendable, Equatable {
    case total(Counter.Action)
    case draft(Counter.Action)
    case rows(IdentifiedAction<Int, Counter.Action>)
    case draftOpened
    case draftKept
    case removed(Int)
  }

  var body: some Reducer<State, Action> {
    Scope(state: \.total, action: .total) { Counter() }
    Reduce { state, action in
      switch action {
      case .draftOpened: state.draft = Counter.State()
      case .draftKept:
        let id = (state.rows.ids.max() ?? 0) + 1
        state.rows[id: id] = state.draft
        state.draft = nil
      case .removed(let id): state.rows.remove(id: id)
      case .total, .draft, .rows: break
      }
      return .none
    }
    .ifLet(\.draft, action: .draft) { Counter() }
    .forEach(\.rows, action: .rows) { Counter() }
  }
}
// end

// snippet
extension Route where Whole == Counters.Action, Part == Counter.Action {
  static var total: Self {
    Route(embed: Whole.total) { if case .total(let action) = $0 { action } else { nil } }
  }
  static var draft: Self {
    Route(embed: Whole.draft) { if case .draft(let action) = $0 { action } else { nil } }
  }
}

extension Route where Whole == Counters.Action, Part == IdentifiedAction<Int, Counter.Action> {
  static var rows: Self {
    Route(embed: Whole.rows) { if case .rows(let action) = $0 { action } else { nil } }
  }
}
// end
