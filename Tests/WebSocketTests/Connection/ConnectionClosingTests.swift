import Testing
@testable import WebSocket

@Suite struct ConnectionClosingTests {
  private let second = MachineDriver.second

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
      #expect(driver.takeReports().first?.failureKind == .protocolViolation(closeCode: code))
    }
  }

  @Test("fails soon after a violation even if the server keeps the stream")
  func violationDeadline() throws {
    let driver = try MachineDriver.open()
    driver.receive(serverFrame(0x3))
    driver.advance(second)
    #expect(driver.takeReports().first?.failureKind == .protocolViolation(closeCode: 1002))
  }
}
