import CZlib

/// Deflates bytes into one gzip member.
struct GzipDeflater: ~Copyable {
  /// What is to become of what was given so far.
  enum Flush {
    /// It may wait for more, which compresses best.
    case none
    /// All of it comes out, so that a reader gets it even if nothing follows.
    case now
    /// The member ends, and the next call begins another one.
    case end
  }

  // On the heap, since zlib remembers the address.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Makes a deflater at the start of a member; nil without memory.
  init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let size = Int32(MemoryLayout<z_stream>.size)
    guard
      deflateInit2_(
        stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
        == Z_OK
    else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
  }

  /// Deflates all of the input and returns what has come out so far.
  mutating func deflate(_ input: [UInt8], _ flush: Flush) -> [UInt8] {
    var output: [UInt8] = []
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { room.deallocate() }
    let mode =
      switch flush {
      case .none: Z_NO_FLUSH
      case .now: Z_SYNC_FLUSH
      case .end: Z_FINISH
      }
    input.withUnsafeBytes { input in
      // zlib doesn't write to its input; its declaration only lacks the const.
      stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = uInt(input.count)
      repeat {
        stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
        stream.pointee.avail_out = uInt(room.count)
        _ = CZlib.deflate(stream, mode)
        output.append(contentsOf: room[..<(room.count - Int(stream.pointee.avail_out))])
        // A call that leaves room has nothing more to give.
      } while stream.pointee.avail_out == 0
    }
    if case .end = flush { deflateReset(stream) }
    return output
  }
}
