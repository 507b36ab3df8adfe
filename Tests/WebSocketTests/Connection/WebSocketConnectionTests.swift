import Glibc
import Testing

@testable import WebSocket

@Suite struct WebSocketConnectionTests {
  private let second = MachineDriver.second

  /// A connection over scripted streams: the first one, then one for each redirect.
  private func connection(
    _ streams: [ScriptedStream], _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> WebSocketConnection {
    var configuration = Configuration(url: "ws://example.org/feed")
    change(&configuration)
    var rest = streams[...]
    return try WebSocketConnection(configuration: configuration) { (_, _, _) throws(ConnectionFailure) in
      guard let stream = rest.popFirst() else { throw ConnectionFailure(.resources, "no stream left") }
      return stream
    }
  }

  /// An open connection whose request was forgotten.
  private func open(
    _ stream: ScriptedStream, _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> (WebSocketConnection, RecordingSink) {
    let connection = try connection([stream], change)
    var sink = RecordingSink()
    _ = connection.process(now: second, into: &sink)
    try stream.answerUpgrade()
    _ = connection.process(now: second, into: &sink)
    #expect(sink.isOpen && connection.state == .open)
    return (connection, sink)
  }

  @Test("is due at once before it begins, and never after its end")
  func deadlines() throws {
    let stream = ScriptedStream()
    let connection = try connection([stream])
    var sink = RecordingSink()
    #expect(connection.nextDeadline == 0)
    #expect(connection.process(now: second, into: &sink) == .idle)
    #expect(connection.nextDeadline == 11 * second)
    stream.arriving.append(.success(.end))
    #expect(connection.process(now: second, into: &sink) == .finished)
    #expect(sink.failure?.kind == .handshake)
    #expect(connection.nextDeadline == nil && stream.isClosed)
    sink.ending = nil
    #expect(connection.process(now: second, into: &sink) == .finished)
    #expect(sink.ending == nil)
  }

  @Test("reports a stream that could not be made")
  func noStream() throws {
    var sink = RecordingSink()
    #expect(try connection([]).process(now: second, into: &sink) == .finished)
    #expect(sink.failure == ConnectionFailure(.resources, "no stream left"))
  }

  @Test("writes on when there is room again, and asks to be woken for it")
  func partialWrites() throws {
    let stream = ScriptedStream()
    var (connection, sink) = try open(stream)
    stream.writeRoom = 0
    let text = String(repeating: "0123456789", count: 5000)
    try connection.send(text: text)
    #expect(stream.isWatchedForWriting && stream.written.isEmpty)
    stream.writeRoom = 7
    _ = connection.process(now: second, into: &sink)
    #expect(
      ClientFrame.all(in: stream.written) == [ClientFrame(opcode: Opcode.text, payload: Array(text.utf8))])
    #expect(!stream.isWatchedForWriting && connection.pendingBytes == 0)
  }

  @Test("reads what the server said before it stopped listening")
  func writeFailsAfterClose() throws {
    let stream = ScriptedStream()
    var (connection, sink) = try open(stream)
    stream.writeFailure = ConnectionFailure(.dropped, "broken pipe")
    try connection.send(text: "lost")
    #expect(connection.nextDeadline == 0)
    stream.arrive(textFrame("last words") + closeFrame(1001, "restart"))
    stream.arriving.append(.success(.end))
    #expect(connection.process(now: second, into: &sink) == .finished)
    #expect(sink.texts == ["last words"])
    #expect(sink.ending == .closed(code: 1001, reason: "restart", clean: true))
  }

  @Test("fails by a broken write when nothing is left to read")
  func writeFails() throws {
    let stream = ScriptedStream()
    var (connection, sink) = try open(stream)
    stream.writeFailure = ConnectionFailure(.dropped, "broken pipe")
    try connection.send(text: "lost")
    #expect(connection.process(now: second, into: &sink) == .finished)
    #expect(sink.failure == ConnectionFailure(.dropped, "broken pipe"))
  }

  @Test("with a read limit of zero writes and minds deadlines, but blames no pong")
  func noReading() throws {
    let stream = ScriptedStream()
    var (connection, sink) = try open(stream) { $0.pingTimeout = .seconds(1) }
    stream.arrive(textFrame("waiting"))
    #expect(connection.process(now: 30 * second, readLimit: 0, into: &sink) == .idle)
    #expect(ClientFrame.all(in: stream.written)?.first?.opcode == Opcode.ping)
    #expect(connection.process(now: 60 * second, readLimit: 0, into: &sink) == .idle)
    #expect(sink.texts.isEmpty && sink.ending == nil)
    // What was read at last may be the first part of what the server has to send before its pong.
    #expect(connection.process(now: 60 * second, into: &sink) == .idle)
    #expect(sink.texts == ["waiting"] && sink.ending == nil)
    #expect(connection.process(now: 61 * second, into: &sink) == .finished)
    #expect(sink.failure?.kind == .pingTimeout)
  }

  @Test("says that more waits when its bound is reached first")
  func moreWaiting() throws {
    let stream = ScriptedStream()
    var (connection, sink) = try open(stream)
    stream.arrive(textFrame("one"))
    stream.arrive(textFrame("two"))
    #expect(connection.process(now: second, readLimit: 5, into: &sink) == .moreWaiting)
    #expect(sink.texts == ["one"] && connection.nextDeadline == 0)
    #expect(connection.process(now: second, readLimit: 100, into: &sink) == .idle)
    #expect(sink.texts == ["one", "two"])
  }

  /// Answers each message and closes after the second, from inside the reports.
  private struct AnsweringSink: MessageSink {
    unowned let connection: WebSocketConnection
    var count = 0
    mutating func opened(subprotocol: String?, headers: [HeaderField]) { try? connection.send(text: "hello") }
    mutating func message(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
      count += 1
      try? connection.send(text: bytes)
      if count == 2 { try? connection.close(code: 4000, reason: "enough") }
    }
    mutating func pong(latency: UInt64) {}
    mutating func closed(code: UInt16, reason: String, clean: Bool) {}
    mutating func failed(_ failure: ConnectionFailure) {}
  }

  @Test("lets a sink send and close while it is being reported to")
  func reentrant() throws {
    let stream = ScriptedStream()
    let connection = try connection([stream])
    var sink = AnsweringSink(connection: connection)
    _ = connection.process(now: second, into: &sink)
    try stream.answerUpgrade()
    stream.arrive(textFrame("a") + textFrame("b"))
    _ = connection.process(now: second, into: &sink)
    #expect(
      ClientFrame.all(in: stream.written) == [
        ClientFrame(opcode: Opcode.text, payload: Array("hello".utf8)),
        ClientFrame(opcode: Opcode.text, payload: Array("a".utf8)),
        ClientFrame(opcode: Opcode.text, payload: Array("b".utf8)),
        ClientFrame(opcode: Opcode.close, payload: closePayload(4000, "enough")),
      ])
  }

  @Test("follows a redirect on a new stream under the same descriptor")
  func redirect() throws {
    let first = ScriptedStream()
    let second = ScriptedStream()
    let connection = try connection([first, second])
    let descriptor = connection.fileDescriptor
    var sink = RecordingSink()
    _ = connection.process(now: self.second, into: &sink)
    first.arrive(Array("HTTP/1.1 301 Moved\r\nLocation: /other\r\n\r\n".utf8))
    _ = connection.process(now: self.second, into: &sink)
    #expect(first.isClosed && String(decoding: second.written, as: UTF8.self).hasPrefix("GET /other "))
    try second.answerUpgrade()
    _ = connection.process(now: self.second, into: &sink)
    #expect(sink.isOpen && connection.fileDescriptor == descriptor)
  }
}
