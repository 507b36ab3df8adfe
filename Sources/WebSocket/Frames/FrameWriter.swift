import CWslay

/// Turns messages and control frames into masked bytes for the server (RFC 6455 section 5), kept until written.
///
/// Bounded: a message that would bring the waiting bytes over the limit is refused. Control frames are small and
/// go beyond it; the connection bounds their number.
package struct FrameWriter: ~Copyable {
  /// What the callbacks of wslay work on, at an address that holds still.
  fileprivate struct Target: ~Copyable {
    var output = OutputQueue()
    var random = RandomBytes()
  }

  private let context: wslay_frame_context_ptr
  private let target: UnsafeMutablePointer<Target>
  private let maximumPendingBytes: Int
  /// What was agreed on compression, and the size from which messages are compressed.
  private var compression: (agreed: Compression.Agreement, minimumBytes: Int)?
  private var deflater: Deflater?

  /// Makes a writer with nothing waiting.
  /// - Parameter maximumPendingBytes: the most payload bytes that may wait to be written.
  package init(maximumPendingBytes: Int) {
    self.maximumPendingBytes = maximumPendingBytes
    target = .allocate(capacity: 1)
    target.initialize(to: Target())
    var callbacks = wslay_frame_callbacks()
    callbacks.send_callback = putFrameOutput
    callbacks.genmask_callback = makeFrameMask
    var made: wslay_frame_context_ptr?
    let status = wslay_frame_context_init(&made, &callbacks, target)
    guard status == 0, let made else { fatalError("no memory for a frame writer") }
    context = made
  }

  deinit {
    wslay_frame_context_free(context)
    target.deinitialize(count: 1)
    target.deallocate()
  }

  /// Bytes waiting to be written, frame headers included.
  package var pendingBytes: Int { target.pointee.output.count }

  /// The oldest waiting bytes that lie together. They keep their place until `remove` has taken them all.
  package var pending: UnsafeRawBufferPointer { target.pointee.output.first }

  /// Drops bytes of `pending` that were written.
  package mutating func remove(_ written: Int) { target.pointee.output.remove(written) }

  /// Drops everything that waits.
  package mutating func removeAll() { target.pointee.output.removeAll() }

  /// Adds bytes that are no frame: the upgrade request.
  package mutating func appendRaw(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { target.pointee.output.append($0) }
  }

  /// Compresses messages of a size from now on.
  package mutating func beginDeflating(_ agreed: Compression.Agreement, from minimumBytes: Int) {
    compression = (agreed, minimumBytes)
  }

  /// Adds a message in one frame, compressed where that was agreed on and makes it smaller.
  /// - Throws: `SendError.backlog` when the waiting bytes would pass the limit.
  package mutating func message(_ payload: UnsafeRawBufferPointer, isText: Bool) throws(SendError) {
    guard payload.count <= maximumPendingBytes - pendingBytes else {
      throw .backlog(waiting: pendingBytes, limit: maximumPendingBytes)
    }
    let opcode = isText ? Opcode.text : Opcode.binary
    guard let compression, payload.count >= max(compression.minimumBytes, 1) else {
      return try frame(opcode: opcode, payload)
    }
    if deflater == nil {
      deflater = Deflater(
        windowBits: compression.agreed.clientWindowBits, keepsContext: compression.agreed.clientKeepsContext)
    }
    if let deflated = deflater?.deflate(payload) {
      try frame(opcode: opcode, deflated, isCompressed: true)
    } else {
      try frame(opcode: opcode, payload)
    }
  }

  /// Adds a control frame of at most 125 payload bytes.
  mutating func control(_ opcode: UInt8, _ payload: UnsafeRawBufferPointer) throws(SendError) {
    precondition(payload.count <= 125, "a control frame carries at most 125 bytes")
    try frame(opcode: opcode, payload)
  }

  private mutating func frame(
    opcode: UInt8, _ payload: UnsafeRawBufferPointer, isCompressed: Bool = false
  ) throws(SendError) {
    var frame = wslay_frame_iocb()
    frame.fin = 1
    frame.opcode = opcode
    frame.rsv = isCompressed ? FrameReader.compressionBit : 0
    frame.mask = 1
    frame.payload_length = UInt64(payload.count)
    var sent = 0
    repeat {
      frame.data = payload.baseAddress.map { ($0 + sent).assumingMemoryBound(to: UInt8.self) }
      frame.data_length = payload.count - sent
      let status = wslay_frame_send(context, &frame)
      guard status >= 0 else { throw .noRandomness }
      sent += status
    } while sent < payload.count
  }
}

private func putFrameOutput(
  data: UnsafePointer<UInt8>?, count: Int, flags: Int32, context: UnsafeMutableRawPointer?
) -> Int {
  guard let context else { return -1 }
  context.assumingMemoryBound(to: FrameWriter.Target.self).pointee.output
    .append(UnsafeRawBufferPointer(start: data, count: count))
  return count
}

private func makeFrameMask(
  mask: UnsafeMutablePointer<UInt8>?, count: Int, context: UnsafeMutableRawPointer?
) -> Int32 {
  guard let context else { return -1 }
  let bytes = UnsafeMutableRawBufferPointer(start: mask, count: count)
  return context.assumingMemoryBound(to: FrameWriter.Target.self).pointee.random.fill(bytes) ? 0 : -1
}
