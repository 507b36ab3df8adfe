internal import Composable
internal import Glibc
internal import WebSocket

/// One connection with those who wait for it.
///
/// Sendable because it is made by one task and from then on belongs to the thread of its loop.
final class Socket: MessageSink, @unchecked Sendable {
  typealias Answer<Value: Sendable> = CheckedContinuation<Value, any Error>

  let connection: WebSocketConnection
  private let url: String
  private let events: AsyncStream<WebSocketClient.Event>.Continuation
  private var pings: [Answer<Void>] = []
  private(set) var channel: MessageChannel?
  private(set) var isOver = false

  init(_ configuration: Configuration, events: AsyncStream<WebSocketClient.Event>.Continuation) throws {
    connection = try WebSocketConnection(configuration: configuration)
    url = "\(configuration.url.prefix { $0 != "?" })"
    self.events = events
  }

  /// The channel of its messages, made before the first of them can come.
  func prepare(roomMade: @escaping @Sendable () -> Void) { channel = MessageChannel(roomMade: roomMade) }

  /// Whether nothing is read until somebody takes messages.
  var isPaused: Bool { channel?.isFull ?? false }

  /// Does what can be done without waiting.
  func process() {
    var sink = self
    // A bound for each round, so that a connection can't hold up the others, nor its channel grow.
    let limit = isPaused ? 0 : 65_536
    if connection.process(now: monotonicNanoseconds(), readLimit: limit, into: &sink) == .finished { end() }
  }

  func send(_ message: WebSocketClient.Message, _ answer: Answer<Void>) {
    do {
      switch message {
      case .text(let text): try connection.send(text: text)
      case .binary(let bytes): try bytes.withUnsafeBytes { try connection.send(binary: $0) }
      }
      answer.resume()
    } catch {
      answer.resume(throwing: WebSocketError("\(url): \(error)"))
    }
  }

  func ping(_ answer: Answer<Void>) {
    do {
      try connection.ping()
      pings.append(answer)
    } catch {
      answer.resume(throwing: WebSocketError("\(url): \(error)"))
    }
  }

  /// Says goodbye without waiting for an answer, and ends.
  func close() {
    if isOver { return }
    // Where the connection is no more, a goodbye can't be said, and needn't.
    if connection.state == .open, (try? connection.close()) != nil {
      var sink = self
      _ = connection.process(now: monotonicNanoseconds(), readLimit: 0, into: &sink)
    }
    end()
  }

  private func end() {
    if isOver { return }
    isOver = true
    events.finish()
    channel?.end()
    for ping in pings {
      ping.resume(throwing: WebSocketError("\(url): the connection ended before the pong."))
    }
    pings = []
  }

  // MARK: - Reports of the connection

  func opened(subprotocol: String?, headers: [HeaderField]) { events.yield(.opened(protocol: subprotocol)) }

  func message(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
    channel?.add(.success(isText ? .text(String(decoding: bytes, as: UTF8.self)) : .binary(Array(bytes))))
  }

  func pong(latency: UInt64) {
    for ping in pings { ping.resume() }
    pings = []
  }

  func closed(code: UInt16, reason: String, clean: Bool) {
    events.yield(.closed(code: code, reason: reason))
  }

  func failed(_ failure: ConnectionFailure) {
    channel?.add(.failure(WebSocketError("\(failure)")))
    events.yield(.closed(code: 1_006, reason: "\(failure)"))
  }
}
