import CCrypto
import Glibc

/// Random bytes from the kernel, fetched in blocks: frame masks must not be predictable (RFC 6455 section 5.3).
struct RandomBytes: ~Copyable {
  private static let blockSize = 256

  private let block = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.blockSize, alignment: 8)
  private var used = Self.blockSize

  /// Fills memory with random bytes; false when the kernel has none to give.
  mutating func fill(_ target: UnsafeMutableRawBufferPointer) -> Bool {
    precondition(target.count <= Self.blockSize, "at most one block of random bytes at a time")
    if used + target.count > Self.blockSize {
      // getrandom(2): requests up to 256 bytes are never cut short by a signal.
      guard getrandom(block.baseAddress, Self.blockSize, 0) == Self.blockSize else { return false }
      used = 0
    }
    target.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[used..<used + target.count]))
    used += target.count
    return true
  }

  deinit { block.deallocate() }
}
