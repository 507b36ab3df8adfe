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

    func write(_ line: String, to log: Log) { log.lines.withLock { $0.append(line) } }

    var threadCount: Int { threads.count }
  }

  /// What happened, in order.
  private final class Log: Sendable {
    let lines = Mutex<[String]>([])
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
          guard turn.ready == [7] else { return }
          var byte: UInt8 = 0
          guard read(reading, &byte, 1) == 1 else { return }
          report.yield(resident.assumeIsolated { $0.note() })
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

  @Test("it is at work until jobs that came with a turn have run, and rests then")
  func jobsBeforeRest() async throws {
    let loop = try EventLoop()
    let resident = Resident(loop)
    let log = Log()
    var ends: [Int32] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    let (jobs, report) = AsyncStream<Void>.makeStream()
    try DedicatedThread.start {
      _ = loop.watch(reading, tag: 7)
      loop.run(
        wait: {
          log.lines.withLock { $0.append("rest") }
          return -1
        },
        turn: { turn in
          var byte: UInt8 = 0
          guard turn.ready == [7], read(reading, &byte, 1) == 1 else { return }
          log.lines.withLock { $0.append("turn") }
          Task {
            await resident.write("job", to: log)
            report.yield()
          }
          // No other job is sent, so it is there before the turn is over.
          while !loop.hasJobs { sched_yield() }
        })
    }
    var byte: UInt8 = 1
    #expect(write(writing, &byte, 1) == 1)
    for await _ in jobs { break }
    loop.stop()
    close(writing)
    let order = log.lines.withLock { $0 }
    let turn = try #require(order.firstIndex(of: "turn"))
    #expect(order[(turn + 1)...].first == "job")
  }
}
