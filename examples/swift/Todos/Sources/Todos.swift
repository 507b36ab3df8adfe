import Composable

/// A list of things to do; what is done moves to the end, once the ticking has paused.
struct Todos: Reducer {
  enum Filter: Sendable, Equatable { case all, open, done }

  struct State: Equatable {
    var filter = Filter.all
    var todos: IdentifiedArrayOf<Todo.State> = []

    /// What the list shows.
    var shown: [Todo.State] {
      todos.filter {
        switch filter {
        case .all: true
        case .open: !$0.isDone
        case .done: $0.isDone
        }
      }
    }
  }

  enum Action: Sendable, Equatable {
    case added
    case removed(UniqueID)
    case clearedDone
    case filtered(Filter)
    case sorted
    case todo(IdentifiedAction<UniqueID, Todo.Action>)
  }

  private enum EffectName { case sort }

  @Dependency(\.uuid) var uuid

  var body: some Reducer<State, Action> {
    Reduce { state, action in
      switch action {
      case .added: state.todos.insert(Todo.State(id: uuid()), at: 0)
      case .removed(let id): state.todos.remove(id: id)
      case .clearedDone: state.todos.removeAll(where: \.isDone)
      case .filtered(let filter): state.filter = filter
      case .sorted: state.todos.sort { !$0.isDone && $1.isDone }
      case .todo(.element(id: _, action: .toggled)):
        // Ticking several in a row sorts once, so that no row moves under the pointer.
        return .send(.sorted).debounce(id: EffectName.sort, for: .seconds(1))
      case .todo: break
      }
      return .none
    }
    .forEach(\.todos, action: .todo) { Todo() }
  }
}

extension Route where Whole == Todos.Action, Part == IdentifiedAction<UniqueID, Todo.Action> {
  static var todo: Self {
    Route(embed: Todos.Action.todo) { if case .todo(let action) = $0 { action } else { nil } }
  }
}
