import Composable
import TestPeers
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

  @Test("A store closed during a turn drops the waiting actions and starts no effect", .tags(.badDay))
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

  @Test("An effect that never ends is known by its name or line, and ends with its store", .tags(.badDay))
  func endless() async {
    let (starts, start) = AsyncStream<Void>.makeStream()
    let ended = Recorder<Void>()
    let store = Store(initialState: 0, dependencies: .preview) {
      Reduce<Int, Bool> { _, isNamed in
        .run(name: isNamed ? "listening" : nil) { _ in
          let (silence, _) = AsyncStream<Void>.makeStream()
          start.yield()
          for await _ in silence {}
          ended.record(())
        }
      }
    }
    store.send(true)
    store.send(false)
    var started = starts.makeAsyncIterator()
    for _ in 0..<2 { await started.next() }
    let names = store.runningEffectNames
    #expect(names.count == 2)
    #expect(names.first?.hasPrefix("effect \"listening\" started at ComposableTests/StoreCloseTests") == true)
    #expect(names.last?.hasPrefix("effect started at ComposableTests/StoreCloseTests.swift:") == true)
    await store.close()
    #expect(store.runningEffectNames.isEmpty)
    #expect(ended.values.count == 2)
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

  @Test("100,000 effects in flight are all delivered, and nothing stays behind", .tags(.badDay))
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

  @Test("Over many effects, cancellations and rows memory stays flat and no task is left")
  func soak() throws {
    // A process of its own, because other tests allocate meanwhile.
    let probe = try ChildProcess([BuildFolder.path + "/AllocationProbe", "soak"])
    let report = probe.readLine()
    #expect(probe.end() == 0)
    if report == "sanitized" { return }
    let words = report.split(separator: " ")
    #expect(words.last == "idle")
    let growth = try #require(words.first.flatMap { Int($0) })
    // A block kept for each of the 5,000 rows, or for each of the 15,000 effects, would show. What the system caches for
    // its threads goes up and down by a thousand or two, however many rounds there are.
    #expect(growth < 3_000, "so many blocks more: \(growth)")
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
