import CEvents
import Glibc
import Scripting
import Synchronization
import Threads
import WebSocket

/// The connections of all sources: whoever holds its lock has them, the engine or the relief.
///
/// The lock is held for a read that doesn't wait, never while scripts work. While their turns are short, the relief
/// sleeps and the engine has the lock to itself, so that taking it is one exchange in memory. What is read ahead waits
/// here, and the engine handles it in order before it reads again itself.
final class SourceDesk: Sendable {
  /// What reading for the engine gave.
  enum Reading: Sendable {
    /// Something of a source.
    case source(Int)
    /// No more source is ready.
    case nothing(hasWaiting: Bool)
  }

  /// How the engine may wait.
  enum Rest: Sendable {
    /// Not at all: there is something to handle.
    case none
    /// Until a time, in monotonic nanoseconds; nil for ever.
    case until(UInt64?)
  }

  private let contents: Mutex<DeskContents>
  private let clock: WorldClock
  private let log: LogSink
  /// Goes off when a turn has lasted too long; see timerfd_create(2).
  private let alarm: Int32
  /// Wakes the relief for what doesn't show at a descriptor of a source.
  private let wakeUp: Int32

  /// Makes a desk whose sources are not connected.
  ///
  /// - Throws: ``FileError`` when the process can have no more descriptors.
  init(
    _ sources: sending [DeskContents.Source], loop: EventLoop, clock: WorldClock, log: @escaping LogSink
  ) throws(FileError) {
    contents = Mutex(DeskContents(sources, loop: loop, clock: clock))
    self.clock = clock
    self.log = log
    alarm = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC | TFD_NONBLOCK))
    wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard alarm >= 0, wakeUp >= 0 else {
      throw FileError("can't read sources: \(SystemFailure(number: errno).description)")
    }
  }

  deinit {
    Glibc.close(alarm)
    Glibc.close(wakeUp)
  }

  // MARK: - For the engine

  /// Reads from the next source that is ready or due, unless the relief reads it.
  ///
  /// - Parameters:
  ///   - next: the source to begin with; it moves on.
  ///   - ready: the numbers of the sources that can be read.
  ///   - horizon: when the oldest message that waits came; nothing is stamped with a later time.
  ///   - limits: by the source's number, the most messages for one turn; what has far more waits, and the relief is called.
  func read(
    from next: inout Int, ready: [UInt64], now: UInt64, horizon: Timestamp? = nil, limits: [Int],
    into output: inout SourceOutput
  ) -> Reading {
    let (reading, lines) = contents.withLock { contents -> (Reading, [DeskContents.Line]) in
      let holder = contents.schedule.holder
      let source = contents.readNext(
        from: &next, ready: ready, now: now, horizon: horizon, limits: limits, into: &output)
      if let time = contents.schedule.leave(at: now) { setAlarm(time) }
      if holder != contents.schedule.holder { wake() }
      let lines = contents.takeLines()
      guard let source else { return (.nothing(hasWaiting: contents.hasWaiting), lines) }
      return (.source(source), lines)
    }
    tell(lines)
    return reading
  }

  /// Takes what comes next of all that waits; messages are put into an empty batch.
  ///
  /// - Parameter limits: the most messages, by the source's number.
  func take(limits: [Int], into batch: MessageBatch) -> WaitingInput? {
    contents.withLock { contents in
      let blocked = contents.sources.count { $0.queue?.isBlocked == true }
      defer { if blocked > contents.sources.count(where: { $0.queue?.isBlocked == true }) { wake() } }
      return contents.take(limits: limits, into: batch)
    }
  }

  /// The engine is done: says how long it may wait for something to do.
  func rest(now: UInt64) -> Rest {
    let (rest, lines) = contents.withLock { contents -> (Rest, [DeskContents.Line]) in
      if contents.hasWaiting { return (.none, []) }
      contents.schedule.rest()
      if contents.schedule.takeBack() {
        contents.settle()
        wake()
      }
      var due = contents.endEpisodes(now: now)
      for source in contents.sources.indices {
        if let deadline = contents.sources[source].driver.nextDeadline {
          due = min(due ?? deadline, deadline)
        }
      }
      return (.until(due), contents.takeLines())
    }
    tell(lines)
    return rest
  }

  /// The sources of which something waits, with their connections.
  var waiting: [(source: Int, connection: Int)] {
    contents.withLock { contents in
      contents.sources.enumerated().compactMap { number, source in
        source.queue?.isEmpty == false ? (number, source.connection) : nil
      }
    }
  }

  // MARK: - Requests of the engine

  /// Opens a connection, resuming behind what was read last, or else behind a position.
  func connect(_ source: Int, connection: Int, position: String?) {
    change(source) { item in
      item.connection = connection
      item.driver.connect(connection, position: item.queue?.lastPosition ?? position)
    }
  }

  /// Sends the opening messages of a source.
  func sendOpening(_ source: Int) throws { try change(source) { try $0.driver.sendOpening() } }

  /// Sends a text to the server of a source.
  func send(_ text: String, to source: Int) throws { try change(source) { try $0.driver.send(text) } }

  /// Hands a source a wish about a subscription.
  func change(_ change: SubscriptionChange, of source: Int) {
    self.change(source) { $0.driver.change(change) }
  }

  /// Ends the connection of a source.
  func close(_ source: Int, code: UInt16, reason: String) {
    change(source) { $0.driver.close(code: code, reason: reason) }
  }

  private func change<Failure: Error>(
    _ source: Int, _ body: @Sendable (inout DeskContents.Source) throws(Failure) -> Void
  ) throws(Failure) {
    let lines = try contents.withLock { contents throws(Failure) -> [DeskContents.Line] in
      defer {
        contents.watch(source)
        if contents.schedule.holder == .relief { wake() }
      }
      try body(&contents.sources[source])
      return contents.takeLines()
    }
    tell(lines)
  }

  /// The other sources that are connected to the host of one.
  func neighbours(of source: Int) -> [Int] {
    contents.withLock { contents in
      guard let host = contents.sources[source].driver.host else { return [] }
      return contents.sources.indices.filter { $0 != source && contents.sources[$0].driver.host == host }
    }
  }

  /// Says where the keys of messages stand, by the source's number.
  func setKeys(_ keys: [MessageKeys?]) {
    contents.withLock { contents in
      for (source, keys) in keys.enumerated() { contents.sources[source].queue?.keys = keys }
    }
  }

  /// How much waits, by the source's number; nil for a source that waits itself.
  var status: [QueueStatus?] { contents.withLock { $0.sources.map { $0.queue?.status } } }

  /// Forgets what waits, since the program ends.
  func discard() {
    let lines = contents.withLock { contents in
      contents.discard()
      return contents.takeLines()
    }
    tell(lines)
  }

  /// Ends the relief.
  func stop() {
    contents.withLock { $0.isStopped = true }
    wake()
  }

  // MARK: - The relief

  /// Takes over the calling thread until ``stop()``: reads while a turn of the engine lasts, and sleeps otherwise.
  func relieve() {
    var polls: [pollfd] = []
    var numbers: [Int] = []
    while true {
      let ready = zip(numbers, polls.dropFirst(2)).filter { $0.1.revents != 0 }.map(\.0)
      let now = monotonicNanoseconds()
      let (step, lines) = contents.withLock { contents in
        (contents.relieve(ready, now: now, time: clock.now()), contents.takeLines())
      }
      tell(lines)
      guard let step else { return }
      if let time = step.alarm { setAlarm(time) }
      polls = [alarm, wakeUp].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } + step.polls
      numbers = step.sources
      let wait = step.deadline.map { $0 > now ? Int32(clamping: ($0 - now + 999_999) / 1_000_000) : 0 } ?? -1
      poll(&polls, nfds_t(polls.count), wait)
      for index in 0..<2 where polls[index].revents != 0 {
        var count: UInt64 = 0
        _ = Glibc.read(polls[index].fd, &count, 8)
      }
    }
  }

  private func tell(_ lines: [DeskContents.Line]) {
    for line in lines { log(line.level, line.source, line.text) }
  }

  private func wake() {
    var one: UInt64 = 1
    // Full means that the relief is being woken already.
    _ = Glibc.write(wakeUp, &one, 8)
  }

  private func setAlarm(_ time: UInt64) {
    var setting = itimerspec()
    setting.it_value = timespec(tv_sec: Int(time / 1_000_000_000), tv_nsec: Int(time % 1_000_000_000))
    timerfd_settime(alarm, Int32(TFD_TIMER_ABSTIME), &setting, nil)
  }
}

extension DeskContents {
  /// What the relief does next.
  struct Step: Sendable {
    var polls: [pollfd] = []
    var sources: [Int] = []
    var deadline: UInt64?
    var alarm: UInt64?
  }

  /// One step of the relief; nil once it is to end.
  mutating func relieve(_ ready: [Int], now: UInt64, time: Timestamp) -> Step? {
    guard !isStopped else { return nil }
    switch schedule.look(at: now) {
    case .sleep: return Step()
    case .lookAgain(let time): return Step(alarm: time)
    case .read:
      readAhead(ready, now: now, time: time)
      let (polls, sources, deadline) = watched()
      return Step(polls: polls, sources: sources, deadline: deadline)
    }
  }
}
