import Glibc
import Scripting
import Threads

/// The drivers of all sources with what waits of each, as one thread at a time has them in its hands.
struct DeskContents {
  /// A source and what was read of it.
  struct Source {
    let name: String
    let driver: any SourceDriver
    /// The number of its connection, and how many have opened.
    var connection = 0
    var epoch: UInt32 = 0
    /// What waits of it; nil for a source that only the engine reads, since it waits itself.
    var queue: WaitingQueue?
    /// When the relief minds a source again of which nothing may be read.
    var nextLook: UInt64 = 0
    /// What the engine is woken by.
    fileprivate var watched: Int32?

    init(name: String, driver: any SourceDriver, queue: WaitingQueue?) {
      self.name = name
      self.driver = driver
      self.queue = queue
    }
  }

  /// A line for the log.
  struct Line: Sendable {
    var level: LogLevel
    var source: String
    var text: String
  }

  /// How often a source of which nothing may be read is minded.
  static let blockedLook: UInt64 = 50_000_000

  var sources: [Source]
  var schedule = ReliefSchedule()
  var isStopped = false
  /// What is to be logged once the lock is given back.
  var lines: [Line] = []
  /// Whether an episode of any source may be going on.
  private var hasEpisodes = false
  private let loop: EventLoop
  private let clock: WorldClock
  private let batch = MessageBatch()

  init(_ sources: [Source], loop: EventLoop, clock: WorldClock) {
    self.sources = sources
    self.loop = loop
    self.clock = clock
  }

  /// Whether anything waits for the engine.
  var hasWaiting: Bool {
    schedule.holder == .relief && sources.contains { $0.queue?.isEmpty == false }
  }

  // MARK: - Reading

  /// Reads of a source what can be read without waiting.
  mutating func read(_ source: Int, now: UInt64, into output: inout SourceOutput) {
    output.epoch = sources[source].epoch
    sources[source].driver.process(now: now, into: &output)
    watch(source)
    guard output.events.first == .opened else { return }
    sources[source].epoch += 1
    // What came with the opening came over the new connection.
    output.batch.setEpoch(sources[source].epoch)
  }

  /// Keeps the engine watching what the source is read from.
  ///
  /// Done with every change, before another source can get a descriptor of the same number.
  mutating func watch(_ source: Int) {
    let descriptor = sources[source].driver.descriptor
    guard descriptor != sources[source].watched else { return }
    if let old = sources[source].watched { loop.unwatch(old) }
    sources[source].watched = descriptor
    guard let descriptor, !loop.watch(descriptor, tag: UInt64(source)) else { return }
    note(.error, source, "can't watch the connection: \(SystemFailure.last.description)")
  }

  private mutating func note(_ level: LogLevel, _ source: Int, _ text: String) {
    lines.append(Line(level: level, source: sources[source].name, text: text))
  }

  /// What is to be logged since the last call.
  mutating func takeLines() -> [Line] {
    guard !lines.isEmpty else { return [] }
    defer { lines = [] }
    return lines
  }

  /// Reads for the engine from the next source that is ready or due; nil when there is none.
  ///
  /// - Parameters:
  ///   - horizon: when the oldest message that waits came; nothing is stamped with a later time.
  ///   - limits: by the source's number, the most messages for one turn; what has far more waits.
  mutating func readNext(
    from next: inout Int, ready: [UInt64], now: UInt64, horizon: Timestamp?, limits: [Int],
    into output: inout SourceOutput
  ) -> Int? {
    while next < sources.count {
      let source = next
      next += 1
      // Behind what waits; the relief does it.
      if schedule.holder == .relief, sources[source].queue != nil { continue }
      let isDue = sources[source].driver.nextDeadline.map { $0 <= now } ?? false
      guard isDue || ready.contains(UInt64(source)) else { continue }
      let time = clock.now()
      output.time = horizon.map { min($0, time) } ?? time
      read(source, now: now, into: &output)
      guard output.batch.count > limits[source] * TurnPace.tolerance, sources[source].queue != nil else {
        return source
      }
      keep(output, of: source)
      output = SourceOutput(batch: output.batch, time: time, epoch: 0)
      output.batch.removeAll()
      _ = schedule.callRelief()
    }
    return nil
  }

  /// Reads for the relief whatever is ready or due.
  ///
  /// - Parameter ready: the sources of which something can be read.
  mutating func readAhead(_ ready: [Int], now: UInt64, time: Timestamp) {
    for source in sources.indices where sources[source].queue != nil {
      let isDue = sources[source].driver.nextDeadline.map { $0 <= now } ?? false
      guard isDue || ready.contains(source) else { continue }
      var output = SourceOutput(batch: batch, time: time, epoch: 0)
      if sources[source].queue?.isBlocked == true {
        guard sources[source].driver.worksUnread, now >= sources[source].nextLook else { continue }
        output.readLimit = 0
        sources[source].nextLook = now + Self.blockedLook
      }
      read(source, now: now, into: &output)
      keep(output, of: source)
      batch.removeAll()
    }
  }

  /// Lets what was read of a source wait.
  private mutating func keep(_ output: SourceOutput, of source: Int) {
    for reason in output.refused { note(.warn, source, reason) }
    let connection = sources[source].connection
    guard sources[source].queue?.add(output, connection: connection) == true else { return }
    hasEpisodes = true
    if let options = sources[source].queue?.options { note(.warn, source, overflowText(options)) }
  }

  private func overflowText(_ options: QueueOptions) -> String {
    let what =
      switch options.overflow {
      case .block: "nothing more is read of it until there is room"
      case .dropOldest: "the oldest messages give way"
      case .latestPerKey: "messages give way to later ones of their key"
      }
    return "it is faster than its scripts, and more than \(options.maximumBytes) bytes wait (queue): \(what)"
  }

  /// Where the relief can be woken by data, with the sources' numbers, and until when it may sleep.
  func watched() -> (polls: [pollfd], sources: [Int], deadline: UInt64?) {
    var polls: [pollfd] = []
    var numbers: [Int] = []
    var deadline: UInt64?
    for (number, source) in sources.enumerated() {
      guard let queue = source.queue else { continue }
      var due = source.driver.nextDeadline
      if queue.isBlocked {
        due = source.driver.worksUnread ? due.map { max($0, source.nextLook) } : nil
      } else if let descriptor = source.driver.descriptor {
        polls.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
        numbers.append(number)
      }
      if let due { deadline = min(deadline ?? due, due) }
    }
    return (polls, numbers, deadline)
  }

  // MARK: - Handing on

  /// Takes what the engine handles next: of all sources what came first.
  mutating func take(limits: [Int], into batch: MessageBatch) -> WaitingInput? {
    var first: (source: Int, time: Timestamp)?
    var second: Timestamp?
    for (number, source) in sources.enumerated() {
      guard let time = source.queue?.oldest else { continue }
      if let known = first, known.time <= time {
        second = min(second ?? time, time)
      } else {
        second = first?.time
        first = (number, time)
      }
    }
    guard let first else { return nil }
    let loss = sources[first.source].queue?.takeLoss()
    let taken = sources[first.source].queue?.take(
      atMost: limits[first.source], until: second, into: batch)
    guard let taken else { return nil }
    let own = sources[first.source].queue?.oldest
    let oldest = [own, second].compactMap(\.self).min()
    return WaitingInput(
      source: first.source, connection: taken.connection, time: first.time, content: taken.content,
      loss: loss,
      oldest: oldest)
  }

  /// Takes note that the engine has handled all that waited.
  mutating func settle() {
    let now = clock.now()
    for source in sources.indices { sources[source].queue?.settle(at: now) }
  }

  /// Tells of episodes that are over, and says when the next one is, in monotonic nanoseconds.
  mutating func endEpisodes(now: UInt64) -> UInt64? {
    guard hasEpisodes else { return nil }
    let time = clock.now()
    hasEpisodes = false
    var next: Timestamp?
    for source in sources.indices {
      if let episode = sources[source].queue?.takeEpisode(at: time) { tell(episode, of: source) }
      guard let episode = sources[source].queue?.episode else { continue }
      hasEpisodes = true
      if let due = episode.due { next = min(next ?? due, due) }
    }
    return next.map { now + UInt64(max(($0 - time).count, 0)) * 1_000_000 }
  }

  private mutating func tell(_ episode: WaitingQueue.Episode, of source: Int) {
    let outcome =
      sources[source].queue?.options.overflow == .block
      ? "no message is lost" : "\(episode.droppedMessages) messages of \(episode.droppedBytes) bytes gave way"
    let start =
      episode.calmSince.map { "its scripts have caught up after \($0 - episode.began)" }
      ?? "its scripts have not caught up"
    note(.info, source, "\(start): \(outcome)")
  }

  /// Forgets all that waits, since the program ends.
  mutating func discard() {
    settle()
    for source in sources.indices {
      if let episode = sources[source].queue?.takeEpisode(at: nil) { tell(episode, of: source) }
      guard let count = sources[source].queue?.removeAll(), count > 0 else { continue }
      note(
        .warn, source, "\(count) messages that were read and waited are not handled, since the program ends")
    }
  }
}
