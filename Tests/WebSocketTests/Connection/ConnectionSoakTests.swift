import TestPeers
import Testing

@testable import WebSocket

@Suite struct ConnectionSoakTests {
  /// How a connection of the soak ends.
  private enum End: Int, CaseIterable {
    case refused
    case redirected
    case deadline
    case closedByServer
    case closedByUs
    case cut
    case violation
    case dropped
  }

  @Test("keeps nothing over 5,000 connections of every fate, or 100,000 with PIPELINE_TEST_LONG")
  func soak() async {
    let cycles = LongTests.areWanted ? 100_000 : 5_000
    // A process of its own, so that its memory is that of the connections alone.
    await #expect(processExitsWith: .success) { [cycles = cycles as Int] in
      do {
        let deflated = try Self.payload()
        let live = Count()
        var before = Footprint()
        for number in 0..<(cycles + 1000) {
          if number == 1000 { before = Footprint() }
          try Self.connect(number, deflated, live)
        }
        precondition(live.value == 0, "\(live.value) streams are left")
        let after = Footprint()
        let growth = after.residentBytes - before.residentBytes
        // 100,000 connections that kept 21 bytes each would be more.
        precondition(growth < 2 << 20, "\(growth) bytes more after \(cycles) connections")
        precondition(after.descriptors == before.descriptors, "\(after) after \(before)")
        precondition(after.threads <= before.threads, "\(after) after \(before)")
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }

  /// How many streams there are.
  private final class Count { var value = 0 }

  private static func connect(_ number: Int, _ deflated: [UInt8], _ live: Count) throws {
    func makeStream() -> ScriptedStream {
      live.value += 1
      return ScriptedStream { live.value -= 1 }
    }
    let streams = [makeStream(), makeStream()]
    var made = 0
    let connection = try WebSocketConnection(
      configuration: Configuration(url: "ws://example.org/feed")
    ) { (_, _, _) throws(ConnectionFailure) in
      made += 1
      return streams[made - 1]
    }
    try play(connection, streams, End.allCases[number % End.allCases.count], deflated, number)
  }

  private static func play(
    _ connection: WebSocketConnection, _ streams: [ScriptedStream], _ end: End, _ deflated: [UInt8],
    _ number: Int
  ) throws {
    let second: UInt64 = 1_000_000_000
    var sink = RecordingSink()
    func process(_ now: UInt64 = 1) -> Bool {
      connection.process(now: now * second, into: &sink) == .finished
    }
    _ = process()
    var stream = streams[0]
    switch end {
    case .refused:
      stream.arrive(Array("HTTP/1.1 503 No\r\nContent-Length: 2\r\nRetry-After: 1\r\n\r\nno".utf8))
      precondition(process() && sink.failure?.kind == .httpStatus(503))
      return
    case .deadline:
      precondition(process(60) && sink.failure?.kind == .connectTimeout)
      return
    case .redirected:
      stream.arrive(Array("HTTP/1.1 302 Go\r\nLocation: /b\r\n\r\n".utf8))
      _ = process()
      stream = streams[1]
    default: break
    }
    try stream.answerUpgrade(number % 3 == 0 ? "" : "Sec-WebSocket-Extensions: permessage-deflate\r\n")
    _ = process()
    precondition(sink.isOpen)
    stream.arrive(textFrame("a") + serverFrame(Opcode.ping, [1]))
    if number % 3 != 0 {
      stream.arrive(compressedFrame(Opcode.text, deflated))
      if number % 7 == 0 { try connection.send(text: compressibleText(number % 10, repeats: 100)) }
    }
    _ = process()
    precondition(sink.texts.count == (number % 3 == 0 ? 1 : 2))
    switch end {
    case .closedByUs:
      try connection.close()
      _ = process()
      stream.arrive(closeFrame(1000))
    case .cut: stream.arrive(textFrame("cut", final: false))
    case .violation: stream.arrive(serverFrame(3))
    case .dropped: stream.arriving.append(.failure(ConnectionFailure(.dropped, "reset")))
    default: stream.arrive(closeFrame(1012, "restart"))
    }
    if end != .dropped { stream.arriving.append(.success(.end)) }
    precondition(process() && sink.ending != nil)
  }

  private static func payload() throws -> [UInt8] {
    var deflater = ServerDeflater()
    return try deflater.payload(Array(compressibleText(1).utf8))
  }
}
