import Composable

/// A list of memos, of which one plays at a time.
struct VoiceMemos: Reducer {
  struct State: Equatable {
    var memos: IdentifiedArrayOf<VoiceMemo.State> = []
    var problem: String?
  }

  enum Action: Sendable, Equatable {
    case deleted(UniqueID)
    case memo(IdentifiedAction<UniqueID, VoiceMemo.Action>)
  }

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .deleted(let id):
        // What the row had started ends with it.
        state.memos.remove(id: id)
      case .memo(.element(let id, .buttonTapped)):
        state.problem = nil
        let others = state.memos.filter { $0.id != id && $0.played != nil }
        return .merge(others.map { .send(.memo(.element(id: $0.id, action: .stopped))) })
      case .memo(.element(_, .failed(let text))):
        state.problem = text
      case .memo: break
      }
      return .none
    }
    .forEach(\.memos, action: .memo) { VoiceMemo() }
  }
}

extension Route where Whole == VoiceMemos.Action, Part == IdentifiedAction<UniqueID, VoiceMemo.Action> {
  static var memo: Self {
    Route(embed: VoiceMemos.Action.memo) { if case .memo(let action) = $0 { action } else { nil } }
  }
}
