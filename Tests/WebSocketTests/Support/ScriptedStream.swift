@testable import WebSocket

/// A byte stream whose other side is the test.
final class ScriptedStream: ByteStream {
  /// What to read, in order; when it is used up, reads would block.
  var arriving: [Result<StreamRead, ConnectionFailure>] = []
  private var bytes: [[UInt8]] = []
  /// Everything written.
  private(set) var written: [UInt8] = []
  /// The most bytes a write takes at once; zero blocks.
  var writeRoom = Int.max
  var writeFailure: ConnectionFailure?
  private(set) var isWatchedForWriting = false
  private(set) var isClosed = false
  let connectDeadline: UInt64? = nil
  let phase = ConnectPhase.connecting
  private let onDeinit: () -> Void

  init(onDeinit: @escaping () -> Void = {}) { self.onDeinit = onDeinit }

  deinit { onDeinit() }

  func arrive(_ piece: [UInt8], isDrained: Bool = false) {
    arriving.append(.success(.bytes(piece.count, isDrained: isDrained)))
    bytes.append(piece)
  }

  /// Lets the proper answer to the request that was written arrive, and forgets the request.
  ///
  /// - Parameter extra: further lines of its head, each with its end.
  func answerUpgrade(_ extra: String = "") throws {
    let lines = String(decoding: written, as: UTF8.self).split(separator: "\r\n")
    let key =
      lines.first { $0.hasPrefix("Sec-WebSocket-Key: ") }?.dropFirst("Sec-WebSocket-Key: ".count) ?? ""
    var request = UpgradeRequest(
      endpoint: try Endpoint("ws://example.org/"), headers: [], subprotocols: [], nonce: [])
    request.key = String(key)
    written.removeAll()
    arrive(
      Array(
        ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
          + "Sec-WebSocket-Accept: \(request.expectedAccept)\r\n\(extra)\r\n").utf8))
  }

  func connect(now: UInt64) throws(ConnectionFailure) -> Bool { true }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectionFailure) -> StreamRead {
    guard !arriving.isEmpty else { return .wouldBlock }
    let next = try arriving.removeFirst().get()
    if case .bytes = next { buffer.copyBytes(from: bytes.removeFirst()) }
    return next
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ConnectionFailure) -> Int {
    if let writeFailure { throw writeFailure }
    let count = min(bytes.count, writeRoom)
    written += bytes.prefix(count)
    return count
  }

  func watch(forWriting: Bool) { isWatchedForWriting = forWriting }

  func close() { isClosed = true }
}
