import Testing

@testable import Pipeline

@Suite("The machine of a source")
struct SourceMachineTests {
  private static let settings = SourceMachine.Settings(
    connectTimeout: .seconds(10), staleAfter: .seconds(60),
    afterLoss: .reconnect(ReconnectPolicy(first: .seconds(1), cap: .seconds(8))))

  /// The longest wait that chance can give, so that times are known.
  private static let longest: @Sendable (ClosedRange<Int64>) -> Int64 = { $0.upperBound }

  private static func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

  /// The phases a machine is brought into before an event; the time is then 1 s.
  enum Start: String, CaseIterable {
    case idle, connecting, live, waiting, finished

    func machine(_ settings: SourceMachine.Settings = SourceMachineTests.settings) -> SourceMachine {
      var machine = SourceMachine(settings)
      let events: [SourceMachine.Event] =
        switch self {
        case .idle: []
        case .connecting: [.connect]
        case .live: [.connect, .opened(connection: 1)]
        case .waiting: [.connect, .closed(connection: 1, .init(reason: "refused"))]
        case .finished: [.stop]
        }
      for event in events { _ = machine.handle(event, at: at(1_000), random: longest) }
      return machine
    }
  }

  struct Row: CustomTestStringConvertible {
    let start: Start
    let event: SourceMachine.Event
    var time: Int64 = 2_000
    var requests: [SourceMachine.Request] = []
    /// nil: the phase stays.
    var phase: SourceMachine.Phase?

    var testDescription: String { "\(start): \(event) at \(time)" }
  }

  private static let end = SourceMachine.End(code: 1012, reason: "restart")
  private static let toldEnd = SourceMachine.Request.tell(.disconnected(code: 1012, reason: "restart"))
  private static let ended = SourceMachine.Request.tell(
    .disconnected(code: 1000, reason: "the input has ended"))
  private static let stopReason = "the program ends"
  private static let leaveReason = "disconnected by the script"

  static let table: [Row] = [
    // Wanted.
    Row(
      start: .idle, event: .connect,
      requests: [.tell(.connecting), .connect(connection: 1), .wait(until: at(12_000))],
      phase: .connecting(deadline: at(12_000))),
    Row(start: .connecting, event: .connect),
    Row(start: .live, event: .connect),
    Row(start: .waiting, event: .connect),
    Row(start: .finished, event: .connect),
    // Not wanted any more.
    Row(start: .idle, event: .disconnect),
    Row(
      start: .connecting, event: .disconnect,
      requests: [
        .close(connection: 1, code: 1000, reason: leaveReason),
        .tell(.disconnected(code: 1000, reason: leaveReason)), .wait(until: nil),
      ], phase: .idle),
    Row(
      start: .live, event: .disconnect,
      requests: [
        .close(connection: 1, code: 1000, reason: leaveReason),
        .tell(.disconnected(code: 1000, reason: leaveReason)), .wait(until: nil),
      ], phase: .idle),
    Row(start: .waiting, event: .disconnect, requests: [.wait(until: nil)], phase: .idle),
    Row(start: .finished, event: .disconnect),
    // The program ends.
    Row(start: .idle, event: .stop, requests: [.finish(failure: nil)], phase: .finished),
    Row(
      start: .connecting, event: .stop,
      requests: [
        .close(connection: 1, code: 1001, reason: stopReason),
        .tell(.disconnected(code: 1001, reason: stopReason)), .wait(until: nil), .finish(failure: nil),
      ], phase: .finished),
    Row(
      start: .live, event: .stop,
      requests: [
        .close(connection: 1, code: 1001, reason: stopReason),
        .tell(.disconnected(code: 1001, reason: stopReason)), .wait(until: nil), .finish(failure: nil),
      ], phase: .finished),
    Row(
      start: .waiting, event: .stop, requests: [.wait(until: nil), .finish(failure: nil)], phase: .finished),
    Row(start: .finished, event: .stop),
    // Open.
    Row(start: .idle, event: .opened(connection: 1)),
    Row(
      start: .connecting, event: .opened(connection: 1),
      requests: [.tell(.connected), .sendOpening(connection: 1), .wait(until: at(62_000))], phase: .live),
    Row(start: .connecting, event: .opened(connection: 0)),
    Row(start: .live, event: .opened(connection: 1)),
    Row(start: .waiting, event: .opened(connection: 1)),
    Row(start: .finished, event: .opened(connection: 1)),
    // Refused or lost.
    Row(start: .idle, event: .closed(connection: 1, end)),
    Row(
      start: .connecting, event: .closed(connection: 1, end), requests: [toldEnd, .wait(until: at(3_000))],
      phase: .waiting(until: at(3_000), cause: .refused)),
    Row(start: .connecting, event: .closed(connection: 0, end)),
    Row(
      start: .live, event: .closed(connection: 1, end), requests: [toldEnd, .wait(until: at(3_000))],
      phase: .waiting(until: at(3_000), cause: .lost)),
    Row(start: .live, event: .closed(connection: 0, end)),
    Row(start: .waiting, event: .closed(connection: 1, end)),
    Row(start: .finished, event: .closed(connection: 1, end)),
    // The input is at its end.
    Row(start: .idle, event: .ended(connection: 1)),
    Row(
      start: .connecting, event: .ended(connection: 1),
      requests: [ended, .wait(until: nil), .finish(failure: nil)],
      phase: .finished),
    Row(
      start: .live, event: .ended(connection: 1),
      requests: [ended, .wait(until: nil), .finish(failure: nil)],
      phase: .finished),
    Row(start: .live, event: .ended(connection: 0)),
    Row(start: .waiting, event: .ended(connection: 1)),
    Row(start: .finished, event: .ended(connection: 1)),
    // Time.
    Row(start: .idle, event: .timer),
    Row(start: .connecting, event: .timer, time: 10_999, requests: [.wait(until: at(11_000))]),
    Row(
      start: .connecting, event: .timer, time: 11_000,
      requests: [
        .close(connection: 1, code: 1001, reason: "no connection within 10s"),
        .tell(.disconnected(code: 1006, reason: "no connection within 10s")), .wait(until: at(12_000)),
      ], phase: .waiting(until: at(12_000), cause: .refused)),
    Row(start: .live, event: .timer, time: 60_999, requests: [.wait(until: at(61_000))]),
    Row(
      start: .live, event: .timer, time: 61_000,
      requests: [
        .tell(.stale), .close(connection: 1, code: 1001, reason: "no data for 1m"),
        .tell(.disconnected(code: 1006, reason: "no data for 1m")), .wait(until: at(62_000)),
      ], phase: .waiting(until: at(62_000), cause: .stale)),
    Row(start: .waiting, event: .timer, time: 1_999, requests: [.wait(until: at(2_000))]),
    Row(
      start: .waiting, event: .timer, time: 2_000,
      requests: [.tell(.connecting), .connect(connection: 2), .wait(until: at(12_000))],
      phase: .connecting(deadline: at(12_000))),
    Row(start: .finished, event: .timer),
    // The host wants to be left alone.
    // What waits to be handled is no silence.
    Row(start: .idle, event: .heard(connection: 1)),
    Row(start: .connecting, event: .heard(connection: 1), phase: .connecting(deadline: at(12_000))),
    Row(start: .connecting, event: .heard(connection: 9)),
    Row(start: .live, event: .heard(connection: 1)),
    Row(start: .live, event: .heard(connection: 9)),
    Row(start: .waiting, event: .heard(connection: 1)),
    Row(start: .finished, event: .heard(connection: 1)),
    Row(start: .idle, event: .hostHeld(until: at(9_000))),
    Row(start: .connecting, event: .hostHeld(until: at(9_000))),
    Row(start: .live, event: .hostHeld(until: at(9_000))),
    Row(
      start: .waiting, event: .hostHeld(until: at(9_000)), requests: [.wait(until: at(11_000))],
      phase: .waiting(until: at(11_000), cause: .held)),
    Row(start: .waiting, event: .hostHeld(until: at(1_500))),
    Row(start: .finished, event: .hostHeld(until: at(9_000))),
  ]

  @Test("Every event in every phase has its answer", arguments: table)
  func transitions(row: Row) {
    var machine = row.start.machine()
    let before = machine.phase
    let requests = machine.handle(row.event, at: Self.at(row.time), random: Self.longest)
    #expect(requests == row.requests)
    #expect(machine.phase == row.phase ?? before)
  }

  @Test("The table leaves out no pair of phase and event")
  func complete() {
    func name(_ event: SourceMachine.Event) -> Substring { "\(event)".prefix { $0 != "(" } }
    for start in Start.allCases {
      let events = Set(Self.table.filter { $0.start == start }.map { name($0.event) })
      #expect(events.count == 9, "\(start) has only \(events)")
    }
  }

  @Test("Silence is measured from the opening, and then from the latest data")
  func silence() {
    var machine = Start.live.machine()
    #expect(machine.received(on: 1, at: Self.at(50_000)) == true)
    #expect(
      machine.handle(.timer, at: Self.at(61_000), random: Self.longest) == [.wait(until: Self.at(110_000))])
    #expect(machine.phase == .live)
    let requests = machine.handle(.timer, at: Self.at(110_000), random: Self.longest)
    #expect(requests.first == .tell(.stale))
  }

  @Test("Data of an old connection, or of none, doesn't count")
  func oldData() {
    for start in Start.allCases {
      var machine = start.machine()
      #expect(machine.received(on: 1, at: Self.at(2_000)) == (start == .live))
      #expect(machine.received(on: 0, at: Self.at(2_000)) == false)
    }
  }

  @Test("Waits double up to the cap, attempt after attempt without end, until data flows")
  func backOff() {
    var machine = SourceMachine(Self.settings)
    var now: Int64 = 0
    var waits: [Int64] = []
    _ = machine.handle(.connect, at: Self.at(now), random: Self.longest)
    for attempt in 1...200 {
      // Opening alone doesn't reset the wait.
      _ = machine.handle(.opened(connection: attempt), at: Self.at(now), random: Self.longest)
      if attempt == 100 { #expect(machine.received(on: attempt, at: Self.at(now)) == true) }
      _ = machine.handle(.closed(connection: attempt, Self.end), at: Self.at(now), random: Self.longest)
      guard case .waiting(let until, _) = machine.phase else {
        Issue.record("attempt \(attempt) ended in \(machine.phase)")
        return
      }
      waits.append(until.milliseconds - now)
      now = until.milliseconds
      _ = machine.handle(.timer, at: until, random: Self.longest)
    }
    #expect(waits.prefix(6) == [1_000, 2_000, 4_000, 8_000, 8_000, 8_000])
    #expect(waits[98] == 8_000)
    #expect(waits[99...102] == [1_000, 2_000, 4_000, 8_000])
    #expect(machine.connection == 201)
  }

  @Test("Retry-After is never undercut, is told to the other sources of the host, and is bounded")
  func retryAfter() {
    for random in [Self.longest, { $0.lowerBound }] {
      var machine = Start.connecting.machine()
      let end = SourceMachine.End(code: 429, reason: "Too Many Requests", retryAfter: .seconds(30))
      let requests = machine.handle(.closed(connection: 1, end), at: Self.at(2_000), random: random)
      let until = 32_000 + random(0...1_000)
      #expect(
        requests == [
          .tell(.disconnected(code: 429, reason: "Too Many Requests")), .holdHost(until: Self.at(32_000)),
          .wait(until: Self.at(until)),
        ])
    }
    var machine = Start.connecting.machine()
    let end = SourceMachine.End(reason: "busy", retryAfter: Milliseconds(.max))
    _ = machine.handle(.closed(connection: 1, end), at: Self.at(2_000), random: { $0.lowerBound })
    let bound = Self.at(2_000) + SourceMachine.longestHold
    #expect(machine.phase == .waiting(until: bound, cause: .refused))
  }

  @Test("A host that wants to be left alone is, however the source comes to connect")
  func held() {
    var idle = Start.idle.machine()
    _ = idle.handle(.hostHeld(until: Self.at(9_000)), at: Self.at(1_000), random: Self.longest)
    #expect(
      idle.handle(.connect, at: Self.at(2_000), random: Self.longest) == [.wait(until: Self.at(10_000))])
    #expect(idle.failures == 0, "waiting for the host is no failed attempt")
    #expect(idle.handle(.timer, at: Self.at(10_000), random: Self.longest).contains(.connect(connection: 1)))

    // A shorter hold that comes later doesn't end a longer one.
    var twice = Start.idle.machine()
    _ = twice.handle(.hostHeld(until: Self.at(9_000)), at: Self.at(1_000), random: Self.longest)
    _ = twice.handle(.hostHeld(until: Self.at(3_000)), at: Self.at(1_000), random: Self.longest)
    #expect(
      twice.handle(.connect, at: Self.at(4_000), random: Self.longest) == [.wait(until: Self.at(10_000))])

    var live = Start.live.machine()
    _ = live.handle(.hostHeld(until: Self.at(9_000)), at: Self.at(1_000), random: Self.longest)
    _ = live.handle(.closed(connection: 1, Self.end), at: Self.at(2_000), random: Self.longest)
    #expect(live.phase == .waiting(until: Self.at(10_000), cause: .lost))
  }

  @Test("A source that must not reconnect by itself stays idle, and connects when a script asks")
  func stayIdle() {
    var machine = Start.live.machine(.init(connectTimeout: nil, staleAfter: nil, afterLoss: .stayIdle))
    let requests = machine.handle(.closed(connection: 1, Self.end), at: Self.at(2_000), random: Self.longest)
    #expect(requests == [Self.toldEnd, .wait(until: nil)])
    #expect(machine.phase == .idle)
    #expect(
      machine.handle(.connect, at: Self.at(3_000), random: Self.longest)
        == [.tell(.connecting), .connect(connection: 2), .wait(until: nil)])
  }

  @Test("A source that can't be helped by another attempt is over, with a sentence")
  func permanent() {
    for settings in [Self.settings, .init(connectTimeout: nil, staleAfter: nil, afterLoss: .stayIdle)] {
      var machine = Start.connecting.machine(settings)
      let end = SourceMachine.End(reason: "FEED_URL is not set", retryAfter: .seconds(1), isPermanent: true)
      #expect(
        machine.handle(.closed(connection: 1, end), at: Self.at(2_000), random: Self.longest)
          == [
            .tell(.disconnected(code: 1006, reason: "FEED_URL is not set")), .wait(until: nil),
            .finish(failure: "FEED_URL is not set"),
          ])
      #expect(machine.phase == .finished)
    }
  }

  @Test("A source that is read once finishes at its end, and with a sentence where it fails")
  func untilEnd() {
    var failing = Start.connecting.machine(.untilEnd)
    let end = SourceMachine.End(reason: "no such file")
    #expect(
      failing.handle(.closed(connection: 1, end), at: Self.at(2_000), random: Self.longest)
        == [
          .tell(.disconnected(code: 1006, reason: "no such file")), .wait(until: nil),
          .finish(failure: "no such file"),
        ])
    var reading = Start.connecting.machine(.untilEnd)
    #expect(
      reading.handle(.opened(connection: 1), at: Self.at(2_000), random: Self.longest)
        == [.tell(.connected), .sendOpening(connection: 1), .wait(until: nil)])
    #expect(reading.handle(.timer, at: Self.at(.max), random: Self.longest) == [])
    _ = reading.handle(.ended(connection: 1), at: Self.at(3_000), random: Self.longest)
    #expect(reading.phase == .finished)
  }

  // MARK: - Quiet hours and giving up

  /// Quiet until 00:10 UTC; the clock begins at 00:00.
  private static let quiet: SourceMachine.Settings = {
    var settings = SourceMachineTests.settings
    settings.staleAfter = .minutes(5)
    _ = settings.quietHours.add("00:00-00:10")
    return settings
  }()

  @Test("Silence counts from the end of the quiet hours on, and only from there")
  func quietHours() {
    var machine = SourceMachine(Self.quiet)
    _ = machine.handle(.connect, at: Self.at(0), random: Self.longest)
    let opened = machine.handle(.opened(connection: 1), at: Self.at(0), random: Self.longest)
    #expect(opened.last == .wait(until: Self.at(60_000)))
    var time: Int64 = 0
    while machine.phase == .live, time < 3_600_000 {
      time += 60_000
      _ = machine.handle(.timer, at: Self.at(time), random: Self.longest)
    }
    #expect(time == 14 * 60_000, "the last look within the quiet hours is at 00:09")
  }

  @Test("A source is given up after its number of attempts, of which none brought data", arguments: [1, 3])
  func maximumAttempts(maximum: Int) {
    var policy = ReconnectPolicy(first: .seconds(1), cap: .seconds(8))
    policy.maximumAttempts = maximum
    var machine = SourceMachine(
      .init(connectTimeout: nil, staleAfter: nil, afterLoss: .reconnect(policy)))
    var requests = machine.handle(.connect, at: Self.at(0), random: Self.longest)
    func lose(at time: Int64) {
      requests = machine.handle(
        .closed(connection: machine.connection, .init(reason: "refused")), at: Self.at(time),
        random: Self.longest)
    }
    // One that brought data begins the count anew.
    _ = machine.handle(.opened(connection: 1), at: Self.at(0), random: Self.longest)
    _ = machine.received(on: 1, at: Self.at(0))
    lose(at: 0)
    for attempt in 1...maximum {
      #expect(machine.phase != .finished)
      _ = machine.handle(.timer, at: Self.at(Int64(attempt) * 100_000), random: Self.longest)
      lose(at: Int64(attempt) * 100_000)
    }
    #expect(machine.phase == .finished)
    let attempts = maximum == 1 ? "1 attempt" : "\(maximum) attempts"
    #expect(
      requests == [
        .tell(.disconnected(code: 1006, reason: "refused")), .wait(until: nil),
        .finish(failure: "given up after \(attempts) without data: refused"),
      ])
  }

  @Test("a connection of which something waits is not silent, an older one doesn't count")
  func heard() {
    for (connection, next) in [(1, Self.at(110_000)), (9, Self.at(61_000))] {
      var machine = Start.live.machine()
      #expect(
        machine.handle(.heard(connection: connection), at: Self.at(50_000), random: Self.longest) == [])
      #expect(machine.handle(.timer, at: Self.at(60_999), random: Self.longest) == [.wait(until: next)])
    }
  }
}
