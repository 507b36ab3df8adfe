import Testing
@testable import WebSocket

@Suite struct ConnectionControlFramesTests {
  private let second = MachineDriver.second

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
    #expect(driver.takeReports().first?.failureKind == .pingTimeout)
  }

  @Test("does not call a pong overdue that may lie unread, and gives the server its time from then on")
  func lateReader() throws {
    let driver = try MachineDriver.open { $0.pingTimeout = .seconds(3) }
    driver.advance(20 * second)
    let ping = try #require(driver.takeFrames()?.first)
    driver.advance(60 * second, isDrained: false)
    driver.advance(3 * second - 1)
    #expect(driver.takeReports() == [])
    driver.receive(serverFrame(Opcode.pong, ping.payload))
    #expect(driver.takeReports() == [.pong(63 * second - 1)])
    driver.advance(20 * second)
    driver.advance(60 * second, isDrained: false)
    driver.advance(3 * second)
    #expect(driver.takeReports().first?.failureKind == .pingTimeout)
  }

  @Test("waits for a pong behind what still comes, even in one message")
  func slowMessage() throws {
    let driver = try MachineDriver.open { $0.pingTimeout = .seconds(3) }
    driver.advance(20 * second)
    let ping = try #require(driver.takeFrames()?.first)
    let text = String(repeating: "slow", count: 25)
    for byte in textFrame(text) {
      driver.advance(2 * second)
      driver.receive([byte])
    }
    driver.advance(2 * second)
    #expect(driver.takeReports() == [.text(text)])
    driver.receive(serverFrame(Opcode.pong, ping.payload))
    #expect(driver.takeReports() == [.pong(206 * second)])
    driver.advance(20 * second)
    driver.receive(textFrame("last"))
    driver.advance(3 * second)
    #expect(driver.takeReports().last?.failureKind == .pingTimeout)
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
}
