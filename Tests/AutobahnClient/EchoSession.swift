internal import Glibc
internal import WebSocket

/// One connection to the fuzzing server, from its opening to its end.
final class EchoSession: MessageSink {
  private let connection: WebSocketConnection
  private let echoes: Bool
  private var last = ""
  private var failure: (any Error)?

  /// - Parameter echoes: whether each message is sent back; otherwise the last one is kept.
  init(_ url: String, echoes: Bool) throws {
    var configuration = Configuration(url: url)
    configuration.proxy = .none
    // The largest case has 16 MiB, and every message is to be compressed where that was agreed on.
    configuration.maximumPendingBytes = 64 * 1024 * 1024
    configuration.compression?.minimumBytes = 0
    connection = try WebSocketConnection(configuration: configuration)
    self.echoes = echoes
  }

  /// Works until the end; the last message, if messages are not sent back.
  func run() throws -> String {
    var sink = self
    while true {
      if connection.process(now: monotonicNanoseconds(), into: &sink) == .finished { break }
      let now = monotonicNanoseconds()
      let due = connection.nextDeadline ?? now + 1_000_000_000
      var watched = pollfd(fd: connection.fileDescriptor, events: Int16(POLLIN), revents: 0)
      poll(&watched, 1, due > now ? Int32(clamping: (due - now + 999_999) / 1_000_000) : 0)
    }
    if let failure { throw failure }
    return last
  }

  func opened(subprotocol: String?, headers: [HeaderField]) {}

  func message(_ bytes: UnsafeRawBufferPointer, isText: Bool) {
    guard echoes else {
      last = String(decoding: bytes, as: UTF8.self)
      return
    }
    do {
      if isText { try connection.send(text: bytes) } else { try connection.send(binary: bytes) }
    } catch SendError.notOpen {
      // The case goes on after our close frame.
    } catch {
      failure = error
    }
  }

  func pong(latency: UInt64) {}

  func closed(code: UInt16, reason: String, clean: Bool) {}

  func failed(_ failure: ConnectionFailure) {
    // Cases that break the protocol end so; without an opening there is no case.
    if connection.state == .closed, case .protocolViolation = failure.kind { return }
    if case .dropped = failure.kind { return }
    self.failure = failure
  }
}
