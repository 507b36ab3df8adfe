import Scripting

/// What was read of one source and waits for the engine, in its order and within a bound of bytes.
///
/// No I/O and no time of its own: what a driver gave goes in, what the engine handles next comes out, and what has to
/// give way for want of room is counted, with the keys that it was of where those can be seen.
struct WaitingQueue {
  /// What the engine gets next.
  enum Content: Sendable, Hashable {
    /// Messages, copied to the batch that was given, and where the source resumes behind them.
    case messages(position: String?)
    case event(SourceOutput.Event)
    case report(SubscriptionReport)
  }

  /// Messages that gave way.
  struct Loss: Sendable, Hashable {
    var messages = 0
    var bytes = 0
    /// How many of each key; nil where those of any may be among them.
    var keys: [String: Int]? = [:]
  }

  /// A time of more messages than there was room for: from the first that found none until nothing waits for a while.
  struct Episode: Sendable, Hashable {
    /// How long there must be room again, so that a feed that is hardly too fast is one episode and not many.
    static let calm = Milliseconds.seconds(5)

    var began: Timestamp
    /// Since when nothing waits, nil while something does.
    var calmSince: Timestamp?
    var droppedMessages = 0
    var droppedBytes = 0

    /// When it is over, if nothing comes in between.
    var due: Timestamp? { calmSince.map { $0 + Self.calm } }
  }

  /// What a message counts beside its bytes: what it takes to keep it.
  static let overhead = 128
  /// The most keys that are told one by one of what they miss.
  static let maximumKeys = 256

  private enum Entry {
    case messages(WaitingChunk)
    case other(Content, connection: Int, time: Timestamp)
  }

  let options: QueueOptions
  /// Where the keys of the messages stand; nil where that can't be seen.
  var keys: MessageKeys?
  private var entries: [Entry] = []
  /// The first entry that waits.
  private var head = 0
  /// How much waits, as it counts.
  private(set) var bytes = 0
  /// How many messages wait.
  private(set) var messageCount = 0
  /// Whether nothing may be read for now.
  private(set) var isBlocked = false
  /// The current episode, nil while there is room.
  private(set) var episode: Episode?
  /// What gave way since the start.
  private(set) var droppedMessages: UInt64 = 0
  private(set) var droppedBytes: UInt64 = 0
  private var loss: Loss?
  private let scratch = MessageBatch()

  /// Makes an empty queue.
  init(_ options: QueueOptions, keys: MessageKeys? = nil) {
    self.options = options
    self.keys = keys
  }

  /// Whether nothing waits.
  var isEmpty: Bool { head == entries.count }

  // MARK: - In

  /// Adds what a driver gave, in its order.
  ///
  /// - Returns: whether that began an episode.
  mutating func add(_ output: SourceOutput, connection: Int) -> Bool {
    var events = output.events[...]
    if events.first == .opened {
      events.removeFirst()
      entries.append(.other(.event(.opened), connection: connection, time: output.time))
    }
    if output.batch.count > output.answerCount { add(messagesOf: output, connection: connection) }
    for report in output.reports {
      entries.append(.other(.report(report), connection: connection, time: output.time))
    }
    for event in events { entries.append(.other(.event(event), connection: connection, time: output.time)) }
    return makeRoom(at: output.time)
  }

  private mutating func add(messagesOf output: SourceOutput, connection: Int) {
    let batch = output.batch
    if isConflating { _ = batch.decode() }
    let make = { WaitingChunk(connection: connection, positionPath: output.positionPath) }
    var chunk = tail(of: connection)
    // Where only the end of a read can be resumed at, it is handled as a whole.
    if output.position != nil, output.positionPath == nil {
      if chunk == nil { chunk = begin(make) }
      chunk?.isWhole = true
    }
    for index in 0..<batch.count where !batch.isSkipped(at: index) {
      let key = isConflating ? keys?.hash(of: batch, at: index) ?? 0 : 0
      append(batch, index, key: key, to: &chunk, make)
    }
    if let position = output.position { chunk?.position = position }
  }

  /// The last chunk, if more may be added to it.
  private func tail(of connection: Int) -> WaitingChunk? {
    guard head < entries.count, case .messages(let chunk)? = entries.last else { return nil }
    return chunk.connection == connection && !chunk.isFull ? chunk : nil
  }

  private mutating func begin(_ make: () -> WaitingChunk) -> WaitingChunk {
    let chunk = make()
    entries.append(.messages(chunk))
    return chunk
  }

  private mutating func append(
    _ batch: MessageBatch, _ index: Int, key: Int, to chunk: inout WaitingChunk?, _ make: () -> WaitingChunk
  ) {
    if let open = chunk, open.isFull, !open.isWhole { chunk = nil }
    let open = chunk ?? begin(make)
    chunk = open
    bytes += open.append(batch, index, key: key)
    messageCount += 1
  }

  // MARK: - Overflow

  /// Whether messages give way to later ones of their key.
  private var isConflating: Bool { options.overflow == .latestPerKey && keys != nil }

  private mutating func makeRoom(at time: Timestamp) -> Bool {
    guard bytes > options.maximumBytes, messageCount > 1 else { return false }
    let isNew = episode == nil
    if isNew { episode = Episode(began: time) }
    episode?.calmSince = nil
    switch options.overflow {
    case .block: isBlocked = true
    case .latestPerKey where isConflating:
      conflate()
      // Room for a while, so that not every message makes all of them be looked at.
      dropOldest(downTo: options.maximumBytes / 4 * 3)
    case .dropOldest, .latestPerKey: dropOldest(downTo: options.maximumBytes)
    }
    return isNew
  }

  private mutating func dropOldest(downTo maximum: Int) {
    var place = head
    while bytes > maximum, messageCount > 1, place < entries.count {
      guard case .messages(let chunk) = entries[place], !chunk.isEmpty else {
        place += 1
        continue
      }
      lose(chunk, chunk.next)
      chunk.next += 1
    }
    skipEmpty()
  }

  /// Keeps the latest message of each key.
  private mutating func conflate() {
    var seen: Set<Int> = []
    var survivors: [[Int]] = []
    for entry in entries[head...].reversed() {
      guard case .messages(let chunk) = entry else { continue }
      survivors.append(chunk.waiting.reversed().filter { seen.insert(chunk.keys[$0]).inserted }.reversed())
    }
    guard seen.count < messageCount else { return }
    let old = entries[head...]
    entries = []
    head = 0
    var last: WaitingChunk?
    for entry in old {
      guard case .messages(let chunk) = entry else {
        entries.append(entry)
        last = nil
        continue
      }
      let kept = survivors.removeLast()
      var next = kept[...]
      if last?.connection != chunk.connection || last?.isWhole != chunk.isWhole || last?.isFull == true {
        last = nil
      }
      for index in chunk.waiting {
        guard next.first == index else {
          lose(chunk, index)
          continue
        }
        next.removeFirst()
        let cost = chunk.cost(of: index)
        // It was counted when it came.
        (bytes, messageCount) = (bytes - cost, messageCount - 1)
        append(chunk.batch, index, key: chunk.keys[index], to: &last) {
          let made = WaitingChunk(connection: chunk.connection, positionPath: chunk.positionPath)
          made.isWhole = chunk.isWhole
          return made
        }
      }
      if !kept.isEmpty, let position = chunk.position { last?.position = position }
    }
  }

  private mutating func lose(_ chunk: WaitingChunk, _ index: Int) {
    let count = chunk.batch.bytes(at: index).count
    bytes -= chunk.cost(of: index)
    messageCount -= 1
    droppedMessages += 1
    droppedBytes += UInt64(count)
    episode?.droppedMessages += 1
    episode?.droppedBytes += count
    var loss = self.loss ?? Loss()
    self.loss = nil
    loss.messages += 1
    loss.bytes += count
    if loss.keys != nil {
      if let key = sharedKey(chunk, index) { loss.keys?[key, default: 0] += 1 } else { loss.keys = nil }
      if loss.keys.map({ $0.count > Self.maximumKeys }) == true { loss.keys = nil }
    }
    self.loss = loss
  }

  private func sharedKey(_ chunk: WaitingChunk, _ index: Int) -> String? {
    guard let path = keys?.sharedPath else { return nil }
    scratch.removeAll()
    scratch.append(chunk.batch.bytes(at: index), like: chunk.batch, at: index)
    guard scratch.decode() == 0 else { return nil }
    return scratch.field(path, at: 0)
  }

  // MARK: - Out

  /// When what comes next was read; nil where nothing waits.
  var oldest: Timestamp? {
    guard head < entries.count else { return nil }
    switch entries[head] {
    case .messages(let chunk):
      return Timestamp(milliseconds: chunk.batch.received(at: chunk.next))
    case .other(_, _, let time): return time
    }
  }

  /// Where the source resumes behind all that waits; nil where nothing of it says so.
  var lastPosition: String? {
    for entry in entries[head...].reversed() {
      if case .messages(let chunk) = entry, let position = chunk.position { return position }
    }
    return nil
  }

  /// Takes what gave way since the last call, which was before all that waits of its keys.
  mutating func takeLoss() -> Loss? {
    defer { loss = nil }
    return loss
  }

  /// Takes what comes next; messages are copied to an empty batch.
  ///
  /// - Parameters:
  ///   - count: the most messages.
  ///   - time: the time up to which messages are taken besides the first, nil for any.
  mutating func take(
    atMost count: Int, until time: Timestamp? = nil, into batch: MessageBatch
  ) -> (content: Content, connection: Int)? {
    guard head < entries.count else { return nil }
    defer { skipEmpty() }
    switch entries[head] {
    case .other(let content, let connection, _):
      head += 1
      return (content, connection)
    case .messages(let chunk):
      let taken = chunk.take(atMost: count, until: time, into: batch)
      bytes -= taken.cost
      messageCount -= batch.count
      if bytes <= options.maximumBytes / 4 * 3 { isBlocked = false }
      return (.messages(position: taken.position), chunk.connection)
    }
  }

  /// Forgets all that waits, and says how many messages that were.
  mutating func removeAll() -> Int {
    defer {
      entries = []
      head = 0
      bytes = 0
      messageCount = 0
      isBlocked = false
      loss = nil
    }
    return messageCount
  }

  /// Takes note that the engine has handled all that waited.
  mutating func settle(at now: Timestamp) {
    guard isEmpty, episode?.calmSince == nil else { return }
    episode?.calmSince = now
  }

  /// Takes the episode once it is over; nil if there is none that is.
  ///
  /// - Parameter now: nil for the end of the program, which is that of any episode.
  mutating func takeEpisode(at now: Timestamp?) -> Episode? {
    guard let episode else { return nil }
    if let now {
      guard isEmpty, let due = episode.due, now >= due else { return nil }
    }
    self.episode = nil
    return episode
  }

  /// Leaves chunks behind whose messages are gone, and with them their memory.
  private mutating func skipEmpty() {
    while head < entries.count, case .messages(let chunk) = entries[head], chunk.isEmpty { head += 1 }
    guard head > 0, head == entries.count || head >= 8 else { return }
    entries.removeFirst(head)
    head = 0
  }
}
