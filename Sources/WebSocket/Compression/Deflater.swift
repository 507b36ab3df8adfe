import CZlib

/// Deflates the messages of one connection (RFC 7692 section 7.2.1).
///
/// Takes about 270 KiB with the largest window, so make it when there is something to compress.
struct Deflater: ~Copyable {
  /// The empty block at the end of flushed output, which does not travel.
  private static let tailLength = 4

  private let stream: UnsafeMutablePointer<z_stream>
  private let keepsContext: Bool
  private var output = MessageBuffer()
  /// False without memory; then every message leaves as it is.
  private let isReady: Bool

  /// Prepares for the messages of a client.
  ///
  /// - Parameters:
  ///   - windowBits: the window that the server can hold, 8 to 15.
  ///   - keepsContext: whether a message may refer to earlier ones.
  init(windowBits: Int, keepsContext: Bool) {
    self.keepsContext = keepsContext
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // zlib has no raw window of 8 bits; with 9 it refers at most 250 bytes back, which 8 bits hold.
    let bits = Int32(max(windowBits, 9))
    let status = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -bits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    isReady = status == Z_OK
  }

  deinit {
    if isReady { deflateEnd(stream) }
    stream.deallocate()
  }

  /// The message compressed, valid until the next call; nil when it would not get smaller or memory is short.
  mutating func deflate(_ message: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let size = output.count
    output.clear()
    if output.isLarge { output.noteMessage(size: size) }
    guard isReady, let length = UInt32(exactly: message.count) else { return nil }
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: message.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = length
    repeat {
      guard output.count <= message.count, let room = output.room(atLeast: 4096) else { return giveUp() }
      stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(min(room.count, 1 << 30))
      let offered = Int(stream.pointee.avail_out)
      let status = CZlib.deflate(stream, Z_SYNC_FLUSH)
      guard status == Z_OK || status == Z_BUF_ERROR else { return giveUp() }
      output.added(offered - Int(stream.pointee.avail_out))
    } while stream.pointee.avail_out == 0
    let count = output.count - Self.tailLength
    guard count < message.count else { return giveUp() }
    if !keepsContext { deflateReset(stream) }
    return UnsafeRawBufferPointer(rebasing: output.bytes[..<count])
  }

  /// Forgets the message, which the server does not see in this form: later ones must not refer to it.
  private mutating func giveUp() -> UnsafeRawBufferPointer? {
    deflateReset(stream)
    return nil
  }
}
