import Composable
import Glibc

/// Listens on a port of the loopback interface and serves each connection on a thread of its own.
final class LoopbackServer: Sendable {
  let port: UInt16
  private let listener: Int32

  init(_ serve: @escaping @Sendable (Peer) -> Void) {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    precondition(isListening, "A port couldn't be opened: \(String(cString: strerror(errno))).")
    port = UInt16(bigEndian: address.sin_port)
    Task(executorPreference: WorkerThread()) {
      while true {
        let connection = accept(listener, nil, nil)
        if connection < 0 { return }
        Task(executorPreference: WorkerThread()) { serve(Peer(connection)) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}

/// The other end of a connection, as the server sees it.
final class Peer {
  private let descriptor: Int32
  private var input: [UInt8] = []

  init(_ descriptor: Int32) { self.descriptor = descriptor }
  deinit { close(descriptor) }

  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  /// The next bytes; nil at the end.
  func read(_ count: Int) -> [UInt8]? {
    while input.count < count { if !fill() { return nil } }
    defer { input.removeFirst(count) }
    return Array(input[..<count])
  }

  /// The text up to an empty line; nil at the end.
  func readHead() -> String? {
    while true {
      if let end = (0..<max(0, input.count - 3)).first(where: {
        input[$0..<$0 + 4].elementsEqual([13, 10, 13, 10])
      }) {
        return read(end + 4).map { String(decoding: $0, as: UTF8.self) }
      }
      if !fill() { return nil }
    }
  }

  /// Returns when the other end has closed.
  func waitForEnd() { while fill() {} }

  private func fill() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    if count > 0 { input += buffer[..<count] }
    return count > 0
  }
}

/// Collects what closures of any thread report, in order, for a test to wait for.
struct Events<Value: Sendable>: Sendable {
  private let stream: AsyncStream<Value>
  private let continuation: AsyncStream<Value>.Continuation

  init() { (stream, continuation) = AsyncStream<Value>.makeStream() }
  func add(_ value: Value) { continuation.yield(value) }
  func first() async -> Value? {
    for await value in stream { return value }
    return nil
  }
}
