import Composable

/// Recursion: a heading that holds headings of its own kind.
struct Outline: Reducer {
  struct State: Equatable, Identifiable {
    let id: UniqueID
    var title = ""
    var parts: IdentifiedArrayOf<State> = []

    /// The outline as lines, deeper ones further in.
    var lines: [String] { [title] + parts.flatMap(\.lines).map { "  \($0)" } }
  }

  indirect enum Action: Sendable, Equatable {
    case addTapped
    case titleChanged(String)
    case removed(UniqueID)
    case part(IdentifiedAction<UniqueID, Action>)
  }

  @Dependency(\.uuid) var uuid

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .addTapped: state.parts.append(State(id: uuid()))
      case .titleChanged(let title): state.title = title
      case .removed(let id): state.parts.remove(id: id)
      case .part: break
      }
      return .none
    }
    .forEach(\.parts, action: .part) { AnyReducer(Outline()) }
  }
}

extension Route where Whole == Outline.Action, Part == IdentifiedAction<UniqueID, Outline.Action> {
  static var part: Self {
    Route(embed: Whole.part) { if case .part(let action) = $0 { action } else { nil } }
  }
}
