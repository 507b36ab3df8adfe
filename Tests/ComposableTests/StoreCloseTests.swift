import Composable
import Testing

@Suite("3.8 Closing a store")
@MainActor
struct StoreCloseTests {
  @Test("Close cancels every effect and returns after the last one has ended")
  func close() async {
    let ended = Recorder<Int>()
    let store = Store(initialState: 0, dependencies: .preview) {
      Reduce<Int, Int> { state, action in
        .run { _ in
          defer { ended.record(action) }
          try await Task.sleep(for: .seconds(1_000))
        }
      }
    }
    for number in 0..<100 { store.send(number) }
    #expect(store.runningEffectNames.count == 100)
    await store.close()
    // Those cancelled before they had begun never ran.
    #expect(ended.values.count <= 100)
    #expect(store.runningEffectNames.isEmpty)
    store.send(1)
    #expect(store.runningEffectNames.isEmpty, "a closed store ignores actions")
  }

  @Test("A store closed during a turn drops the waiting actions and starts no effect")
  func closeDuringTurn() async {
    let issues = Recorder<String>()
    let store = Store(initialState: [Int](), dependencies: .recording(issues)) {
      Reduce<[Int], Int> { state, action in
        state.append(action)
        return action < 3 ? .send(action + 1) : .none
      }
    }
    let closing = Recorder<Task<Void, Never>>()
    let observation = store.observe(\.count) { count in
      guard count == 3 else { return }
      store.send(7)
      closing.record(Task { await store.close() })
      store.send(8)
    }
    store.send(1)
    for task in closing.values { await task.value }
    store.send(9)
    #expect(store.state == [1, 2, 3, 7, 8])
    #expect(issues.values.isEmpty)
    observation.cancel()
  }

  @Test("A store that is dropped cancels its effects")
  func dropped() async {
    let (ends, end) = AsyncStream<Void>.makeStream()
    let (starts, start) = AsyncStream<Void>.makeStream()
    var store: Store<Int, Int>? = Store(initialState: 0, dependencies: .preview) {
      Reduce<Int, Int> { _, _ in
        .run { _ in
          start.yield()
          defer { end.yield() }
          try await Task.sleep(for: .seconds(1_000))
        }
      }
    }
    store?.send(1)
    for await _ in starts { break }
    store = nil
    for await _ in ends { break }
  }

  @Test("100,000 effects in flight are all delivered, and nothing stays behind")
  func manyEffects() async {
    let store = Store(initialState: 0, dependencies: .preview) {
      Reduce<Int, Bool> { state, isStart in
        if !isStart {
          state += 1
          return .none
        }
        return .merge((0..<100_000).map { _ in Effect.run { await $0(false) } })
      }
    }
    var changes = store.changes(of: { $0 == 100_000 }).makeAsyncIterator()
    #expect(await changes.next() == false)
    store.send(true)
    #expect(await changes.next() == true)
    await store.close()
    #expect(store.runningEffectNames.isEmpty)
  }

  @Test("Over many effects, cancellations and rows no memory is kept and no task is left")
  func soak() async {
    let store = Store(initialState: Composite.State(), dependencies: .preview) { Composite() }
    for _ in 0..<20 {
      for id in 0..<50 {
        store.send(.replaceRows([id]))
        store.send(.rows(.element(id: id, action: .start("timer"))))
        store.send(.rows(.element(id: id, action: .load)))
        store.send(.rows(.element(id: id, action: .incrementLater)))
        store.send(.first(.start("timer")))
        store.send(.first(.stop("timer")))
      }
      store.send(.replaceRows([]))
    }
    while !store.isIdle { await Task.yield() }
    await store.close()
    #expect(store.isIdle)
  }

  @Test(
    "What an effect captured is released when it ends, is cancelled or never began", .timeLimit(.minutes(1)))
  func release() async {
    final class Token: Sendable {
      let released: AsyncStream<Void>.Continuation
      init(_ released: AsyncStream<Void>.Continuation) { self.released = released }
      deinit { released.yield() }
    }
    let (releases, released) = AsyncStream<Void>.makeStream()
    let store = Store(initialState: 0, dependencies: .preview) {
      Reduce<Int, Effect<Int>?> { _, action in action?.map { _ in nil } ?? .none }
    }
    do {
      let (one, two, three) = (Token(released), Token(released), Token(released))
      store.send(.run { _ in withExtendedLifetime(one) {} })
      store.send(
        .concatenate(
          .run { _ in
            defer { withExtendedLifetime(two) {} }
            try await Task.sleep(for: .seconds(1_000))
          }, .run { _ in withExtendedLifetime(three) {} }
        ).cancellable(id: 1))
    }
    store.send(.cancel(id: 1))
    var count = 0
    for await _ in releases {
      count += 1
      if count == 3 { break }
    }
    await store.close()
  }
}
