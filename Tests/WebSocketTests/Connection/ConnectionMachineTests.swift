import Testing
@testable import WebSocket

@Suite struct ConnectionMachineTests {
  private let second = MachineDriver.second

  private func failureKind(_ report: MachineDriver.Report?) -> ConnectionFailure.Kind? {
    if case .finished(.failed(let failure)) = report { failure.kind } else { nil }
  }

  // MARK: Opening

  @Test("goes from idle over connecting and upgrading to open")
  func opens() throws {
    let driver = try MachineDriver { $0.subprotocols = ["v1"] }
    #expect(driver.machine.state == .idle)
    driver.start()
    #expect(driver.machine.state == .connecting)
    #expect(driver.takeOutput().isEmpty)
    driver.connect()
    #expect(driver.machine.state == .upgrading)
    driver.receive(driver.answer("Sec-WebSocket-Protocol: v1\r\n"))
    #expect(driver.machine.state == .open)
    #expect(driver.takeReports() == [.opened("v1")])
  }

  @Test("reads frames that come in one piece with the answer, and byte by byte", arguments: [Int.max, 1, 5])
  func framesWithAnswer(pieces: Int) throws {
    let driver = try MachineDriver()
    driver.start()
    driver.connect()
    driver.receive(driver.answer() + textFrame("one") + textFrame("two"), pieces: pieces)
    #expect(driver.takeReports() == [.opened(nil), .text("one"), .text("two")])
  }

  @Test("uses a new key for each connection")
  func keys() throws {
    let keys = try (0..<20).map { _ in
      let driver = try MachineDriver()
      driver.start()
      driver.connect()
      return driver.takeOutput()
    }
    #expect(Set(keys).count == 20)
  }

  @Test("lets one deadline run over connect, redirects and upgrade")
  func connectDeadline() throws {
    let driver = try MachineDriver { $0.connectTimeout = .seconds(10) }
    driver.start()
    driver.advance(4 * second, phase: .resolving)
    driver.connect()
    _ = driver.takeOutput()
    driver.receive(Array("HTTP/1.1 302 Found\r\nLocation: ws://other.org/\r\n\r\n".utf8))
    #expect(driver.takeReports() == [.reconnect("ws://other.org/")])
    #expect(driver.machine.state == .connecting)
    driver.advance(4 * second, phase: .connecting)
    driver.connect()
    #expect(driver.takeReports() == [])
    #expect(driver.machine.nextDeadline == 1010 * second)
    driver.advance(2 * second)
    let report = driver.takeReports().first
    #expect(failureKind(report) == .connectTimeout)
  }

  @Test("says what the passed connect deadline was waiting for")
  func connectDeadlineTexts() throws {
    for (phase, words) in [
      (ConnectPhase.resolving, "looked up"), (.connecting, "TCP"), (.securing, "TLS"),
    ] {
      let driver = try MachineDriver()
      driver.start()
      driver.advance(11 * second, phase: phase)
      guard case .finished(.failed(let failure)) = driver.takeReports().first else {
        Issue.record("expected a failure")
        continue
      }
      #expect(failure.kind == .connectTimeout && failure.description.contains(words))
    }
  }

  @Test("follows redirects with a new request, and stops at wss to ws")
  func redirects() throws {
    let driver = try MachineDriver("wss://example.org/a") { $0.headers = [HeaderField("Cookie", "a=b")] }
    driver.start()
    driver.connect()
    #expect(String(decoding: driver.takeOutput(), as: UTF8.self).contains("Cookie: a=b"))
    driver.receive(Array("HTTP/1.1 307 X\r\nLocation: //other.org/b\r\n\r\nignored".utf8))
    #expect(driver.takeReports() == [.reconnect("wss://other.org/b")])
    driver.connect()
    let second = String(decoding: driver.takeOutput(), as: UTF8.self)
    #expect(second.hasPrefix("GET /b HTTP/1.1\r\nHost: other.org\r\n") && !second.contains("Cookie"))
    driver.receive(Array("HTTP/1.1 307 X\r\nLocation: http://other.org/b\r\n\r\n".utf8))
    #expect(failureKind(driver.takeReports().first) == .redirect)
  }

  @Test("waits a moment for the body of a refusal, then reports it")
  func refusal() throws {
    let driver = try MachineDriver()
    driver.start()
    driver.connect()
    driver.receive(Array("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\n\r\nlater".utf8))
    #expect(driver.takeReports() == [])
    #expect(driver.machine.nextDeadline == driver.now + second)
    driver.advance(second)
    guard case .finished(.failed(let failure)) = driver.takeReports().first else {
      Issue.record("expected a failure")
      return
    }
    #expect(failure.kind == .httpStatus(503) && failure.retryAfter == .seconds(7))
    #expect(failure.bodyExcerpt == Array("later".utf8))
  }

  // MARK: States and events

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
          #expect(failureKind(reports.first) == kind, "\(name) in \(state)")
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

  // MARK: Control frames

  @Test("answers pings with their payload, in order and before later messages", arguments: [Int.max, 1])
  func pings(pieces: Int) throws {
    let driver = try MachineDriver.open()
    driver.receive(
      serverFrame(Opcode.ping, [1]) + textFrame("a", final: false) + serverFrame(Opcode.ping)
        + serverFrame(Opcode.continuation, []), pieces: pieces)
    #expect(driver.takeReports() == [.text("a")])
    #expect(
      driver.takeFrames() == [
        ClientFrame(opcode: Opcode.pong, payload: [1]), ClientFrame(opcode: Opcode.pong, payload: []),
      ])
  }

  @Test("keeps memory bounded under a flood of pings and answers the latest")
  func pingFlood() throws {
    let driver = try MachineDriver.open()
    let payload = [UInt8](repeating: 7, count: 121)
    for number in 0..<100_000 {
      let count = withUnsafeBytes(of: UInt32(number)) { Array($0) }
      driver.receive(serverFrame(Opcode.ping, count + payload))
    }
    #expect(driver.machine.pendingBytes < 17 * 1024)
    let frames = try #require(driver.takeFrames())
    #expect(frames.allSatisfy { $0.opcode == Opcode.pong })
    #expect(frames.last?.payload == withUnsafeBytes(of: UInt32(99_999)) { Array($0) } + payload)
  }

  @Test("pings at its interval and reports the round trip")
  func keepalive() throws {
    let driver = try MachineDriver.open { $0.pingInterval = .seconds(20) }
    #expect(driver.machine.nextDeadline == driver.now + 20 * second)
    driver.advance(19 * second)
    #expect(driver.takeOutput().isEmpty)
    driver.advance(second)
    let ping = try #require(driver.takeFrames()?.first)
    #expect(ping.opcode == Opcode.ping)
    #expect(driver.machine.nextDeadline == driver.now + 10 * second)
    driver.now += 5_000_000
    driver.receive(
      serverFrame(Opcode.pong, [9]) + serverFrame(Opcode.pong, ping.payload)
        + serverFrame(Opcode.pong, ping.payload))
    #expect(driver.takeReports() == [.pong(5_000_000)])
    #expect(driver.machine.nextDeadline == driver.now - 5_000_000 + 20 * second)
  }

  @Test("fails when a pong does not come, counted from the ping")
  func pingTimeout() throws {
    let driver = try MachineDriver.open { $0.pingTimeout = .seconds(3) }
    driver.advance(20 * second)
    driver.advance(3 * second - 1)
    #expect(driver.takeReports() == [])
    driver.advance(1)
    #expect(failureKind(driver.takeReports().first) == .pingTimeout)
  }

  @Test("does not call a pong overdue that may lie unread")
  func lateReader() throws {
    let driver = try MachineDriver.open()
    driver.advance(20 * second)
    let ping = try #require(driver.takeFrames()?.first)
    driver.advance(60 * second, isDrained: false)
    #expect(driver.takeReports() == [])
    driver.receive(serverFrame(Opcode.pong, ping.payload))
    driver.advance(0)
    #expect(driver.takeReports() == [.pong(60 * second)])
  }

  @Test("goes on pinging without a timeout, but piles nothing up")
  func noTimeout() throws {
    let driver = try MachineDriver.open { $0.pingTimeout = nil }
    for _ in 0..<3 {
      driver.advance(20 * second)
      #expect(driver.takeFrames()?.map(\.opcode) == [Opcode.ping])
      #expect(driver.machine.nextDeadline == driver.now + 20 * second)
    }
    for _ in 0..<1000 { driver.advance(20 * second) }
    #expect(driver.takeFrames()?.count == 1)
    #expect(driver.takeReports() == [])
  }

  @Test("sends no pings of its own when told so")
  func noPings() throws {
    let driver = try MachineDriver.open { $0.pingInterval = nil }
    #expect(driver.machine.nextDeadline == nil)
    driver.advance(1_000_000 * second)
    #expect(driver.takeOutput().isEmpty && driver.takeReports() == [])
    try driver.machine.ping(now: driver.now)
    try driver.machine.ping(now: driver.now)
    #expect(driver.takeFrames()?.count == 1)
    #expect(driver.machine.nextDeadline == driver.now + 10 * second)
  }

  // MARK: Closing

  @Test(
    "echoes the server's close and reports it when the stream ends",
    arguments: [1000, 1001, 1012, 3000, 4999] as [UInt16])
  func serverCloses(code: UInt16) throws {
    let driver = try MachineDriver.open()
    driver.receive(closeFrame(code, "done") + textFrame("after the end"))
    #expect(driver.machine.state == .closing)
    #expect(driver.takeReports() == [])
    #expect(driver.takeFrames() == [ClientFrame(opcode: Opcode.close, payload: closePayload(code))])
    driver.end()
    #expect(driver.takeReports() == [.finished(.closed(code: code, reason: "done", clean: true))])
  }

  @Test("answers a close without a code by one without a code")
  func emptyClose() throws {
    let driver = try MachineDriver.open()
    driver.receive(serverFrame(Opcode.close))
    #expect(driver.takeFrames() == [ClientFrame(opcode: Opcode.close, payload: [])])
    driver.advance(5 * second)
    #expect(driver.takeReports() == [.finished(.closed(code: 1005, reason: "", clean: true))])
  }

  @Test("delivers what the server still sends after our close, but no more pongs")
  func weClose() throws {
    let driver = try MachineDriver.open()
    try driver.machine.close(code: 1000, reason: "", now: driver.now)
    _ = driver.takeOutput()
    driver.receive(textFrame("last") + serverFrame(Opcode.ping) + closeFrame(1000))
    #expect(driver.takeReports() == [.text("last")])
    #expect(driver.takeOutput().isEmpty)
    driver.end()
    #expect(driver.takeReports() == [.finished(.closed(code: 1000, reason: "", clean: true))])
  }

  @Test("gives up a close that the server does not answer")
  func closeTimeout() throws {
    let driver = try MachineDriver.open { $0.closeTimeout = .seconds(2) }
    try driver.machine.close(code: 1000, reason: "", now: driver.now)
    driver.advance(2 * second - 1)
    #expect(driver.takeReports() == [])
    driver.advance(1)
    #expect(driver.takeReports() == [.finished(.closed(code: 1006, reason: "", clean: false))])
    #expect(driver.machine.nextDeadline == nil)
  }

  @Test("refuses close codes and reasons that may not be sent")
  func closeArguments() throws {
    let driver = try MachineDriver.open()
    for code: UInt16 in [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000] {
      #expect(throws: SendError.closeCode(code)) {
        try driver.machine.close(code: code, reason: "", now: driver.now)
      }
    }
    let long = String(repeating: "é", count: 62)
    #expect(throws: SendError.closeReasonTooLong(124)) {
      try driver.machine.close(code: 1000, reason: long, now: driver.now)
    }
    #expect(driver.machine.state == .open)
  }

  @Test("tells the server by code what it broke, takes no more, and fails when the stream ends")
  func violations() throws {
    let cases: [([UInt8], UInt16)] = [
      (serverFrame(0x3), 1002), (serverFrame(Opcode.text, [0xFF]), 1007), (closeFrame(1006), 1002),
      (Array(serverFrame(Opcode.binary, [UInt8](repeating: 0, count: 300)).prefix(4)) + [0], 1009),
    ]
    for (bytes, code) in cases {
      let driver = try MachineDriver.open { $0.maximumMessageBytes = 200 }
      driver.receive(textFrame("good") + bytes + textFrame("never"))
      #expect(driver.takeReports() == [.text("good")])
      #expect(driver.takeFrames() == [ClientFrame(opcode: Opcode.close, payload: closePayload(code))])
      driver.receive(textFrame("never"))
      driver.end()
      #expect(failureKind(driver.takeReports().first) == .protocolViolation(closeCode: code))
    }
  }

  @Test("fails soon after a violation even if the server keeps the stream")
  func violationDeadline() throws {
    let driver = try MachineDriver.open()
    driver.receive(serverFrame(0x3))
    driver.advance(second)
    #expect(failureKind(driver.takeReports().first) == .protocolViolation(closeCode: 1002))
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
