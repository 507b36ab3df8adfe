import AllocationCounter
import Composable

/// A row with an effect that lives long, one that ends, and an action that waits.
private struct Row: Reducer {
  struct State { var count = 0 }
  enum Action: Sendable { case listen, load, later, counted, stop }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .listen:
      // Not a long sleep, which the system keeps until its time though it was cancelled.
      return .run { _ in
        let (silence, _) = AsyncStream<Void>.makeStream()
        for await _ in silence {}
      }
      .cancellable(id: 1)
    case .load: return .run { send in await send(.counted) }
    case .later: return .send(.counted).debounce(id: 2, for: .milliseconds(1))
    case .stop: return .cancel(id: 1)
    case .counted:
      state.count += 1
      return .none
    }
  }
}

private struct Rows: Reducer {
  struct State { var rows = IdentifiedArray<Int, Row.State>() }
  enum Action: Sendable { case row(IdentifiedAction<Int, Row.Action>), replaced(Int?) }

  var body: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      guard case .replaced(let id) = action else { return .none }
      state.rows = IdentifiedArray()
      if let id { state.rows.update(Row.State(), id: id) }
      return .none
    }
    .forEach(
      \.rows, action: Route(embed: Action.row) { if case .row(let action) = $0 { action } else { nil } }
    ) {
      Row()
    }
  }
}

/// Prints how many blocks more are allocated after 100 further rounds, and whether all is at rest: `0 idle`.
@MainActor func soak() async throws {
  let store = Store(initialState: Rows.State()) { Rows() }
  for _ in 0..<10 { await round(of: store) }
  let before = try await liveBlocks()
  for _ in 0..<100 { await round(of: store) }
  let growth = try await liveBlocks() - before
  await store.close()
  print(growth, store.isIdle ? "idle" : "busy")
}

/// How many blocks are allocated once that number rests.
///
/// A task is freed by the thread that ran it, some time after the store has heard of its end.
private func liveBlocks() async throws -> Int {
  var last = allocation_live_blocks()
  var repeats = 0
  // By the machine's clock, for at most ten seconds: nothing tells when the system has freed a task.
  for _ in 0..<500 where repeats < 10 {
    try await Task.sleep(for: .milliseconds(20))
    let now = allocation_live_blocks()
    repeats = now == last ? repeats + 1 : 0
    last = now
  }
  return last
}

@MainActor private func round(of store: Store<Rows.State, Rows.Action>) async {
  for id in 0..<50 {
    store.send(.replaced(id))
    store.send(.row(.element(id: id, action: .listen)))
    store.send(.row(.element(id: id, action: .load)))
    store.send(.row(.element(id: id, action: .later)))
    store.send(.row(.element(id: id, action: .load)))
    store.send(.row(.element(id: id, action: .stop)))
  }
  store.send(.replaced(nil))
  while !store.isIdle { await Task.yield() }
}
