import Composable

/// One row of the list.
struct Todo: Reducer {
  struct State: Equatable, Identifiable {
    let id: UniqueID
    var text = ""
    var isDone = false
  }

  enum Action: Sendable, Equatable {
    case edited(String)
    case toggled
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .edited(let text): state.text = text
    case .toggled: state.isDone.toggle()
    }
    return .none
  }
}
