import CCurl
import Glibc

/// One connection to a WebSocket server, from the first lookup to the end; it does not reconnect.
///
/// It never blocks and starts no thread of its own. Any thread may own it, one at a time; all calls are the
/// owner's. The owner watches `fileDescriptor` for readability, level-triggered, and calls `process` when it is
/// readable or `nextDeadline` has come, then again until it answers something else than `moreWaiting`.
///
/// Times are nanoseconds of the monotonic clock. A sink may call `send`, `ping` and `close` while it is being
/// reported to, but not `process`.
package final class WebSocketConnection {
  /// What `process` left behind.
  package enum Progress: Equatable {
    /// Everything that had arrived was handled.
    case idle
    /// The bound was reached first: call again, without waiting.
    case moreWaiting
    /// The end was reported; the connection may be dropped.
    case finished
  }

  /// Makes the byte stream to an endpoint, watched through an epoll descriptor.
  package typealias StreamFactory =
    (_ endpoint: Endpoint, _ configuration: Configuration, _ epoll: Int32) throws(ConnectionFailure) ->
    any ByteStream

  /// The most bytes that one call of `process` reads unless told otherwise.
  package static let defaultReadLimit = 256 * 1024

  /// The one descriptor to watch, in every phase: an epoll set that holds the stream's sockets.
  package let fileDescriptor: Int32

  private let configuration: Configuration
  private let makeStream: StreamFactory
  private var machine: ConnectionMachine
  private var stream: (any ByteStream)?
  private var isConnected = false
  private var isReported = false
  private var writeFailure: ConnectionFailure?
  private var moreWaiting = false
  private var isProcessing = false
  /// Touched only as far as reads fill it, so an idle connection costs a page.
  private let buffer: UnsafeMutableRawBufferPointer

  /// Prepares a connection; the first `process` begins it.
  /// - Throws: a failure of kind `configuration` or, without descriptors, `resources`.
  package init(
    configuration: Configuration,
    makeStream: @escaping StreamFactory = {
      (endpoint, configuration, epoll) throws(ConnectionFailure) in
      try CurlByteStream(endpoint: endpoint, configuration: configuration, epoll: epoll)
    }
  ) throws(ConnectionFailure) {
    let endpoint = try configuration.check()
    let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else {
      throw ConnectionFailure(.resources, "no descriptor for \(endpoint.description): \(errnoText())")
    }
    fileDescriptor = descriptor
    self.configuration = configuration
    self.makeStream = makeStream
    machine = ConnectionMachine(configuration: configuration, endpoint: endpoint)
    buffer = .allocate(byteCount: Self.defaultReadLimit, alignment: 16)
  }

  deinit {
    stream?.close()
    stream = nil
    Glibc.close(fileDescriptor)
    buffer.deallocate()
  }

  /// Where the connection is.
  package var state: ConnectionMachine.State { machine.state }

  /// Bytes that wait for the server to read them.
  package var pendingBytes: Int { machine.pendingBytes }

  /// When to call `process` even if nothing has arrived; nil for never. Zero (now) while there is work.
  package var nextDeadline: UInt64? {
    if isReported { return nil }
    if moreWaiting || machine.state == .idle || machine.ending != nil || writeFailure != nil { return 0 }
    guard let other = isConnected ? nil : stream?.connectDeadline else { return machine.nextDeadline }
    return machine.nextDeadline.map { min($0, other) } ?? other
  }

  /// Does what can be done without waiting: connects, reads and reports, writes, minds the deadlines.
  ///
  /// - Parameters:
  ///   - now: the monotonic time.
  ///   - readLimit: the most bytes to read in this call; zero only writes and minds the deadlines.
  package func process(
    now: UInt64, readLimit: Int = defaultReadLimit, into sink: inout some MessageSink
  ) -> Progress {
    precondition(!isProcessing, "process was called from its own sink")
    guard !isReported else { return .finished }
    isProcessing = true
    defer { isProcessing = false }
    moreWaiting = false
    if machine.state == .idle {
      machine.start(now: now)
      openStream()
    }
    if machine.state == .connecting { connect(now: now) }
    var budget = readLimit
    var isDrained = !isConnected
    var hadFailed: Bool
    repeat {
      hadFailed = writeFailure != nil
      while isConnected, machine.ending == nil, budget > 0, !isDrained {
        isDrained = read(now: now, budget: &budget, into: &sink)
      }
      flush()
      // What the server said before it stopped listening may still wait to be read: once more, then it is over.
      if let writeFailure, hadFailed, isDrained { perform(machine.streamFailed(writeFailure)) }
      if writeFailure != nil, !hadFailed { isDrained = false }
    } while writeFailure != nil && !hadFailed
    perform(machine.timeReached(now: now, isDrained: isDrained, phase: isConnected ? nil : stream?.phase))
    flush()
    if let ending = machine.ending {
      dropStream()
      isReported = true
      report(ending, to: &sink)
      return .finished
    }
    moreWaiting = isConnected && !isDrained && readLimit > 0
    return moreWaiting ? .moreWaiting : .idle
  }

  // MARK: Sending

  /// Queues a text message and writes what fits.
  /// - Throws: `SendError` when not open, when too much waits, or when the bytes are not UTF-8.
  package func send(text: UnsafeRawBufferPointer) throws(SendError) {
    try machine.send(text, isText: true)
    flushUnlessProcessing()
  }

  /// Queues a text message and writes what fits.
  /// - Throws: `SendError` when not open or when too much waits.
  package func send(text: String) throws(SendError) {
    var text = text
    let result: Result<Void, SendError> = text.withUTF8 { bytes in
      Result { () throws(SendError) in try machine.send(UnsafeRawBufferPointer(bytes), isText: true) }
    }
    try result.get()
    flushUnlessProcessing()
  }

  /// Queues a binary message and writes what fits.
  /// - Throws: `SendError` when not open or when too much waits.
  package func send(binary: UnsafeRawBufferPointer) throws(SendError) {
    try machine.send(binary, isText: false)
    flushUnlessProcessing()
  }

  /// Queues a ping unless one waits for its pong already; the answer is reported as `pong(latency:)`.
  /// - Throws: `SendError.notOpen`.
  package func ping(now: UInt64 = monotonicNanoseconds()) throws(SendError) {
    try machine.ping(now: now)
    flushUnlessProcessing()
  }

  /// Starts the close handshake; go on calling `process` until it answers `finished`.
  /// - Throws: `SendError` for a code or a reason that a close frame may not carry.
  package func close(
    code: UInt16 = CloseCode.normal, reason: String = "", now: UInt64 = monotonicNanoseconds()
  ) throws(SendError) {
    try machine.close(code: code, reason: reason, now: now)
    flushUnlessProcessing()
  }

  // MARK: The stream

  private func openStream() {
    isConnected = false
    writeFailure = nil
    do throws(ConnectionFailure) {
      stream = try makeStream(machine.destination.endpoint, configuration, fileDescriptor)
    } catch {
      perform(machine.streamFailed(error))
    }
  }

  private func dropStream() {
    stream?.close()
    stream = nil
    isConnected = false
  }

  private func connect(now: UInt64) {
    guard let stream else { return }
    do throws(ConnectionFailure) {
      guard try stream.connect(now: now) else { return }
      isConnected = true
      perform(machine.connected())
      flush()
    } catch {
      perform(machine.streamFailed(error))
    }
  }

  /// Reads once and reports what came; true when nothing more has arrived.
  private func read(now: UInt64, budget: inout Int, into sink: inout some MessageSink) -> Bool {
    guard let stream else { return true }
    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<min(budget, buffer.count)])
    do throws(ConnectionFailure) {
      switch try stream.read(into: room) {
      case .wouldBlock:
        return true
      case .end:
        perform(machine.streamEnded())
        return true
      case .bytes(let count, let isDrained):
        budget -= count
        machine.begin(UnsafeRawBufferPointer(rebasing: room[..<count]), now: now)
        handle(now: now, into: &sink)
        return isDrained
      }
    } catch {
      perform(machine.streamFailed(error))
      return true
    }
  }

  private func handle(now: UInt64, into sink: inout some MessageSink) {
    while true {
      switch machine.next(now: now) {
      case .message(let bytes, let isText): sink.message(bytes, isText: isText)
      case .pong(let latency): sink.pong(latency: latency)
      case .opened:
        let accepted = machine.accepted
        sink.opened(subprotocol: accepted?.subprotocol, headers: accepted?.headers ?? [])
      case let action:
        perform(action)
        return
      }
    }
  }

  private func perform(_ action: ConnectionMachine.Action) {
    guard case .reconnect = action else { return }
    dropStream()
    openStream()
    connect(now: 0)
  }

  private func flushUnlessProcessing() { if !isProcessing { flush() } }

  /// Writes what fits and asks to be woken for the rest.
  private func flush() {
    guard isConnected, writeFailure == nil, let stream else { return }
    do throws(ConnectionFailure) {
      while case let bytes = machine.output, !bytes.isEmpty {
        let count = try stream.write(bytes)
        guard count > 0 else { break }
        machine.wrote(count)
      }
      stream.watch(forWriting: !machine.output.isEmpty)
    } catch {
      writeFailure = error
    }
  }

  private func report(_ ending: Ending, to sink: inout some MessageSink) {
    switch ending {
    case .closed(let code, let reason, let clean): sink.closed(code: code, reason: reason, clean: clean)
    case .failed(let failure): sink.failed(failure)
    }
  }
}
