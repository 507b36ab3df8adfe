import Glibc

/// The bytes of a message that did not arrive in one piece: grows as they come, never ahead of them.
struct MessageBuffer: ~Copyable {
  /// A capacity worth keeping whatever the traffic.
  private static let keptCapacity = 64 * 1024
  /// Messages in a row that use less than a quarter of a large buffer before it is given back.
  private static let patience = 64

  private var base: UnsafeMutableRawPointer?
  private(set) var capacity = 0
  private(set) var count = 0
  private var smallMessages = 0

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: base, count: count) }

  /// True when `noteMessage` has something to decide.
  var isLarge: Bool { capacity > Self.keptCapacity }

  /// Adds bytes; false when there is no memory for them.
  mutating func append(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard let source = piece.baseAddress, piece.count > 0 else { return true }
    let needed = count + piece.count
    if needed > capacity {
      var wanted = max(capacity, 4096)
      while wanted < needed { wanted *= 2 }
      guard let grown = realloc(base, wanted) else { return false }
      base = grown
      capacity = wanted
    }
    guard let base else { return false }
    (base + count).copyMemory(from: source, byteCount: piece.count)
    count = needed
    return true
  }

  /// Empties the buffer and keeps its memory.
  mutating func clear() { count = 0 }

  /// Gives the memory of a large message back once many small ones have followed.
  mutating func noteMessage(size: Int) {
    guard size < capacity / 4 else {
      smallMessages = 0
      return
    }
    smallMessages += 1
    guard smallMessages >= Self.patience, count == 0 else { return }
    free(base)
    base = nil
    capacity = 0
    smallMessages = 0
  }

  deinit { free(base) }
}
