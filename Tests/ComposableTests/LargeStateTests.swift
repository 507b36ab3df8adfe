import Composable
import Glibc
import Testing

/// A megabyte that isn't kept in a buffer of its own.
private struct Big {
  var bytes = InlineArray<1_048_576, UInt8>(repeating: 0)
}

private struct Child: Reducer {
  func reduce(into state: inout Big, action: Int) -> Effect<Int> {
    // A negative action is followed by the positive one.
    if action < 0 { return .send(-action) }
    state.bytes[action] &+= 1
    return .none
  }
}

private enum LargeMode {
  case off
  case on(Big)

  /// Reads a byte where it lies.
  func byte(_ index: Int) -> UInt8? {
    if case .on(let big) = self { big.bytes[index] } else { nil }
  }
}

@Suite("3.2 A megabyte of state inside a child fits a stack of 512 KB")
@MainActor
struct LargeStateTests {
  private let index = 1_000_000

  /// Sends two actions on a small stack to a store that was made on this one.
  private func run<R: Reducer<State, Int>, State>(_ state: State, _ reducer: R) -> Store<State, Int> {
    let store = Store(initialState: state) { reducer }
    let thread = SmallStackThread { for action in [index, -index] { store.send(action) } }
    thread.run()
    return store
  }

  @Test("In a property")
  func property() {
    struct State { var number = 0, child = Big() }
    let store = run(State(), Scope(state: \.child, action: .whole) { Child() })
    #expect(store.withState { $0.child.bytes[index] } == 2)
  }

  @Test("In an optional")
  func optional() {
    struct State { var child: Big? = Big() }
    let store = run(State(), EmptyReducer<State, Int>().ifLet(\.child, action: .whole) { Child() })
    #expect(store.withState { $0.child?.bytes[index] } == 2)
  }

  @Test("In a case")
  func enumCase() {
    let route = Route(embed: LargeMode.on) { if case .on(let big) = $0 { big } else { nil } }
    let store = run(
      LargeMode.on(Big()), EmptyReducer<LargeMode, Int>().ifCaseLet(route, action: .whole) { Child() })
    #expect(store.withState { $0.byte(index) } == 2)
  }

  @Test("In a case that the state is not in")
  func otherCase() {
    let route = Route(embed: LargeMode.on) { if case .on(let big) = $0 { big } else { nil } }
    let issues = Recorder<String>()
    let store = Store(initialState: LargeMode.off, dependencies: .recording(issues)) {
      EmptyReducer<LargeMode, Int>().ifCaseLet(route, action: .whole) { Child() }
    }
    SmallStackThread { store.send(index) }.run()
    #expect(store.withState { $0.byte(index) } == nil)
    #expect(issues.values.count == 1)
  }

  @Test("In a row")
  func row() {
    struct State { var rows = IdentifiedArray<Int, Big>() }
    var state = State()
    state.rows.update(Big(), id: 7)
    let route = Route<Int, IdentifiedAction<Int, Int>>(
      embed: { if case .element(_, let action) = $0 { action } else { 0 } },
      extract: { .element(id: 7, action: $0) })
    let store = run(state, EmptyReducer<State, Int>().forEach(\.rows, action: route) { Child() })
    #expect(store.withState { $0.rows[0].bytes[index] } == 2)
  }
}

/// Runs a closure on a thread with a stack of 512 KB while the caller waits.
private final class SmallStackThread {
  private let body: () -> Void

  init(_ body: @escaping () -> Void) { self.body = body }

  func run() {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, 512 * 1_024)
    var thread = pthread_t()
    let result = pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<SmallStackThread>.fromOpaque(context).takeUnretainedValue().body() }
        return nil
      }, Unmanaged.passUnretained(self).toOpaque())
    precondition(result == 0, "A thread couldn't be made.")
    pthread_join(thread, nil)
    pthread_attr_destroy(&attributes)
  }
}
