import Composable
import Testing

@Suite("3.2 State is changed in place")
@MainActor
struct StateInPlaceTests {
  /// The address of an array's buffer, which changes when the buffer is copied.
  private func address<Element>(_ array: [Element]) -> UnsafeRawPointer? {
    array.withUnsafeBytes { $0.baseAddress }
  }

  @Test("Writing an element of a large array copies no buffer, through each kind of child")
  func nothingIsCopied() {
    struct Child: Reducer {
      struct State: Equatable { var values = Array(repeating: 0, count: 100_000) }
      func reduce(into state: inout State, action: Int) -> Effect<Int> {
        state.values[action] += 1
        return .none
      }
    }
    struct Parent: Reducer {
      struct State {
        var direct = Child.State()
        var optional: Child.State? = Child.State()
        var mode = Mode.on(Child.State())
        var rows: IdentifiedArray<Int, Child.State> = {
          var rows = IdentifiedArray<Int, Child.State>()
          rows.update(Child.State(), id: 1)
          return rows
        }()
      }
      enum Mode { case off, on(Child.State) }
      enum Action: Sendable { case direct(Int), optional(Int), mode(Int), row(IdentifiedAction<Int, Int>) }

      var body: some Reducer<State, Action> {
        Scope(
          state: \.direct,
          action: Route(embed: Action.direct) { if case .direct(let value) = $0 { value } else { nil } }
        ) { Child() }
        Scope(
          state: \.mode,
          action: Route(embed: Action.mode) { if case .mode(let value) = $0 { value } else { nil } }
        ) {
          EmptyReducer<Mode, Int>().ifCaseLet(
            Route(embed: Mode.on) { if case .on(let state) = $0 { state } else { nil } }, action: .whole
          ) { Child() }
        }
        EmptyReducer<State, Action>()
          .ifLet(
            \.optional,
            action: Route(embed: Action.optional) { if case .optional(let value) = $0 { value } else { nil } }
          ) { Child() }
          .forEach(
            \.rows, action: Route(embed: Action.row) { if case .row(let value) = $0 { value } else { nil } }
          ) { Child() }
      }
    }
    let store = Store(initialState: Parent.State()) { Parent() }
    func addresses() -> [UnsafeRawPointer?] {
      store.withState { state in
        guard case .on(let mode) = state.mode else { return [] }
        return [
          address(state.direct.values), address(state.optional?.values ?? []), address(mode.values),
          address(state.rows[id: 1]?.values ?? []),
        ]
      }
    }
    // The first writes make each buffer the store's own.
    func write(_ index: Int) {
      store.send(.direct(index))
      store.send(.optional(index))
      store.send(.mode(index))
      store.send(.row(.element(id: 1, action: index)))
    }
    write(0)
    let before = addresses()
    for index in 1...50 { write(index) }
    #expect(addresses() == before)
    #expect(before.count == 4 && !before.contains(nil))
    #expect(store.withState { $0.optional?.values[50] } == 1)
  }
}
