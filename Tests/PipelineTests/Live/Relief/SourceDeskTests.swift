import Glibc
import Scripting
import Synchronization
import Testing
import Threads

@testable import Pipeline

@Suite("The sources between the engine and its relief")
struct SourceDeskTests {
  /// Makes a message of each byte that a pipe gives, and tells on which thread.
  private final class PipeDriver: SourceDriver {
    let descriptor: Int32?
    let nextDeadline: UInt64? = nil
    let worksUnread = true
    private let read: @Sendable (UInt, _ bytes: Int, _ limit: Int) -> Void

    init(_ descriptor: Int32, read: @escaping @Sendable (UInt, Int, Int) -> Void) {
      self.descriptor = descriptor
      self.read = read
    }

    func connect(_ connection: Int, position: String?) {}
    func sendOpening() {}
    func close(code: UInt16, reason: String) {}

    func process(now: UInt64, into output: inout SourceOutput) {
      guard output.readLimit > 0, let descriptor else { return read(UInt(pthread_self()), 0, 0) }
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      for byte in bytes.prefix(max(count, 0)) {
        Array("{\"n\":\(byte)}".utf8).withUnsafeBytes { output.add($0) }
      }
      read(UInt(pthread_self()), max(count, 0), output.readLimit)
    }
  }

  private let ends: (reading: Int32, writing: Int32)

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    self.ends = (ends[0], ends[1])
  }

  private func write(_ bytes: [UInt8]) {
    #expect(Glibc.write(ends.writing, bytes, bytes.count) == bytes.count)
  }

  private func numbers(_ batch: MessageBatch) -> [String] {
    _ = batch.decode()
    return (0..<batch.count).compactMap { batch.field("n", at: $0) }
  }

  /// A desk with one source, and the threads on which it was read.
  private func desk(_ options: QueueOptions = QueueOptions()) throws -> (
    SourceDesk, AsyncStream<UInt>.Iterator
  ) {
    let (threads, report) = AsyncStream<UInt>.makeStream()
    let driver = PipeDriver(ends.reading) { thread, bytes, _ in if bytes > 0 { report.yield(thread) } }
    let desk = try SourceDesk(
      [DeskContents.Source(name: "feed", driver: driver, queue: WaitingQueue(options))], loop: EventLoop(),
      clock: WorldClock(), log: { _, _, _ in })
    return (desk, threads.makeAsyncIterator())
  }

  private func output(_ batch: MessageBatch) -> SourceOutput {
    SourceOutput(batch: batch, time: Timestamp(milliseconds: 0), epoch: 0)
  }

  @Test("while the engine is away the relief reads; back again, the engine first gets what waited, in order")
  func relief() async throws {
    var (desk, threads) = try desk()
    try DedicatedThread.start { [desk] in desk.relieve() }
    defer { desk.stop() }
    let batch = MessageBatch()
    var next = 0
    var reading = output(batch)
    write([1])
    guard case .source(0) = desk.read(from: &next, ready: [0], now: now(), limits: [9], into: &reading) else {
      Issue.record("nothing was read")
      return
    }
    #expect(numbers(batch) == ["1"])
    let engine = await threads.next()
    batch.removeAll()
    // The engine is at work, and doesn't come back until the relief has read.
    write([2, 3])
    let relief = await threads.next()
    #expect(relief != nil && relief != engine)
    write([4])
    #expect(await threads.next() == relief)
    guard case .none = desk.rest(now: now()) else {
      Issue.record("the engine waits though there is something to do")
      return
    }
    // What comes now is read behind what waits.
    guard
      case .nothing(hasWaiting: true) = desk.read(
        from: &next, ready: [0], now: now(), limits: [9], into: &reading)
    else {
      Issue.record("the engine read beside its relief")
      return
    }
    #expect(desk.status[0]?.messages == 3)
    while let input = desk.take(limits: [2], into: batch) { #expect(input.source == 0 && input.loss == nil) }
    #expect(numbers(batch) == ["2", "3", "4"])
    guard case .until(nil) = desk.rest(now: now()) else {
      Issue.record("the engine doesn't wait though there is nothing to do")
      return
    }
    // The sources are the engine's again.
    batch.removeAll()
    write([5])
    next = 0
    guard case .source(0) = desk.read(from: &next, ready: [0], now: now(), limits: [9], into: &reading) else {
      Issue.record("nothing was read")
      return
    }
    #expect(numbers(batch) == ["5"])
  }

  @Test("more than a turn should handle waits, and the relief is called at once")
  func keeping() async throws {
    var (desk, threads) = try desk()
    try DedicatedThread.start { [desk] in desk.relieve() }
    defer { desk.stop() }
    let batch = MessageBatch()
    var next = 0
    var reading = output(batch)
    write([1, 2, 3])
    guard
      case .nothing(hasWaiting: true) = desk.read(
        from: &next, ready: [0], now: now(), limits: [0], into: &reading)
    else {
      Issue.record("a turn takes more than it should")
      return
    }
    #expect(batch.count == 0)
    let engine = await threads.next()
    write([4])
    #expect(await threads.next() != engine)
    while desk.take(limits: [.max], into: batch) != nil {}
    #expect(numbers(batch) == ["1", "2", "3", "4"])
  }

  @Test("a source that waits itself is read by the engine alone")
  func unrelieved() throws {
    let driver = PipeDriver(ends.reading) { _, _, _ in }
    let desk = try SourceDesk(
      [DeskContents.Source(name: "file", driver: driver, queue: nil)], loop: EventLoop(), clock: WorldClock(),
      log: { _, _, _ in })
    var next = 0
    let batch = MessageBatch()
    var reading = output(batch)
    write([1])
    guard case .source(0) = desk.read(from: &next, ready: [0], now: 0, limits: [0], into: &reading) else {
      Issue.record("nothing was read")
      return
    }
    #expect(desk.status.count == 1 && desk.status[0] == nil)
  }

  private func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}
