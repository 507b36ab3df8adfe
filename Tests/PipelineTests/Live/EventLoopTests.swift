import Glibc
import Synchronization
import Testing
import Threads

@testable import Pipeline

@Suite("The engine's thread")
struct EventLoopTests {
  /// An actor that lives on the loop, as the engine does.
  private actor Resident {
    let loop: EventLoop
    var threads: Set<UInt> = []
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ loop: EventLoop) { self.loop = loop }

    func note() -> UInt {
      threads.insert(UInt(pthread_self()))
      return UInt(pthread_self())
    }

    var threadCount: Int { threads.count }
  }

  @Test("what it reads and what is sent to its actor run on one thread")
  func oneThread() async throws {
    let loop = try EventLoop()
    let resident = Resident(loop)
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    let (reads, report) = AsyncStream<UInt>.makeStream()
    try DedicatedThread.start {
      _ = loop.watch(reading, tag: 7)
      loop.run(
        wait: { -1 },
        turn: { turn in
          var byte: UInt8 = 0
          guard turn.ready == [7], read(reading, &byte, 1) == 1 else { return -1 }
          report.yield(resident.assumeIsolated { $0.note() })
          return -1
        })
    }
    let onActor = await resident.note()
    var byte: UInt8 = 1
    #expect(write(writing, &byte, 1) == 1)
    var readsOn: UInt?
    for await thread in reads {
      readsOn = thread
      break
    }
    #expect(readsOn == onActor)
    _ = await resident.note()
    #expect(await resident.threadCount == 1)
    loop.stop()
    close(writing)
  }
}
