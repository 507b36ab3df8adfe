import CZlib

/// Inflates the messages of one connection as their bytes come (RFC 7692 section 7.2.2).
///
/// Output is made only as far as the limit allows, so a small message that would inflate to gigabytes is stopped
/// when it passes the limit, not after.
struct Inflater: ~Copyable {
  enum Outcome: Equatable {
    /// All input is used.
    case done
    /// The message is larger than the limit.
    case tooBig
    /// The bytes are no DEFLATE data, or end too early.
    case malformed
    case outOfMemory
  }

  /// Room made for output at a time.
  private static let step = 4096
  /// What a sender takes off the end of each message.
  private static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

  private let stream: UnsafeMutablePointer<z_stream>
  private let keepsContext: Bool
  /// True when a message needs no tail: it has no byte yet, or its last byte ended a last block.
  private var isComplete = true

  /// Prepares for the messages of a server.
  ///
  /// - Parameters:
  ///   - windowBits: the window that the server compresses with, 8 to 15.
  ///   - keepsContext: whether a message may refer to earlier ones.
  init(windowBits: Int, keepsContext: Bool) {
    self.keepsContext = keepsContext
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // zlib as a server compresses with 9 bits where 8 were agreed on.
    let bits = Int32(max(windowBits, 9))
    let status = inflateInit2_(stream, -bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { fatalError("no memory for inflating") }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Inflates the next bytes of a message and adds what they give.
  mutating func inflate(
    _ bytes: UnsafeRawBufferPointer, into message: inout MessageBuffer, limit: Int
  ) -> Outcome {
    if bytes.isEmpty { return .done }
    isComplete = false
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(bytes.count)
    while true {
      // One byte beyond the limit tells a message that passes it from one that just fits.
      let wanted = min(Self.step, limit + 1 - message.count)
      guard let room = message.room(atLeast: wanted) else { return .outOfMemory }
      let count = min(room.count, limit + 1 - message.count, 1 << 30)
      stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(count)
      let status = CZlib.inflate(stream, Z_SYNC_FLUSH)
      message.added(count - Int(stream.pointee.avail_out))
      guard message.count <= limit else { return .tooBig }
      switch status {
      case Z_STREAM_END:
        // A sender may end a block as the last one (RFC 7692 section 7.2.3.4); what follows may still refer back.
        guard inflateResetKeep(stream) == Z_OK else { return .malformed }
        isComplete = stream.pointee.avail_in == 0
        if isComplete { return .done }
      case Z_OK, Z_BUF_ERROR:
        // Room left over means that all input was used.
        if stream.pointee.avail_out > 0 { return stream.pointee.avail_in == 0 ? .done : .malformed }
      case Z_MEM_ERROR: return .outOfMemory
      default: return .malformed
      }
    }
  }

  /// Ends a message: gives back what the sender took off, and sees that it ends there.
  mutating func finish(into message: inout MessageBuffer, limit: Int) -> Outcome {
    if !isComplete {
      let outcome = Self.tail.withUnsafeBytes { inflate($0, into: &message, limit: limit) }
      guard outcome == .done else { return outcome }
      guard isBetweenBlocks else { return .malformed }
      isComplete = true
    }
    if !keepsContext, inflateReset(stream) != Z_OK { return .malformed }
    return .done
  }

  /// True at the start of a block with no bit of it read (`data_type` of `inflate`, zlib.h).
  private var isBetweenBlocks: Bool {
    let unusedBits = stream.pointee.data_type & 7
    return stream.pointee.data_type & 128 != 0 && unusedBits == 0
  }
}
