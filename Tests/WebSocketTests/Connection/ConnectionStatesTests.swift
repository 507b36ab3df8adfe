import Testing
@testable import WebSocket

@Suite struct ConnectionStatesTests {
  @Test("answers each event of the stream in each state")
  func table() throws {
    let broken = ConnectionFailure(.dropped, "reset")
    let kinds: [(String, (MachineDriver) -> Void, [ConnectionFailure.Kind?])] = [
      ("end", { $0.end() }, [nil, .connect, .handshake, .dropped, nil, nil]),
      ("failure", { $0.fail(broken) }, [nil, .dropped, .dropped, .dropped, nil, nil]),
    ]
    for (name, event, expected) in kinds {
      for (driver, kind) in zip(try driversInEachState(), expected) {
        let state = driver.machine.state
        event(driver)
        let reports = driver.takeReports()
        if let kind {
          #expect(reports.first?.failureKind == kind, "\(name) in \(state)")
        } else if state == .closing {
          #expect(
            reports == [.finished(.closed(code: 1006, reason: "", clean: false))], "\(name) in \(state)")
        } else {
          #expect(reports == [], "\(name) in \(state)")
        }
        if state != .idle { #expect(driver.machine.state == .closed, "\(name) in \(state)") }
      }
    }
  }

  @Test("takes messages to send only while open")
  func sendTable() throws {
    for driver in try driversInEachState() {
      let state = driver.machine.state
      func send() throws { try driver.send([0x41], isText: true) }
      if state == .open {
        try send()
        try driver.machine.ping(now: driver.now)
        #expect(driver.takeFrames()?.map(\.opcode) == [Opcode.text, Opcode.ping])
      } else {
        #expect(throws: SendError.notOpen, "\(state)") { try send() }
        #expect(throws: SendError.notOpen, "\(state)") { try driver.machine.ping(now: driver.now) }
      }
    }
  }

  @Test("closes at once before the opening, by handshake while open, once only")
  func closeTable() throws {
    for driver in try driversInEachState() {
      let state = driver.machine.state
      try driver.machine.close(code: 1000, reason: "bye", now: driver.now)
      switch state {
      case .idle, .connecting, .upgrading:
        #expect(driver.machine.ending == .closed(code: 1006, reason: "", clean: false))
        #expect(driver.machine.state == .closed)
      case .open:
        #expect(driver.machine.state == .closing)
        #expect(
          driver.takeFrames() == [ClientFrame(opcode: Opcode.close, payload: closePayload(1000, "bye"))])
      case .closing, .closed:
        #expect(driver.machine.state == state && driver.takeOutput().isEmpty)
      }
    }
  }

  private func driversInEachState() throws -> [MachineDriver] {
    let connecting = try MachineDriver()
    connecting.start()
    let upgrading = try MachineDriver()
    upgrading.start()
    upgrading.connect()
    let closing = try MachineDriver.open()
    try closing.machine.close(code: 1000, reason: "", now: closing.now)
    _ = closing.takeOutput()
    let closed = try MachineDriver.open()
    closed.end()
    _ = closed.takeReports()
    let drivers = [try MachineDriver(), connecting, upgrading, try MachineDriver.open(), closing, closed]
    #expect(drivers.map { $0.machine.state } == [.idle, .connecting, .upgrading, .open, .closing, .closed])
    return drivers
  }

  @Test("says when a connection drops in the middle of a message")
  func dropped() throws {
    for (bytes, isInside) in [
      (textFrame("a"), false), (Array(textFrame("abc").dropLast()), true),
      (textFrame("a", final: false), true),
    ] {
      let driver = try MachineDriver.open()
      driver.receive(bytes)
      _ = driver.takeReports()
      driver.end()
      guard case .finished(.failed(let failure)) = driver.takeReports().first else {
        Issue.record("expected a failure")
        continue
      }
      #expect(failure.description.hasSuffix("in the middle of a message") == isInside)
    }
  }

  @Test("refuses text that is not UTF-8, and more than may wait")
  func sendErrors() throws {
    let driver = try MachineDriver.open { $0.maximumPendingBytes = 10 }
    #expect(throws: SendError.invalidText) { try driver.send([0xFF], isText: true) }
    #expect(throws: SendError.backlog(waiting: 0, limit: 10)) {
      try driver.send([UInt8](repeating: 0, count: 11), isText: false)
    }
    try driver.send([0xFF], isText: false)
    #expect(driver.takeFrames() == [ClientFrame(opcode: Opcode.binary, payload: [0xFF])])
  }
}
