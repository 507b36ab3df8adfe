import Glibc
import Scripting
import Threads
import WebSocket

/// Answers commands about a running host, on a thread of its own.
///
/// A connection asks for one thing and is closed behind the answer. Connections, their requests and the time that each
/// may take are bounded, so that no client can do harm to the host or to other clients.
actor ControlServer {
  static let connectionLimit = 16
  /// How long a client may take to ask, and again to read the answer.
  static let patience: UInt64 = 5_000_000_000
  private static let listenerTag = UInt64.max - 1
  /// How long to wait before writing on to a client that reads slowly.
  private static let retry: UInt64 = 10_000_000

  private enum Phase {
    case reading(ControlReading)
    /// The host is asked; nothing is read meanwhile.
    case waiting
    case writing([UInt8], written: Int)
  }

  private struct Connection {
    var phase: Phase
    var deadline: UInt64
    /// Tells it from a later one of the same descriptor.
    var number: UInt64
  }

  private let loop: EventLoop
  private let answer: @Sendable (ControlRequest) async -> Value
  private var listener: ControlListener?
  private var connections: [Int32: Connection] = [:]
  private var accepted: UInt64 = 0
  /// The latest status, which answers further questions within a moment: many of them cost the host nothing.
  private var status: (value: Value, time: UInt64)?

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private init(
    loop: EventLoop, path: String, answer: @escaping @Sendable (ControlRequest) async -> Value
  ) throws(FileError) {
    self.loop = loop
    self.answer = answer
    let listener = try ControlListener(path: path)
    guard loop.watch(listener.descriptor, tag: Self.listenerTag) else {
      throw FileError("can't watch the socket for commands: \(SystemFailure.last.description)")
    }
    self.listener = listener
  }

  /// Begins to answer at a path.
  ///
  /// - Throws: ``FileError`` where it can't listen.
  static func start(
    at path: String, answer: @escaping @Sendable (ControlRequest) async -> Value
  ) throws(FileError) -> ControlServer {
    let loop = try EventLoop()
    let server = try ControlServer(loop: loop, path: path, answer: answer)
    do throws(SystemFailure) {
      try DedicatedThread.start {
        loop.run(
          wait: { server.assumeIsolated { $0.milliseconds() } },
          turn: { turn in server.assumeIsolated { $0.turn(turn) } })
      }
    } catch {
      throw FileError("can't start the thread for commands: \(error.description)")
    }
    return server
  }

  /// Closes everything and ends the thread.
  func stop() {
    listener = nil
    for descriptor in connections.keys { close(descriptor) }
    connections = [:]
    loop.stop()
  }

  private func milliseconds() -> Int32 {
    let now = monotonicNanoseconds()
    var due: UInt64?
    for connection in connections.values {
      var next = connection.deadline
      switch connection.phase {
      case .reading: break
      case .waiting: continue
      case .writing: next = min(next, now + Self.retry)
      }
      due = min(due ?? next, next)
    }
    guard let due else { return -1 }
    return due <= now ? 0 : Int32(clamping: (due - now + 999_999) / 1_000_000)
  }

  private func turn(_ turn: EventLoop.Turn) {
    for tag in turn.ready {
      if tag == Self.listenerTag { acceptAll() } else { read(Int32(truncatingIfNeeded: tag)) }
    }
    let now = monotonicNanoseconds()
    for (descriptor, connection) in connections {
      if case .writing = connection.phase { write(descriptor) }
      guard let connection = connections[descriptor], connection.deadline <= now else { continue }
      if case .waiting = connection.phase { continue }
      end(descriptor)
    }
  }

  private func acceptAll() {
    while let descriptor = listener?.accept() {
      guard connections.count < Self.connectionLimit else {
        // It is told at once, or not at all.
        let text = Array((ControlFault("too many commands at once; try again").answer.json + "\n").utf8)
        _ = Glibc.send(descriptor, text, text.count, Int32(MSG_NOSIGNAL))
        close(descriptor)
        continue
      }
      guard loop.watch(descriptor, tag: UInt64(descriptor)) else {
        close(descriptor)
        continue
      }
      accepted += 1
      connections[descriptor] = Connection(
        phase: .reading(ControlReading()), deadline: monotonicNanoseconds() + Self.patience, number: accepted)
    }
  }

  private func read(_ descriptor: Int32) {
    guard case .reading(var reading)? = connections[descriptor]?.phase else { return }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return end(descriptor) }
    let step = reading.take(buffer[..<count])
    connections[descriptor]?.phase = .reading(reading)
    switch step {
    case .more: return
    case .fault(let fault): reply(fault.answer, to: descriptor)
    case .request(let request):
      loop.unwatch(descriptor)
      connections[descriptor]?.phase = .waiting
      guard let number = connections[descriptor]?.number else { return }
      Task {
        let value = await answered(request)
        if connections[descriptor]?.number == number { reply(value, to: descriptor) }
      }
    }
  }

  private func answered(_ request: ControlRequest) async -> Value {
    guard request == .status else { return await answer(request) }
    if let status, monotonicNanoseconds() - status.time < 100_000_000 { return status.value }
    let value = await answer(request)
    status = (value, monotonicNanoseconds())
    return value
  }

  private func reply(_ value: Value, to descriptor: Int32) {
    connections[descriptor]?.phase = .writing(Array((value.json + "\n").utf8), written: 0)
    connections[descriptor]?.deadline = monotonicNanoseconds() + Self.patience
    loop.unwatch(descriptor)
    write(descriptor)
  }

  private func write(_ descriptor: Int32) {
    guard case .writing(let bytes, var written)? = connections[descriptor]?.phase else { return }
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        connections[descriptor]?.phase = .writing(bytes, written: written)
        return
      }
      guard count > 0 else { break }
      written += count
    }
    end(descriptor)
  }

  private func end(_ descriptor: Int32) {
    loop.unwatch(descriptor)
    close(descriptor)
    connections[descriptor] = nil
  }
}
