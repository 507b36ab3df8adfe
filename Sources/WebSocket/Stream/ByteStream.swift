/// A two-way stream of bytes that never blocks: TCP or TLS, perhaps through a proxy.
///
/// Confined to one owner at a time. The stream sees to it that its descriptors are watched: it was given an epoll
/// descriptor when it was made, and keeps its interest there up to date.
package protocol ByteStream: AnyObject {
  /// The time of the next call of `connect` even without an event; nil when only events matter.
  var connectDeadline: UInt64? { get }

  /// How far the connect has come.
  var phase: ConnectPhase { get }

  /// Goes on connecting as far as possible without waiting; true when reading and writing may begin.
  func connect(now: UInt64) throws(ConnectionFailure) -> Bool

  /// Reads what has arrived.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ConnectionFailure) -> StreamRead

  /// Writes what fits and answers how many bytes that were. Zero: try again when woken, with the same memory.
  func write(_ bytes: UnsafeRawBufferPointer) throws(ConnectionFailure) -> Int

  /// Says whether to wake for room to write as well.
  func watch(forWriting: Bool)

  /// Closes without waiting; the last call.
  func close()
}

/// What a read gave.
package enum StreamRead: Equatable {
  /// This many bytes, above zero. If `isDrained`, nothing more has arrived yet.
  case bytes(Int, isDrained: Bool)
  /// Nothing has arrived.
  case wouldBlock
  /// The other side ended the stream.
  case end
}
