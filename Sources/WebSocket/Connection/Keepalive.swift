/// When to ping and how long to wait for the pong; one pong is waited for at a time, that of the latest ping.
struct Keepalive {
  private let interval: UInt64?
  private let timeout: UInt64?
  private var nextPing: UInt64?
  private var counter: UInt64 = 0
  private var sentAt: UInt64?
  /// When something last came while a pong is awaited, or may have come unread.
  private var heardAt: UInt64 = 0

  init(interval: UInt64?, timeout: UInt64?) {
    self.interval = interval
    self.timeout = timeout
  }

  /// True while a pong is awaited.
  var isWaiting: Bool { sentAt != nil }

  /// When the awaited pong is overdue. What comes meanwhile proves that the server is there, and the pong may wait
  /// behind it, so its time begins anew.
  private var pongDeadline: UInt64? {
    guard let sentAt, let timeout else { return nil }
    return max(sentAt, heardAt).advanced(bySaturating: timeout)
  }

  /// The next time that something is due.
  var deadline: UInt64? { pongDeadline ?? nextPing }

  mutating func opened(now: UInt64) { nextPing = interval.map { now.advanced(bySaturating: $0) } }

  /// Notes that bytes came, or that not all that has arrived was read.
  mutating func heard(now: UInt64) { if sentAt != nil { heardAt = now } }

  func isOverdue(now: UInt64) -> Bool { pongDeadline.map { now >= $0 } ?? false }

  /// True at the interval's end. A ping that may stay unanswered for ever does not hold up the next one.
  func isPingDue(now: UInt64) -> Bool { pongDeadline == nil && (nextPing.map { now >= $0 } ?? false) }

  /// Leaves a due ping out.
  mutating func skip(now: UInt64) { nextPing = interval.map { now.advanced(bySaturating: $0) } }

  /// Notes a ping that leaves now and answers its payload.
  mutating func ping(now: UInt64) -> UInt64 {
    counter += 1
    sentAt = now
    nextPing = interval.map { now.advanced(bySaturating: $0) }
    return counter.bigEndian
  }

  /// Takes a pong; the time since its ping, or nil when it answers none (RFC 6455 section 5.5.3 allows those).
  mutating func pong(_ payload: UnsafeRawBufferPointer, now: UInt64) -> UInt64? {
    guard let sentAt, payload.count == MemoryLayout<UInt64>.size,
      payload.loadUnaligned(as: UInt64.self) == counter.bigEndian
    else { return nil }
    self.sentAt = nil
    return now > sentAt ? now - sentAt : 0
  }
}

extension UInt64 {
  func advanced(bySaturating span: UInt64) -> UInt64 {
    let (sum, overflow) = addingReportingOverflow(span)
    return overflow ? .max : sum
  }
}
