internal import LuaShim

extension MessageBatch {
  /// Whether a message was decoded without a fault.
  package func isDecoded(at index: Int) -> Bool {
    var offset: UInt32 = 0
    var reason = script_text()
    return !script_batch_fault(raw, UInt32(index), &offset, &reason)
  }

  /// Copies a message in with the time, connection and marks of one of a batch.
  package func append(
    _ bytes: UnsafeRawBufferPointer, like batch: MessageBatch, at index: Int, isText: Bool = false
  ) {
    var info = script_batch_info(batch.raw, UInt32(index))
    info.text = isText
    script_batch_append(raw, bytes.baseAddress, bytes.count, info)
    script_batch_copy_topic(raw, batch.raw, UInt32(index))
  }

  /// Appends the items of a list at a path to another batch, or the members of a map as pairs of key and value;
  /// false where there is no such thing.
  package func split(at index: Int, _ path: FieldPath, inPairs: Bool, into target: MessageBatch) -> Bool {
    path.withBytes { script_batch_split(raw, UInt32(index), $0, inPairs, target.raw) }
  }

  /// Makes numbers of the texts at a path that are some.
  package func makeNumbers(of path: FieldPath, at index: Int) {
    path.withBytes { script_batch_make_numbers(raw, UInt32(index), $0) }
  }

  private func change(_ index: Int, _ change: (inout script_message_info) -> Void) {
    var info = script_batch_info(raw, UInt32(index))
    change(&info)
    script_batch_set_info(raw, UInt32(index), info)
  }

  /// Gives a message the time that its source says; in milliseconds since 1970 UTC.
  package func setTime(_ time: Int64, at index: Int) {
    change(index) {
      $0.time = time
      $0.dated = true
    }
  }

  /// Gives a message its source's own number.
  package func setSequence(_ number: Int64, at index: Int) {
    change(index) {
      $0.sequence = number
      $0.numbered = true
    }
  }

  /// Says that the source sent a message before.
  package func markReplayed(at index: Int) { change(index) { $0.replayed = true } }

  /// Says that a message came after a later one.
  package func markLate(at index: Int) { change(index) { $0.late = true } }

  /// Says over which connection all messages came.
  package func setEpoch(_ epoch: UInt32) {
    for index in 0..<count { change(index) { $0.epoch = epoch } }
  }

  /// Whether the source sent a message before.
  package func isReplayed(at index: Int) -> Bool { script_batch_info(raw, UInt32(index)).replayed }

  /// Whether a message came after a later one.
  package func isLate(at index: Int) -> Bool { script_batch_info(raw, UInt32(index)).late }

  /// Whether a message is text as it is.
  package func isText(at index: Int) -> Bool { script_batch_info(raw, UInt32(index)).text }

  /// The number that its source gave a message, nil for none.
  package func sequence(at index: Int) -> Int64? {
    let info = script_batch_info(raw, UInt32(index))
    return info.numbered ? info.sequence : nil
  }

  /// The number of the connection that a message came over.
  package func epoch(at index: Int) -> UInt32 { script_batch_info(raw, UInt32(index)).epoch }

  /// A hash of the text or number at a path, nil where there is neither; the same only within the process.
  package func hash(of path: FieldPath, at index: Int) -> Int? {
    var hasher = Hasher()
    switch content(of: path, at: index) {
    case .text(let bytes):
      hasher.combine(1)
      hasher.combine(bytes: bytes)
    case .integer(let integer):
      hasher.combine(2)
      hasher.combine(integer)
    case .number(let number):
      hasher.combine(3)
      hasher.combine(number)
    default: return nil
    }
    return hasher.finalize()
  }

  /// The integer at a path, also where it stands as text; nil for anything else.
  package func integer(of path: FieldPath, at index: Int) -> Int64? {
    switch content(of: path, at: index) {
    case .integer(let integer): return integer
    case .text(let bytes):
      guard (1...20).contains(bytes.count) else { return nil }
      let isNegative = bytes[0] == UInt8(ascii: "-")
      guard !isNegative || bytes.count > 1 else { return nil }
      var value: Int64 = 0
      for byte in bytes.dropFirst(isNegative ? 1 : 0) {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        let (product, over) = value.multipliedReportingOverflow(by: 10)
        let digit = Int64(byte - UInt8(ascii: "0"))
        let (sum, overflow) =
          isNegative
          ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
        guard !over, !overflow else { return nil }
        value = sum
      }
      return value
    default: return nil
    }
  }

  /// The number at a path, also where it stands as text; nil for anything else.
  package func number(of path: FieldPath, at index: Int) -> Double? {
    switch content(of: path, at: index) {
    case .integer(let integer): return Double(integer)
    case .number(let number): return number
    case .text(let bytes):
      guard bytes.count <= 64, let number = Double(String(decoding: bytes, as: UTF8.self)), number.isFinite
      else { return nil }
      return number
    default: return nil
    }
  }
}
