import Glibc

/// The bytes of a message that can't stay where they came: it grows with them, never ahead of them.
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
    guard let room = room(atLeast: piece.count)?.baseAddress else { return false }
    room.copyMemory(from: source, byteCount: piece.count)
    count += piece.count
    return true
  }

  /// The free memory behind the bytes, for somebody else to write to; nil when there is none.
  mutating func room(atLeast size: Int) -> UnsafeMutableRawBufferPointer? {
    let needed = count + size
    if needed > capacity {
      var wanted = max(capacity, 4096)
      while wanted < needed { wanted *= 2 }
      guard let grown = realloc(base, wanted) else { return nil }
      base = grown
      capacity = wanted
    }
    guard let base else { return nil }
    return UnsafeMutableRawBufferPointer(start: base + count, count: capacity - count)
  }

  /// Takes bytes that were written to `room`.
  mutating func added(_ size: Int) {
    precondition(size <= capacity - count, "added more than there was room for")
    count += size
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
