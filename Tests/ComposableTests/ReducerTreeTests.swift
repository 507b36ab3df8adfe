import Composable
import Testing

@Suite("3.1 The reducer tree is built once")
@MainActor
struct ReducerTreeTests {
  @Test("A body is evaluated when the store is made and never again")
  func bodyIsEvaluatedOnce() {
    struct Counted: Reducer {
      let evaluations: Recorder<Void>
      var body: some Reducer<Int, Int> {
        let _ = evaluations.record(())
        Reduce { state, action in
          state += action
          return .none
        }
      }
    }
    let evaluations = Recorder<Void>()
    let store = Store(initialState: 0) { Counted(evaluations: evaluations) }
    for number in 1...100 { store.send(number) }
    #expect(store.state == 5_050)
    #expect(evaluations.values.count == 1)
  }

  @Test("A child's reducer is built once however many rows there are")
  func rowReducerIsBuiltOnce() {
    let builds = Recorder<Void>()
    struct Rows: Reducer {
      let builds: Recorder<Void>
      var body: some Reducer<Composite.State, Composite.Action> {
        EmptyReducer().forEach(\.rows, action: .rows) {
          let _ = builds.record(())
          Counter()
        }
      }
    }
    let rows = IdentifiedArray((0..<50).map { Counter.State(count: $0) }, id: \.count)
    let store = Store(initialState: Composite.State(rows: rows)) { Rows(builds: builds) }
    for id in 0..<50 { store.send(.rows(.element(id: id, action: .increment))) }
    #expect(store.state.rows.map(\.count) == Array(1...50))
    #expect(builds.values.count == 1)
  }

  @Test("A list, an alternative, an absent reducer and a loop compose in their order")
  func builderComposes() {
    func append(_ text: String) -> Reduce<[String], Void> {
      Reduce { state, _ in
        state.append(text)
        return .none
      }
    }
    let isOn = true
    let absent: Reduce<[String], Void>? = nil
    let store = Store(initialState: [String](), isolation: MainActor.shared) {
      append("list")
      if isOn { append("if") } else { append("else") }
      if !isOn { append("absent") }
      absent
      CombineReducers {
        append("combined 1")
        append("combined 2")
      }
      for number in 1...2 { append("loop \(number)") }
      EmptyReducer()
    }
    store.send(())
    #expect(store.state == ["list", "if", "combined 1", "combined 2", "loop 1", "loop 2"])
  }
}
