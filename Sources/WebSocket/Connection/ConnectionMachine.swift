/// A WebSocket connection without its socket: driven by bytes and times, it answers what to do next.
///
///     idle → connecting → upgrading → open → closing → closed
///
/// A redirect leads from upgrading back to connecting. The caller moves bytes: what it read goes in through
/// `begin` and `next`, what `output` holds goes out and is confirmed with `wrote`. Times are nanoseconds of one
/// monotonic clock. Nothing here allocates per message.
package struct ConnectionMachine: ~Copyable {
  /// Where the connection is.
  package enum State: Equatable {
    case idle
    case connecting
    case upgrading
    case open
    case closing
    case closed
  }

  /// What the caller does next.
  package enum Action {
    /// Nothing; give more bytes or wait for the next deadline.
    case proceed
    /// Report that the connection is open; `accepted` says how. Then call `next` again.
    case opened
    /// Report a message; the pointer is valid until the next call. Then call `next` again.
    case message(UnsafeRawBufferPointer, isText: Bool)
    /// Report the round trip of a ping in nanoseconds. Then call `next` again.
    case pong(latency: UInt64)
    /// Drop the stream and connect to `destination`.
    case reconnect
    /// Drop the stream and report `ending`.
    case finish
  }

  /// Waiting output beyond which a pong waits too; of the pings meanwhile only the latest is answered.
  private static let pongThreshold = 16 * 1024
  /// How long a failed connection stays for the server to read why, and a refusal for its body.
  private static let courtesy: UInt64 = 1_000_000_000

  /// Where the connection is.
  package private(set) var state = State.idle
  /// Where it leads; changes with redirects.
  package private(set) var destination: Destination
  /// What the server agreed to, once open.
  package private(set) var accepted: Handshake.Accepted?
  /// How it ended, once closed.
  package private(set) var ending: Ending?

  private let configuration: Configuration
  private var handshake: Handshake?
  private var reader: FrameReader
  private var writer: FrameWriter
  private var input = UnsafeRawBufferPointer(start: nil, count: 0)
  private var keepalive: Keepalive
  private var pendingPong = MessageBuffer()
  private var isPongPending = false
  /// The deadline of the connect, of a refusal's body, or of closing.
  private var deadline: UInt64?
  private var connectDeadline: UInt64 = .max

  // Closing.
  private var sentClose = false
  private var receivedClose: (code: UInt16, reason: String)?
  private var failure: ConnectionFailure?

  /// Makes an idle machine. The configuration must have passed its `check`, which answered the endpoint.
  package init(configuration: Configuration, endpoint: Endpoint) {
    self.configuration = configuration
    destination = Destination(endpoint: endpoint, headers: configuration.headers)
    reader = FrameReader(maximumMessageBytes: configuration.maximumMessageBytes)
    writer = FrameWriter(maximumPendingBytes: configuration.maximumPendingBytes)
    keepalive = Keepalive(
      interval: configuration.pingInterval?.nanoseconds, timeout: configuration.pingTimeout?.nanoseconds)
  }

  /// The time of the next call of `timeReached`; nil when only bytes matter.
  package var nextDeadline: UInt64? { state == .open ? keepalive.deadline : deadline }

  // MARK: Events of the stream

  /// The connect begins now; its deadline covers everything up to the opening.
  package mutating func start(now: UInt64) {
    precondition(state == .idle, "a connection starts once")
    state = .connecting
    connectDeadline = now.advanced(bySaturating: configuration.connectTimeout.nanoseconds)
    deadline = connectDeadline
  }

  /// The byte stream stands, TLS included: asks for the upgrade.
  package mutating func connected() -> Action {
    guard state == .connecting else { return .proceed }
    var random = RandomBytes()
    var nonce = [UInt8](repeating: 0, count: 16)
    guard nonce.withUnsafeMutableBytes({ random.fill($0) }) else {
      return finish(
        .failed(ConnectionFailure(.resources, "the kernel gave no random bytes for the handshake")))
    }
    let request = UpgradeRequest(
      endpoint: destination.endpoint, headers: destination.headers, subprotocols: configuration.subprotocols,
      compression: configuration.compression, nonce: nonce)
    writer.appendRaw(request.bytes)
    handshake = Handshake(request)
    state = .upgrading
    return .proceed
  }

  /// Offers bytes that were read; they must stay in place until `next` has answered `proceed`.
  package mutating func begin(_ bytes: UnsafeRawBufferPointer, now: UInt64) {
    keepalive.heard(now: now)
    if state == .upgrading { input = bytes } else { reader.begin(bytes) }
  }

  /// Works on the offered bytes up to the next thing to do; `proceed` when they are used up.
  package mutating func next(now: UInt64) -> Action {
    if state == .upgrading { return continueUpgrade(now: now) }
    while state == .open || isAwaitingClose {
      switch reader.next() {
      case .needMore:
        return .proceed
      case .message(let bytes, let isText):
        return .message(bytes, isText: isText)
      case .ping(let payload):
        answer(ping: payload)
      case .pong(let payload):
        if let latency = keepalive.pong(payload, now: now) { return .pong(latency: latency) }
      case .close(let code, let reason):
        receive(close: code, reason: reason, now: now)
      case .violation(let violation):
        fail(violation, now: now)
      }
    }
    return .proceed
  }

  /// The server ended the stream.
  package mutating func streamEnded() -> Action {
    switch state {
    case .idle, .closed: return .proceed
    case .connecting, .upgrading:
      let failure = handshake?.ended()
      return finish(
        .failed(failure ?? ConnectionFailure(.connect, "\(name) closed the connection while it was made")))
    case .open:
      let place = reader.isInsideMessage ? " in the middle of a message" : ""
      return finish(
        .failed(ConnectionFailure(.dropped, "\(name) ended the connection without a close frame\(place)")))
    case .closing: return finishClosing()
    }
  }

  /// The stream broke; the failure says how.
  package mutating func streamFailed(_ failure: ConnectionFailure) -> Action {
    switch state {
    case .idle, .closed: return .proceed
    case .upgrading where handshake?.isReadingRefusal == true: return streamEnded()
    case .connecting, .upgrading, .open:
      var failure = failure
      failure.description += handshake?.certificateHint ?? ""
      return finish(.failed(failure))
    case .closing: return finishClosing()
    }
  }

  /// A deadline may have passed.
  ///
  /// - Parameters:
  ///   - isDrained: true when all bytes that have arrived were offered. An overdue pong may be among the others.
  ///   - phase: how far the stream is, while connecting.
  package mutating func timeReached(now: UInt64, isDrained: Bool, phase: ConnectPhase?) -> Action {
    switch state {
    case .idle, .closed: return .proceed
    case .connecting, .upgrading:
      guard let deadline, now >= deadline else { return .proceed }
      if let handshake, handshake.isReadingRefusal { return finish(.failed(handshake.ended())) }
      return finish(.failed(connectTimeout(phase)))
    case .open:
      if !isDrained { keepalive.heard(now: now) }
      if keepalive.isOverdue(now: now) {
        let span = configuration.pingTimeout.map { "\($0)" } ?? ""
        return finish(
          .failed(
            ConnectionFailure(
              .pingTimeout, "\(name) has sent nothing for \(span), not even the answer to a ping")))
      }
      guard keepalive.isPingDue(now: now) else { return .proceed }
      // Unanswered pings must not pile up before a server that does not read.
      if keepalive.isWaiting, writer.pendingBytes > 0 { keepalive.skip(now: now) } else { sendPing(now: now) }
      return .proceed
    case .closing:
      guard let deadline, now >= deadline else { return .proceed }
      return finishClosing()
    }
  }

  // MARK: Output

  /// The oldest bytes to write that lie together; they keep their place until written.
  package var output: UnsafeRawBufferPointer { writer.pending }

  /// All bytes that wait to be written.
  package var pendingBytes: Int { writer.pendingBytes }

  /// Confirms bytes of `output` that were written.
  package mutating func wrote(_ count: Int) {
    writer.remove(count)
    guard isPongPending, writer.pendingBytes < Self.pongThreshold else { return }
    isPongPending = false
    put(Opcode.pong, pendingPong.bytes)
  }

  // MARK: Wishes of the owner

  /// Queues a message in one frame.
  /// - Throws: `SendError` when the connection is not open or too much waits already.
  package mutating func send(_ payload: UnsafeRawBufferPointer, isText: Bool) throws(SendError) {
    guard state == .open else { throw .notOpen }
    if isText {
      var validator = UTF8Validator()
      guard validator.consume(payload), validator.isComplete else { throw .invalidText }
    }
    try writer.message(payload, isText: isText)
  }

  /// Queues a ping unless one waits for its pong already.
  package mutating func ping(now: UInt64) throws(SendError) {
    guard state == .open else { throw .notOpen }
    if !keepalive.isWaiting { sendPing(now: now) }
  }

  /// Starts the close handshake; before the opening, ends the connection at once (then `ending` is set).
  /// - Throws: `SendError` for a code or a reason that a close frame may not carry.
  package mutating func close(code: UInt16, reason: String, now: UInt64) throws(SendError) {
    guard CloseCode.mayTravel(code) else { throw .closeCode(code) }
    guard reason.utf8.count <= 123 else { throw .closeReasonTooLong(reason.utf8.count) }
    switch state {
    case .closing, .closed: return
    case .idle, .connecting, .upgrading:
      _ = finish(.closed(code: CloseCode.abnormal, reason: "", clean: false))
    case .open:
      beginClosing(now: now, within: configuration.closeTimeout.nanoseconds)
      sendClose(code: code, reason: reason)
    }
  }

  // MARK: Upgrade

  private var name: String { destination.endpoint.description }

  private mutating func continueUpgrade(now: UInt64) -> Action {
    let wasReadingRefusal = handshake?.isReadingRefusal ?? false
    // Never nil while upgrading.
    guard let outcome = handshake?.receive(&input) else { return .proceed }
    switch outcome {
    case .needMore:
      if !wasReadingRefusal, handshake?.isReadingRefusal == true {
        deadline = min(connectDeadline, now.advanced(bySaturating: Self.courtesy))
      }
      return .proceed
    case .failed(let failure):
      return finish(.failed(failure))
    case .redirected(let location):
      do {
        destination = try destination.following(location: location)
      } catch {
        return finish(.failed(error))
      }
      handshake = nil
      writer.removeAll()
      state = .connecting
      return .reconnect
    case .accepted(let accepted):
      self.accepted = accepted
      handshake = nil
      state = .open
      deadline = nil
      if let agreed = accepted.compression, let compression = configuration.compression {
        reader.beginInflating(agreed)
        writer.beginDeflating(agreed, from: compression.minimumBytes)
      }
      keepalive.opened(now: now)
      reader.begin(input)
      return .opened
    }
  }

  private func connectTimeout(_ phase: ConnectPhase?) -> ConnectionFailure {
    let place = state == .upgrading ? "the answer to the upgrade had not come" : (phase ?? .connecting).text
    return ConnectionFailure(
      .connectTimeout, "no connection to \(name) within \(configuration.connectTimeout): \(place)")
  }

  // MARK: Control frames

  private mutating func answer(ping payload: UnsafeRawBufferPointer) {
    guard state == .open else { return }
    guard writer.pendingBytes >= Self.pongThreshold || isPongPending else {
      put(Opcode.pong, payload)
      return
    }
    pendingPong.clear()
    isPongPending = pendingPong.append(payload)
  }

  private mutating func sendPing(now: UInt64) {
    let payload = keepalive.ping(now: now)
    withUnsafeBytes(of: payload) { put(Opcode.ping, $0) }
  }

  /// Queues a control frame. Without random bytes for its mask nothing can be sent any more: the connection
  /// fails at the next deadline, which is at once.
  private mutating func put(_ opcode: UInt8, _ payload: UnsafeRawBufferPointer) {
    do {
      try writer.control(opcode, payload)
    } catch {
      failure = ConnectionFailure(.resources, "\(name): \(error)")
      state = .closing
      deadline = 0
    }
  }

  // MARK: Closing

  /// True when our close frame is out and the server's is not in: messages may still come.
  private var isAwaitingClose: Bool { state == .closing && receivedClose == nil && failure == nil }

  private mutating func receive(close code: UInt16?, reason: UnsafeRawBufferPointer, now: UInt64) {
    receivedClose = (code ?? CloseCode.noStatus, String(decoding: reason, as: UTF8.self))
    guard !sentClose else { return }
    beginClosing(now: now, within: configuration.closeTimeout.nanoseconds)
    sendClose(code: code, reason: "")
  }

  /// Fails the connection (RFC 6455 section 7.1.7): tells the server why, then takes nothing more from it.
  private mutating func fail(_ violation: FrameViolation, now: UInt64) {
    failure = ConnectionFailure(
      .protocolViolation(closeCode: violation.closeCode),
      "\(name) \(violation.text) (closed with code \(violation.closeCode))")
    let hadSentClose = sentClose
    beginClosing(now: now, within: min(configuration.closeTimeout.nanoseconds, Self.courtesy))
    if !hadSentClose { sendClose(code: violation.closeCode, reason: "") }
  }

  private mutating func beginClosing(now: UInt64, within span: UInt64) {
    state = .closing
    deadline = now.advanced(bySaturating: span)
    isPongPending = false
  }

  private mutating func sendClose(code: UInt16?, reason: String) {
    sentClose = true
    var payload: [UInt8] = []
    if let code { payload = [UInt8(code >> 8), UInt8(code & 0xFF)] + reason.utf8 }
    payload.withUnsafeBytes { put(Opcode.close, $0) }
  }

  private mutating func finishClosing() -> Action {
    if let failure { return finish(.failed(failure)) }
    if let receivedClose {
      return finish(.closed(code: receivedClose.code, reason: receivedClose.reason, clean: true))
    }
    return finish(.closed(code: CloseCode.abnormal, reason: "", clean: false))
  }

  private mutating func finish(_ ending: Ending) -> Action {
    self.ending = ending
    state = .closed
    deadline = nil
    writer.removeAll()
    return .finish
  }
}
