import Glibc

@testable import WebSocket

/// What a connection reported, copied.
struct RecordingSink: MessageSink {
  var subprotocol: String?
  var headers: [HeaderField] = []
  var isOpen = false
  var texts: [String] = []
  var binaries: [[UInt8]] = []
  var latencies: [UInt64] = []
  var ending: Ending?

  mutating func opened(subprotocol: String?, headers: [HeaderField]) {
    isOpen = true
    self.subprotocol = subprotocol
    self.headers = headers
  }

  mutating func message(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
    if isText { texts.append(String(decoding: bytes, as: UTF8.self)) } else { binaries.append(Array(bytes)) }
  }

  mutating func pong(latency: UInt64) { latencies.append(latency) }

  mutating func closed(code: UInt16, reason: String, clean: Bool) {
    ending = .closed(code: code, reason: reason, clean: clean)
  }

  mutating func failed(_ failure: ConnectionFailure) { ending = .failed(failure) }

  /// The failure it ended with, if so.
  var failure: ConnectionFailure? { if case .failed(let failure) = ending { failure } else { nil } }
}

/// Owns a connection and drives it as an event loop does, on the calling thread.
final class Session {
  struct TimedOut: Error {}

  let connection: WebSocketConnection
  var sink = RecordingSink()

  init(_ url: String, _ change: (inout Configuration) -> Void = { _ in }) throws {
    var configuration = Configuration(url: url)
    configuration.proxy = .none
    change(&configuration)
    connection = try WebSocketConnection(configuration: configuration)
  }

  /// Works until something is true or the connection has ended; a test that hangs fails after 30 s.
  func run(until isDone: (RecordingSink) -> Bool = { _ in false }) throws {
    let limit = monotonicNanoseconds() + 30_000_000_000
    while true {
      let progress = step()
      if isDone(sink) || progress == .finished { return }
      guard monotonicNanoseconds() < limit else { throw TimedOut() }
      wait(until: limit)
    }
  }

  /// Does what there is to do now.
  func step(readLimit: Int = WebSocketConnection.defaultReadLimit) -> WebSocketConnection.Progress {
    connection.process(now: monotonicNanoseconds(), readLimit: readLimit, into: &sink)
  }

  /// Waits for the connection's descriptor or deadline.
  func wait(until limit: UInt64 = .max) {
    let now = monotonicNanoseconds()
    let due = min(connection.nextDeadline ?? limit, limit, now + 30_000_000_000)
    var watched = pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
    // Rounded up, so that the deadline has come when poll returns.
    poll(&watched, 1, due > now ? Int32((due - now + 999_999) / 1_000_000) : 0)
  }

  func runToEnd() throws -> RecordingSink {
    try run()
    return sink
  }
}
