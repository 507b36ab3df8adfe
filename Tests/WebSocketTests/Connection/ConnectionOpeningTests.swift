import HTTP
import Testing
@testable import WebSocket

@Suite struct ConnectionOpeningTests {
  private let second = MachineDriver.second

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
    #expect(report?.failureKind == .connectTimeout)
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
    #expect(driver.takeReports().first?.failureKind == .redirect)
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
}
