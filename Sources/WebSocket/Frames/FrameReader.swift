import CWslay

/// Turns the bytes a server sends into whole messages and control frames (RFC 6455 section 5).
///
/// Give it bytes with `begin`, then call `next` until it answers `needMore`. It remembers what is unfinished,
/// allocates only for a message that does not lie whole in one input, and never more than has really come.
/// After `violation` it must not be used again.
package struct FrameReader: ~Copyable {
  /// What the bytes held. The pointers are valid until the next call of `next`, `begin` or the input's end.
  package enum Event {
    /// The input is used up.
    case needMore
    case message(UnsafeRawBufferPointer, isText: Bool)
    case ping(UnsafeRawBufferPointer)
    case pong(UnsafeRawBufferPointer)
    /// A close frame, its code checked; nil stands for a frame without one.
    case close(code: UInt16?, reason: UnsafeRawBufferPointer)
    case violation(FrameViolation)
  }

  /// RSV1 as wslay has it: the highest of three bits.
  static let compressionBit: UInt8 = 4

  private let context: wslay_frame_context_ptr
  private let input: UnsafeMutablePointer<FrameInput>
  private let maximumMessageBytes: Int
  /// What may come of a message before it is inflated: data that can't be compressed grows a little.
  private var maximumCompressedBytes: Int { maximumMessageBytes + maximumMessageBytes / 16 + 64 }

  // The frame being read.
  private var isInFrame = false
  private var opcode: UInt8 = 0
  private var isFinal = false
  private var length = 0
  private var received = 0
  /// The frame's payload in the input, when it is a whole message and lies there.
  private var whole: UnsafeRawPointer?

  // The message being read, over its frames.
  private var isInMessage = false
  private var isText = false
  private var messageLength = 0
  private var validator = UTF8Validator()
  private var message = MessageBuffer()
  /// Inflates compressed messages; nil when compression was not agreed on.
  private var inflater: Inflater?
  private var isCompressed = false

  /// Payload of a control frame; apart from the message, which it may interrupt.
  private var control = MessageBuffer()

  /// Makes a reader at the start of a frame.
  /// - Parameter maximumMessageBytes: the largest message taken, over all its fragments.
  package init(maximumMessageBytes: Int) {
    self.maximumMessageBytes = min(maximumMessageBytes, 1 << 48)
    input = .allocate(capacity: 1)
    input.initialize(to: FrameInput())
    var callbacks = wslay_frame_callbacks()
    callbacks.recv_callback = takeFrameInput
    var made: wslay_frame_context_ptr?
    let status = wslay_frame_context_init(&made, &callbacks, input)
    guard status == 0, let made else { fatalError("no memory for a frame reader") }
    context = made
  }

  deinit {
    wslay_frame_context_free(context)
    input.deallocate()
  }

  /// True in the middle of a message or of a frame's payload.
  package var isInsideMessage: Bool { isInMessage || isInFrame }

  /// Takes compressed messages from now on.
  package mutating func beginInflating(_ agreed: Compression.Agreement) {
    inflater = Inflater(windowBits: agreed.serverWindowBits, keepsContext: agreed.serverKeepsContext)
  }

  /// Offers the next bytes, which must stay in place until `next` has answered `needMore`.
  package mutating func begin(_ bytes: UnsafeRawBufferPointer) { input.pointee.begin(bytes) }

  /// Reads on to the next event.
  package mutating func next() -> Event {
    if !isInMessage {
      let size = max(message.count, messageLength)
      message.clear()
      if message.isLarge { message.noteMessage(size: size) }
    }
    var frame = wslay_frame_iocb()
    while true {
      input.pointee.isStarved = false
      let status = wslay_frame_recv(context, &frame)
      if status < 0 {
        guard status == Int(WSLAY_ERR_WANT_READ.rawValue) else { return .violation(.malformedFrame) }
        if input.pointee.isStarved { return .needMore }
        continue
      }
      if !isInFrame, let violation = startFrame(frame) { return .violation(violation) }
      let piece = UnsafeRawBufferPointer(start: frame.data, count: frame.data_length)
      received += piece.count
      if let violation = take(piece) { return .violation(violation) }
      guard received == length else { continue }
      isInFrame = false
      if let event = endFrame(piece) { return event }
    }
  }

  // MARK: Frames

  private mutating func startFrame(_ frame: wslay_frame_iocb) -> FrameViolation? {
    // The first bit marks the first frame of a compressed message, and nothing else (RFC 7692 section 6).
    let isMarked = frame.rsv == Self.compressionBit && inflater != nil
    guard frame.rsv == 0 || isMarked && (frame.opcode == Opcode.text || frame.opcode == Opcode.binary) else {
      return .reservedBits
    }
    guard frame.mask == 0 else { return .masked }
    opcode = frame.opcode
    isFinal = frame.fin != 0
    received = 0
    whole = nil
    switch opcode {
    case Opcode.continuation:
      guard isInMessage else { return .continuationWithoutStart }
    case Opcode.text, Opcode.binary:
      guard !isInMessage else { return .interruptedMessage }
      isText = opcode == Opcode.text
      isCompressed = isMarked
      messageLength = 0
      validator = UTF8Validator()
    case Opcode.close, Opcode.ping, Opcode.pong:
      control.clear()
      length = Int(frame.payload_length)
      isInFrame = true
      return nil
    default:
      return .unknownOpcode(opcode)
    }
    let limit = isCompressed ? maximumCompressedBytes : maximumMessageBytes
    guard frame.payload_length <= UInt64(limit - messageLength) else {
      return .messageTooBig(limit: maximumMessageBytes)
    }
    length = Int(frame.payload_length)
    messageLength += length
    isInFrame = true
    if isFinal, !isInMessage, !isCompressed, let data = frame.data {
      whole = input.pointee.original(of: UnsafeRawPointer(data), length: length)
    }
    isInMessage = true
    return nil
  }

  /// Takes a piece of the frame's payload, as it comes.
  private mutating func take(_ piece: UnsafeRawBufferPointer) -> FrameViolation? {
    if Opcode.isControl(opcode) {
      guard piece.count < length else { return nil }
      return control.append(piece) ? nil : .outOfMemory
    }
    if isCompressed {
      let start = message.count
      let outcome = inflater?.inflate(piece, into: &message, limit: maximumMessageBytes)
      return check(outcome, from: start)
    }
    if isText, !validator.consume(piece) { return .invalidText }
    if whole == nil, !message.append(piece) { return .outOfMemory }
    return nil
  }

  /// Checks what the inflater added to the message, from an index on.
  private mutating func check(_ outcome: Inflater.Outcome?, from start: Int) -> FrameViolation? {
    switch outcome {
    case .done: break
    case .tooBig: return .messageTooBig(limit: maximumMessageBytes)
    case .malformed, nil: return .malformedCompression
    case .outOfMemory: return .outOfMemory
    }
    guard isText else { return nil }
    return validator.consume(UnsafeRawBufferPointer(rebasing: message.bytes[start...])) ? nil : .invalidText
  }

  /// The event of a frame whose payload is complete; nil when the message goes on.
  private mutating func endFrame(_ lastPiece: UnsafeRawBufferPointer) -> Event? {
    if Opcode.isControl(opcode) {
      let payload = lastPiece.count == length ? lastPiece : control.bytes
      switch opcode {
      case Opcode.ping: return .ping(payload)
      case Opcode.pong: return .pong(payload)
      default: return closeEvent(payload)
      }
    }
    guard isFinal else { return nil }
    if isCompressed {
      let start = message.count
      let outcome = inflater?.finish(into: &message, limit: maximumMessageBytes)
      if let violation = check(outcome, from: start) { return .violation(violation) }
    }
    isInMessage = false
    if isText, !validator.isComplete { return .violation(.invalidText) }
    if let whole { return .message(UnsafeRawBufferPointer(start: whole, count: length), isText: isText) }
    return .message(message.bytes, isText: isText)
  }

  private func closeEvent(_ payload: UnsafeRawBufferPointer) -> Event {
    if payload.isEmpty { return .close(code: nil, reason: payload) }
    guard payload.count >= 2 else { return .violation(.malformedClose) }
    let code = UInt16(payload[0]) << 8 | UInt16(payload[1])
    guard CloseCode.mayTravel(code) else { return .violation(.closeCode(code)) }
    let reason = UnsafeRawBufferPointer(rebasing: payload[2...])
    var validator = UTF8Validator()
    guard validator.consume(reason), validator.isComplete else { return .violation(.invalidText) }
    return .close(code: code, reason: reason)
  }
}
