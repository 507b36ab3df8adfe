internal import CZlib

/// Unpacks messages that a server compresses one by one, within a bound.
///
/// Confined to one thread at a time; its memory is used again and again.
final class MessageInflater {
  /// How messages are compressed.
  enum Form: String, Sendable, Hashable, CaseIterable {
    case gzip
    case zlib
    /// Raw deflate, without a head.
    case raw = "deflate_raw"
    /// Any of them, or none, as each message's first bytes say.
    case auto
  }

  private let form: Form
  private let maximumBytes: Int
  private var stream = z_stream()
  private var isReady = false
  private var output: UnsafeMutableRawBufferPointer

  /// Makes an inflater of messages of a form, which may have so many bytes when they are unpacked.
  init(_ form: Form, maximumBytes: Int) {
    self.form = form
    self.maximumBytes = maximumBytes
    // One byte more than it may have tells a message at its bound from a larger one.
    output = .allocate(byteCount: min(64 << 10, maximumBytes + 1), alignment: 16)
  }

  deinit {
    if isReady { inflateEnd(&stream) }
    output.deallocate()
  }

  /// Hands on the unpacked message, valid during the call.
  ///
  /// - Throws: ``InflationError`` when it is not of the form, cut short, or too large.
  func inflate(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(InflationError) {
    guard let window = Self.window(form, bytes) else { return body(bytes) }
    try begin(window)
    // zlib takes pointers to bytes that it could change, and doesn't.
    let start = UnsafeMutablePointer(mutating: bytes.bindMemory(to: UInt8.self).baseAddress)
    stream.next_in = start
    stream.avail_in = UInt32(clamping: bytes.count)
    var count = 0
    while true {
      stream.next_out = output.baseAddress?.advanced(by: count).assumingMemoryBound(to: UInt8.self)
      stream.avail_out = UInt32(clamping: output.count - count)
      let room = Int(stream.avail_out)
      let status = CZlib.inflate(&stream, Z_NO_FLUSH)
      count += room - Int(stream.avail_out)
      switch status {
      case Z_STREAM_END:
        // Several members of gzip may stand one behind the other (RFC 1952, section 2.2).
        guard stream.avail_in > 0 else {
          guard count <= maximumBytes else { throw tooLarge }
          return body(UnsafeRawBufferPointer(rebasing: output[..<count]))
        }
        guard window == Self.gzipWindow, inflateReset(&stream) == Z_OK else {
          throw InflationError("has \(stream.avail_in) bytes behind its end")
        }
      case Z_OK, Z_BUF_ERROR:
        if stream.avail_out == 0 {
          try grow(used: count)
        } else if stream.avail_in == 0 {
          throw InflationError("is cut short")
        }
      default:
        let name = form == .auto ? "compressed" : form.rawValue
        throw InflationError("is not \(name): \(stream.msg.map { String(cString: $0) } ?? "it is damaged")")
      }
    }
  }

  private static let gzipWindow: Int32 = 15 + 16

  /// The window bits that zlib wants, nil for a message that is not compressed.
  private static func window(_ form: Form, _ bytes: UnsafeRawBufferPointer) -> Int32? {
    switch form {
    case .gzip: return gzipWindow
    case .zlib: return 15
    case .raw: return -15
    case .auto:
      guard bytes.count >= 2 else { return nil }
      if bytes[0] == 0x1f, bytes[1] == 0x8b { return gzipWindow }
      if bytes[0] & 15 == 8, (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0 { return 15 }
      return bytes[0] == UInt8(ascii: "{") || bytes[0] == UInt8(ascii: "[") ? nil : -15
    }
  }

  private func begin(_ window: Int32) throws(InflationError) {
    let status =
      isReady
      ? inflateReset2(&stream, window)
      : inflateInit2_(&stream, window, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw InflationError("can't be unpacked: zlib gives \(status)") }
    isReady = true
  }

  private var tooLarge: InflationError {
    InflationError("has more than \(maximumBytes) bytes unpacked; raise 'max_message_bytes'")
  }

  private func grow(used: Int) throws(InflationError) {
    guard output.count <= maximumBytes else {
      throw tooLarge
    }
    let larger = UnsafeMutableRawBufferPointer.allocate(
      byteCount: min(output.count * 2, maximumBytes + 1), alignment: 16)
    larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: output[..<used]))
    output.deallocate()
    output = larger
  }
}

/// Why a message can't be unpacked, as the end of a sentence about it.
struct InflationError: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
