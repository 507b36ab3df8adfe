import Testing

@testable import Pipeline

@Suite("Histories of a source")
struct SourceMachineHistoryTests {
  /// What the outside world sees of a machine: it fails where requests contradict each other.
  private struct World {
    var now = Timestamp(milliseconds: 0)
    var open: Int?
    var timer: Timestamp?
    var told: [ConnectionEvent] = []
    var isOver = false
    var faults: [String] = []

    mutating func carryOut(_ requests: [SourceMachine.Request]) {
      for request in requests {
        if isOver { faults.append("\(request) after the end") }
        switch request {
        case .connect(let connection):
          if let open { faults.append("connects \(connection) while \(open) is open") }
          open = connection
        case .sendOpening(let connection):
          if open != connection || told.last != .connected {
            faults.append("sends on \(connection) too early")
          }
        case .close(let connection, _, _):
          if open != connection { faults.append("closes \(connection), which is not open") }
          open = nil
        case .wait(let until):
          timer = until
        case .tell(let event):
          if !follows(event) { faults.append("tells \(event) after \(told.last as Any)") }
          told.append(event)
        case .holdHost(let until):
          if until < now { faults.append("holds the host until the past") }
        case .finish:
          isOver = true
        }
      }
    }

    private func follows(_ event: ConnectionEvent) -> Bool {
      switch (told.last, event) {
      case (nil, .connecting), (.disconnected, .connecting), (.connecting, .connected), (.connected, .stale),
        (.connecting, .disconnected), (.connected, .disconnected), (.stale, .disconnected):
        true
      default: false
      }
    }
  }

  @Test("Whatever happens in whatever order, no request contradicts an earlier one", arguments: 1...200)
  func random(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    var machine = SourceMachine(
      .init(connectTimeout: .seconds(10), staleAfter: .seconds(20), afterLoss: .reconnect(ReconnectPolicy())))
    var world = World()
    for _ in 0..<400 where !world.isOver {
      world.now = world.now + Milliseconds(Int64(random.below(8_000)))
      let connection = machine.connection - (random.below(8) == 0 ? 1 : 0)
      let isCurrent = world.open == connection
      let event: SourceMachine.Event
      switch random.below(100) {
      case 0..<10: event = .connect
      case 10..<15: event = .disconnect
      case 15..<40: event = .opened(connection: connection)
      case 40..<60:
        let retryAfter = random.below(5) == 0 ? Milliseconds(Int64(random.below(60_000))) : nil
        event = .closed(connection: connection, .init(reason: "x", retryAfter: retryAfter))
        if isCurrent { world.open = nil }
      case 60..<65: event = .hostHeld(until: world.now + .seconds(Int64(random.below(30))))
      case 65..<75:
        _ = machine.received(on: connection, at: world.now)
        continue
      case 75: event = seed.isMultiple(of: 4) ? .stop : .timer
      default:
        // The timer comes at its time or later, and now and then for no reason.
        if let timer = world.timer, random.below(4) > 0 { world.now = max(world.now, timer) }
        event = .timer
      }
      world.carryOut(
        machine.handle(event, at: world.now) { range in
          range.lowerBound + Int64(random.below(UInt64(range.upperBound - range.lowerBound + 1)))
        })
      switch machine.phase {
      case .idle, .finished: #expect(world.open == nil && world.timer == nil)
      case .connecting(let deadline): #expect(world.open == machine.connection && world.timer == deadline)
      case .live: #expect(world.open == machine.connection && world.timer != nil)
      case .waiting(let until, _): #expect(world.open == nil && world.timer == until)
      }
    }
    #expect(world.faults.isEmpty)
    #expect(world.isOver || machine.connection > 3, "the history went nowhere")
  }
}
