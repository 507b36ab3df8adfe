import CZlib

/// Inflates gzip data piece by piece: one member, or several one behind the other, as appending to a file makes them.
///
/// The output of one call is bounded by the room that it gets, however much the data would inflate to.
struct GzipInflater: ~Copyable {
  /// What a call came to.
  struct Step {
    /// Bytes of the input that were used up.
    var taken: Int
    /// Bytes of output.
    var given: Int
  }

  // On the heap, since zlib remembers the address.
  private let stream: UnsafeMutablePointer<z_stream>
  /// Whether the data may end here: at the end of a member, or before the first.
  private(set) var isBetweenMembers = true

  /// Makes an inflater at the start of the data; nil without memory.
  init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // 16 more than the window's bits: gzip and nothing else.
    guard inflateInit2_(stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Inflates some of the input into the room there is; nil if the input is no gzip data, or damaged.
  mutating func inflate(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> Step?
  {
    var step = Step(taken: 0, given: 0)
    while step.taken < input.count, step.given < output.count {
      if isBetweenMembers {
        guard inflateReset(stream) == Z_OK else { return nil }
        isBetweenMembers = false
      }
      let rest = UnsafeRawBufferPointer(rebasing: input[step.taken...])
      let room = UnsafeMutableRawBufferPointer(rebasing: output[step.given...])
      // zlib doesn't write to its input; its declaration only lacks the const.
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: rest.bindMemory(to: UInt8.self).baseAddress)
      stream.pointee.avail_in = uInt(rest.count)
      stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
      stream.pointee.avail_out = uInt(room.count)
      let status = CZlib.inflate(stream, Z_NO_FLUSH)
      step.taken += rest.count - Int(stream.pointee.avail_in)
      step.given += room.count - Int(stream.pointee.avail_out)
      switch status {
      case Z_OK: break
      case Z_STREAM_END: isBetweenMembers = true
      // No progress is possible with this much input or room.
      case Z_BUF_ERROR: return step
      default: return nil
      }
    }
    return step
  }
}
