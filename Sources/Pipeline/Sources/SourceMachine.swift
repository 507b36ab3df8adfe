/// The life of one source: when to connect, what to tell, when to give up a silent connection, how long to
/// wait.
///
/// Pure: events go in with the time, requests come out for the driver to carry out in their order. Every
/// connection has a number, and events that carry another one are ignored, so nothing that belongs to an old
/// connection can touch a new one. Times may come from any clock that never goes back.
package struct SourceMachine: Sendable {
  /// What the machine needs to know about a source.
  package struct Settings: Sendable, Hashable {
    /// What follows when a connection ends by itself.
    package enum Loss: Sendable, Hashable {
      /// Wait and connect again.
      case reconnect(ReconnectPolicy)
      /// Stay idle until a script asks to connect.
      case stayIdle
      /// The source is over, as a file is.
      case finish
    }

    /// The time from the start of an attempt until the connection is open; nil for no bound.
    package var connectTimeout: Milliseconds?
    /// The silence after which a connection is given up; nil for any.
    package var staleAfter: Milliseconds?
    /// When silence is no fault.
    package var quietHours: QuietHours
    /// What follows when a connection ends by itself.
    package var afterLoss: Loss

    /// Makes the settings of a machine.
    package init(
      connectTimeout: Milliseconds?, staleAfter: Milliseconds?, quietHours: QuietHours = QuietHours(),
      afterLoss: Loss
    ) {
      self.connectTimeout = connectTimeout
      self.staleAfter = staleAfter
      self.quietHours = quietHours
      self.afterLoss = afterLoss
    }

    /// Those of a source that is read from its start to its end, once.
    package static let untilEnd = Self(connectTimeout: nil, staleAfter: nil, afterLoss: .finish)
  }

  /// Where a source stands.
  package enum Phase: Sendable, Hashable {
    /// Not wanted: before the start, or disconnected by a script.
    case idle
    /// An attempt is going on; it is given up at the deadline.
    case connecting(deadline: Timestamp?)
    /// The connection is open.
    case live
    /// The next attempt begins at this time.
    case waiting(until: Timestamp, cause: WaitCause)
    /// Over for good.
    case finished
  }

  /// Why a source waits.
  package enum WaitCause: String, Sendable, Hashable {
    /// The attempt failed.
    case refused
    /// The connection ended.
    case lost
    /// The connection was silent for too long.
    case stale
    /// The host asked to be left alone for a while.
    case held
  }

  /// How a connection or an attempt ended.
  package struct End: Sendable, Hashable {
    /// The WebSocket close code, or the HTTP status of a refused handshake; 1006 where there is neither.
    package var code: Int
    /// Why, in one sentence or the server's own words.
    package var reason: String
    /// The wait that the server asked for (`Retry-After`).
    package var retryAfter: Milliseconds?
    /// The least wait before this source connects again; it says nothing to others of the host.
    package var leastWait: Milliseconds?
    /// Whether another attempt can't go better, as where a variable of the environment isn't set.
    package var isPermanent: Bool

    /// Makes an end.
    package init(
      code: Int = 1006, reason: String, retryAfter: Milliseconds? = nil, leastWait: Milliseconds? = nil,
      isPermanent: Bool = false
    ) {
      self.code = code
      self.reason = reason
      self.retryAfter = retryAfter
      self.leastWait = leastWait
      self.isPermanent = isPermanent
    }
  }

  /// What happened.
  package enum Event: Sendable, Hashable {
    /// The source is wanted: at the start, or because a script says so.
    case connect
    /// A script wants the source no more.
    case disconnect
    /// The program is about to end.
    case stop
    /// The connection is open, with everything up to the upgrade done.
    case opened(connection: Int)
    /// The attempt failed, or the connection ended without our asking.
    case closed(connection: Int, End)
    /// The input has no more data, as at the end of a file.
    case ended(connection: Int)
    /// What came over the connection waits to be handled, so neither is it silent nor does the attempt last.
    case heard(connection: Int)
    /// The time that was asked for has come.
    case timer
    /// Another source learned that their common host wants to be left alone until then.
    case hostHeld(until: Timestamp)
  }

  /// What the driver has to do.
  package enum Request: Sendable, Hashable {
    /// Open a connection under this number.
    case connect(connection: Int)
    /// Send the opening messages, in order.
    case sendOpening(connection: Int)
    /// End the connection or the attempt, and forget it: nothing it reports later counts.
    case close(connection: Int, code: UInt16, reason: String)
    /// Send `timer` at this time, in place of an earlier one; nil for none.
    case wait(until: Timestamp?)
    /// Hand the event to scripts and rules.
    case tell(ConnectionEvent)
    /// Tell the other sources of the same host with `hostHeld`.
    case holdHost(until: Timestamp)
    /// The source is over; with a sentence if it failed.
    case finish(failure: String?)
  }

  /// How often a silent source is looked at that has quiet hours.
  static let quietLook = Milliseconds.minutes(1)

  /// The longest wait that a server can ask for.
  package static let longestHold = Milliseconds.minutes(24 * 60)

  /// What the machine was made with.
  package let settings: Settings
  /// Where the source stands.
  package private(set) var phase = Phase.idle
  /// The number of the latest connection, from 1; it grows with each attempt.
  package private(set) var connection = 0
  /// The attempts since data last flowed.
  package private(set) var failures = 0
  /// Attempts in a row that brought no data, and whether this one has.
  private var barrenAttempts = 0
  private var hasData = false
  private var lastHeard = Timestamp(milliseconds: 0)
  private var heldUntil: Timestamp?

  /// Makes the machine of a source that is idle.
  package init(_ settings: Settings) { self.settings = settings }

  /// Notes that data came over a connection; false if the connection is an old one, whose data doesn't count.
  ///
  /// Called for each read, so it allocates nothing.
  package mutating func received(on connection: Int, at now: Timestamp) -> Bool {
    guard connection == self.connection, phase == .live else { return false }
    lastHeard = now
    failures = 0
    hasData = true
    return true
  }

  /// Takes an event and says what to do.
  ///
  /// - Parameter random: draws a whole number evenly from a range.
  package mutating func handle(
    _ event: Event, at now: Timestamp, random: (ClosedRange<Int64>) -> Int64
  ) -> [Request] {
    switch (event, phase) {
    case (_, .finished): []
    case (.connect, .idle): begin(at: now, random)
    case (.connect, _): []
    case (.disconnect, _): leave(.idle, code: 1000, reason: "disconnected by the script")
    case (.stop, _): leave(.finished, code: 1001, reason: "the program ends")
    case (.opened(connection), .connecting): open(at: now)
    case (.closed(connection, let end), .connecting): lose(end, .refused, at: now, random)
    case (.closed(connection, let end), .live): lose(end, .lost, at: now, random)
    case (.ended(connection), .connecting), (.ended(connection), .live): finish()
    case (.heard(connection), .connecting), (.heard(connection), .live): hear(at: now)
    case (.opened, _), (.closed, _), (.ended, _), (.heard, _): []
    case (.timer, _): timer(at: now, random)
    case (.hostHeld(let until), _): hold(until: until, at: now, random)
    }
  }
}

extension SourceMachine {
  private mutating func begin(at now: Timestamp, _ random: (ClosedRange<Int64>) -> Int64) -> [Request] {
    if let heldUntil, heldUntil > now { return wait(.held, at: now, random) }
    connection += 1
    hasData = false
    let deadline = settings.connectTimeout.map { now + $0 }
    phase = .connecting(deadline: deadline)
    return [.tell(.connecting), .connect(connection: connection), .wait(until: deadline)]
  }

  private mutating func open(at now: Timestamp) -> [Request] {
    phase = .live
    lastHeard = now
    return [
      .tell(.connected), .sendOpening(connection: connection),
      .wait(until: settings.staleAfter.map { nextLook(after: $0, at: now) }),
    ]
  }

  private mutating func hear(at now: Timestamp) -> [Request] {
    lastHeard = max(lastHeard, now)
    if case .connecting(let deadline?) = phase {
      phase = .connecting(deadline: max(deadline, now + (settings.connectTimeout ?? .zero)))
    }
    return []
  }

  private mutating func timer(at now: Timestamp, _ random: (ClosedRange<Int64>) -> Int64) -> [Request] {
    switch phase {
    case .connecting(let deadline?):
      guard now >= deadline else { return [.wait(until: deadline)] }
      let reason = "no connection within \(settings.connectTimeout ?? .zero)"
      return [.close(connection: connection, code: 1001, reason: reason)]
        + lose(End(reason: reason), .refused, at: now, random)
    case .live:
      guard let staleAfter = settings.staleAfter else { return [] }
      // Silence counts from the end of the quiet hours on.
      if settings.quietHours.contains(now) { lastHeard = now }
      guard now >= lastHeard + staleAfter else {
        return [.wait(until: nextLook(after: staleAfter, at: now))]
      }
      let reason = "no data for \(staleAfter)"
      return [.tell(.stale), .close(connection: connection, code: 1001, reason: reason)]
        + lose(End(reason: reason), .stale, at: now, random)
    case .waiting(let until, _):
      guard now >= until else { return [.wait(until: until)] }
      return begin(at: now, random)
    case .idle, .connecting(deadline: nil), .finished:
      return []
    }
  }

  /// When to look again whether data has come.
  private func nextLook(after staleAfter: Milliseconds, at now: Timestamp) -> Timestamp {
    let stale = lastHeard + staleAfter
    return settings.quietHours.isEmpty ? stale : min(stale, now + Self.quietLook)
  }

  private mutating func lose(
    _ end: End, _ cause: WaitCause, at now: Timestamp, _ random: (ClosedRange<Int64>) -> Int64
  ) -> [Request] {
    let told = Request.tell(.disconnected(code: end.code, reason: end.reason))
    switch settings.afterLoss {
    case .reconnect(let policy) where !end.isPermanent:
      barrenAttempts = hasData ? 0 : barrenAttempts + 1
      if let maximum = policy.maximumAttempts, barrenAttempts >= maximum {
        phase = .finished
        let attempts = maximum == 1 ? "1 attempt" : "\(maximum) attempts"
        let failure = "given up after \(attempts) without data: \(end.reason)"
        return [told, .wait(until: nil), .finish(failure: failure)]
      }
      var requests = [told]
      if let retryAfter = end.retryAfter, retryAfter > .zero {
        let hold = now + min(retryAfter, Self.longestHold)
        heldUntil = max(heldUntil ?? hold, hold)
        requests.append(.holdHost(until: hold))
      }
      if let leastWait = end.leastWait {
        let hold = now + min(leastWait, Self.longestHold)
        heldUntil = max(heldUntil ?? hold, hold)
      }
      return requests + wait(cause, at: now, random)
    case .stayIdle where !end.isPermanent:
      phase = .idle
      return [told, .wait(until: nil)]
    case .reconnect, .stayIdle, .finish:
      phase = .finished
      return [told, .wait(until: nil), .finish(failure: end.reason)]
    }
  }

  /// Waits for the next attempt: never before the host may be asked again, and jittered even then, so that its
  /// clients don't come back all at once.
  private mutating func wait(
    _ cause: WaitCause, at now: Timestamp, _ random: (ClosedRange<Int64>) -> Int64
  ) -> [Request] {
    var policy = ReconnectPolicy()
    if case .reconnect(let own) = settings.afterLoss { policy = own }
    let delay = policy.delay(afterFailures: failures, random: random)
    if cause != .held, failures < .max { failures += 1 }
    let until = max(now, heldUntil ?? now) + delay
    phase = .waiting(until: until, cause: cause)
    return [.wait(until: until)]
  }

  private mutating func hold(
    until: Timestamp, at now: Timestamp, _ random: (ClosedRange<Int64>) -> Int64
  ) -> [Request] {
    let hold = min(until, now + Self.longestHold)
    heldUntil = max(heldUntil ?? hold, hold)
    guard case .waiting(let planned, _) = phase, planned < hold else { return [] }
    return wait(.held, at: now, random)
  }

  private mutating func leave(_ next: Phase, code: UInt16, reason: String) -> [Request] {
    let isOpen =
      switch phase {
      case .connecting, .live: true
      case .idle, .waiting, .finished: false
      }
    let wasIdle = phase == .idle
    phase = next
    var requests: [Request] = []
    if isOpen {
      requests += [
        .close(connection: connection, code: code, reason: reason),
        .tell(.disconnected(code: Int(code), reason: reason)),
      ]
    }
    if !wasIdle { requests.append(.wait(until: nil)) }
    if next == .finished { requests.append(.finish(failure: nil)) }
    return requests
  }

  private mutating func finish() -> [Request] {
    phase = .finished
    return [
      .tell(.disconnected(code: 1000, reason: "the input has ended")), .wait(until: nil),
      .finish(failure: nil),
    ]
  }
}
