import Composable
import Glibc
import Testing

@Suite("3.2 Worker threads as executors of effects")
struct WorkerThreadTests {
  @Test("Tasks that prefer it run on its one thread, in their order, also after they have waited")
  func oneThread() async {
    let thread = WorkerThread()
    let (outside, first) = (pthread_self(), Recorder<pthread_t>())
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask(executorPreference: thread) {
          first.record(pthread_self())
          await Task.yield()
          first.record(pthread_self())
        }
      }
    }
    #expect(first.values.count == 20)
    #expect(Set(first.values).count == 1)
    #expect(!first.values.contains(outside))
  }

  @Test("A store's effects can have a thread of their own, which outlives its last other holder")
  @MainActor
  func effectExecutor() async {
    let threads = Recorder<pthread_t>()
    let store = Store(initialState: 0, effectExecutor: WorkerThread()) {
      Reduce<Int, Bool> { state, isStart in
        if isStart {
          return .run { send in
            threads.record(pthread_self())
            await send(false)
            threads.record(pthread_self())
          }
        }
        state += 1
        return .none
      }
    }
    for _ in 0..<5 { store.send(true) }
    var counts = store.changes(of: { $0 }).makeAsyncIterator()
    while let count = await counts.next(), count < 5 {}
    await store.close()
    #expect(threads.values.count == 10)
    #expect(Set(threads.values).count == 1)
  }
}
