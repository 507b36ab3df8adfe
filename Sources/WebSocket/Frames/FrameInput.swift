import CWslay

/// The bytes that wslay may take, at an address that holds still while it does.
struct FrameInput {
  private var base: UnsafeRawPointer?
  private var count = 0
  private var offset = 0
  /// Where the last piece was copied to, and where it came from.
  private var copied: UnsafeRawPointer?
  private var source: UnsafeRawPointer?
  /// Set when wslay asked and there was nothing.
  var isStarved = false

  mutating func begin(_ bytes: UnsafeRawBufferPointer) {
    base = bytes.baseAddress
    count = bytes.count
    offset = 0
    copied = nil
    source = nil
  }

  mutating func take(_ target: UnsafeMutablePointer<UInt8>, _ room: Int) -> Int {
    guard let base, offset < count, room > 0 else {
      isStarved = true
      return -1
    }
    let size = min(room, count - offset)
    UnsafeMutableRawPointer(target).copyMemory(from: base + offset, byteCount: size)
    copied = UnsafeRawPointer(target)
    source = base + offset
    offset += size
    return size
  }

  /// The place in the input of bytes that wslay holds in its own buffer, if all that follow lie in the input too.
  ///
  /// wslay keeps its bytes in the order they came, so an address in its buffer differs from the one in the input
  /// by what the last copy differed. Frames of a server are not masked, so both hold the same bytes.
  func original(of held: UnsafeRawPointer, length: Int) -> UnsafeRawPointer? {
    guard let base, let copied, let source else { return nil }
    let start = (source - base) + (held - copied)
    guard start >= 0, length <= count - start else { return nil }
    return base + start
  }
}

/// Hands wslay the next bytes of a `FrameInput`.
func takeFrameInput(
  target: UnsafeMutablePointer<UInt8>?, room: Int, flags: Int32, context: UnsafeMutableRawPointer?
) -> Int {
  guard let target, let context else { return -1 }
  return context.assumingMemoryBound(to: FrameInput.self).pointee.take(target, room)
}
