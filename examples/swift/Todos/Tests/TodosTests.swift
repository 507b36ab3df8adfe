import Composable
import ComposableTesting
import Testing

@testable import TodosExample

@Suite("Example: Todos")
struct TodosTests {
  private let milk = Todo.State(id: UniqueID(1), text: "Buy milk")
  private let bread = Todo.State(id: UniqueID(2), text: "Bake bread")
  private let tea = Todo.State(id: UniqueID(3), text: "Make tea", isDone: true)

  private func store(_ todos: Todo.State...) -> TestStore<Todos.State, Todos.Action> {
    TestStore(
      initialState: Todos.State(todos: IdentifiedArray(todos)),
      dependencies: Dependencies(.test) { $0.uuid = .incrementing }
    ) { Todos() }
  }

  @Test("A new row comes first and can be edited")
  func adding() {
    let store = store(milk)
    store.send(.added) { $0.todos.insert(Todo.State(id: UniqueID(0)), at: 0) }
    store.send(.todo(.element(id: UniqueID(0), action: .edited("Sleep")))) {
      $0.todos[id: UniqueID(0)]?.text = "Sleep"
    }
    #expect(store.state.shown.map(\.text) == ["Sleep", "Buy milk"])
    store.finish()
  }

  @Test("Ticking several rows sorts once, a second after the last")
  func coalescedSort() {
    let store = store(milk, bread, Todo.State(id: UniqueID(4), text: "Rest"))
    store.send(.todo(.element(id: milk.id, action: .toggled))) { $0.todos[id: UniqueID(1)]?.isDone = true }
    store.clock.advance(by: .milliseconds(500))
    store.send(.todo(.element(id: bread.id, action: .toggled))) { $0.todos[id: UniqueID(2)]?.isDone = true }
    store.clock.advance(by: .milliseconds(999))
    store.clock.advance(by: .milliseconds(1))
    store.receive(.sorted) { state in
      state.todos = IdentifiedArray([state.todos[2], state.todos[0], state.todos[1]])
    }
    #expect(store.state.todos.map(\.text) == ["Rest", "Buy milk", "Bake bread"])
    store.finish()
  }

  @Test("A row ticked by mistake and back stays where it is")
  func untick() {
    let store = store(milk, bread)
    store.send(.todo(.element(id: milk.id, action: .toggled))) { $0.todos[id: UniqueID(1)]?.isDone = true }
    store.send(.todo(.element(id: milk.id, action: .toggled))) { $0.todos[id: UniqueID(1)]?.isDone = false }
    store.clock.advance(by: .seconds(1))
    store.receive(.sorted)
    store.finish()
  }

  @Test("A filter hides rows and keeps them")
  func filter() {
    let store = store(milk, tea)
    store.send(.filtered(.open)) { $0.filter = .open }
    #expect(store.state.shown == [milk])
    store.send(.filtered(.done)) { $0.filter = .done }
    #expect(store.state.shown == [tea])
    store.send(.filtered(.all)) { $0.filter = .all }
    #expect(store.state.shown == [milk, tea])
    store.finish()
  }

  @Test("Rows are removed one by one, or all that are done")
  func removing() {
    let store = store(milk, bread, tea)
    store.send(.removed(milk.id)) { $0.todos.remove(id: UniqueID(1)) }
    store.send(.clearedDone) { $0.todos.remove(id: UniqueID(3)) }
    #expect(store.state.shown == [bread])
    store.finish()
  }
}
