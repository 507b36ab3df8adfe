/// Bytes waiting to be written, in chunks that never move.
///
/// A TLS library that could not finish a write wants to see the same memory again, so a chunk stays where it is
/// until its last byte is written.
struct OutputQueue: ~Copyable {
  private static let chunkSize = 16 * 1024

  /// Chunks with bytes in them, oldest first; all but the last are full.
  private var chunks: [UnsafeMutableRawPointer] = []
  private var spare: UnsafeMutableRawPointer?
  private var headOffset = 0
  private var tailOffset = 0

  /// The number of bytes waiting.
  private(set) var count = 0

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    var taken = 0
    while taken < bytes.count {
      if chunks.isEmpty || tailOffset == Self.chunkSize {
        chunks.append(spare ?? .allocate(byteCount: Self.chunkSize, alignment: 16))
        spare = nil
        tailOffset = 0
      }
      let size = min(Self.chunkSize - tailOffset, bytes.count - taken)
      (chunks[chunks.count - 1] + tailOffset).copyMemory(from: source + taken, byteCount: size)
      tailOffset += size
      taken += size
    }
    count += bytes.count
  }

  /// The oldest bytes that lie together; empty when nothing waits.
  var first: UnsafeRawBufferPointer {
    guard let chunk = chunks.first else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let end = chunks.count == 1 ? tailOffset : Self.chunkSize
    return UnsafeRawBufferPointer(start: chunk + headOffset, count: end - headOffset)
  }

  /// Drops bytes of `first` that were written.
  mutating func remove(_ written: Int) {
    precondition(written <= first.count, "wrote more than was offered")
    headOffset += written
    count -= written
    guard let chunk = chunks.first, first.isEmpty else { return }
    chunks.removeFirst()
    headOffset = 0
    if spare == nil { spare = chunk } else { chunk.deallocate() }
  }

  /// Drops everything.
  mutating func removeAll() {
    for chunk in chunks { chunk.deallocate() }
    chunks.removeAll()
    headOffset = 0
    tailOffset = 0
    count = 0
  }

  deinit {
    for chunk in chunks { chunk.deallocate() }
    spare?.deallocate()
  }
}
