import Scripting

/// Reads the messages of one source as its options say, before any script sees them.
///
/// Confined to the engine. It allocates nothing for a message that is in order.
package final class MessageIntake {
  /// What a message reveals about those before it.
  package struct Note: Hashable {
    /// The message's index in its batch.
    package var index: Int
    package var finding: SequenceTracker.Finding
    /// Whether it concerns one key alone, or all of the source.
    package var isKeyed: Bool
  }

  private let options: MessageOptions
  private let parts = MessageBatch()
  private var ids: RecentIDs
  private var sequence: SequenceTracker
  /// Messages that were skipped since they were there before.
  package private(set) var repeatedCount: UInt64 = 0

  init(_ options: MessageOptions) {
    self.options = options
    ids = RecentIDs(size: options.idWindow)
    sequence = SequenceTracker(isPerConnection: options.sequence?.isPerConnection ?? false)
  }

  /// Whether messages are JSON as they come.
  var decodes: Bool { options.decoding == .json }

  /// The messages that a read of the source means: the batch itself, or another one with its parts.
  func parts(of batch: MessageBatch) -> MessageBatch {
    var ends: [Int]?
    return parts(of: batch, ends: &ends)
  }

  /// The messages that a read of the source means: the batch itself, or another one with its parts.
  ///
  /// - Parameter ends: unless it is nil, gets the number of parts up to and with each message; stays empty for the
  ///   batch itself.
  func parts(of batch: MessageBatch, ends: inout [Int]?) -> MessageBatch {
    guard options.decoding != .json || options.split != nil else { return batch }
    parts.removeAll()
    if options.decoding == .json { _ = batch.decode() }
    for index in 0..<batch.count {
      if !batch.isSkipped(at: index) { appendParts(of: batch, index) }
      ends?.append(parts.count)
    }
    guard options.decoding == .jsonLines, options.split != nil else { return parts }
    let whole = MessageBatch()
    var wholeEnds = [0]
    _ = parts.decode()
    for index in 0..<parts.count {
      split(parts, index, into: whole)
      if ends != nil { wholeEnds.append(whole.count) }
    }
    ends = ends?.map { wholeEnds[$0] }
    return whole
  }

  private func appendParts(of batch: MessageBatch, _ index: Int) {
    switch options.decoding {
    case .text: parts.append(batch.bytes(at: index), like: batch, at: index, isText: true)
    case .jsonLines:
      var lines = LineSplitter(maximumBytes: .max - 8)
      let add = { [parts] (line: LineSplitter.Line) in
        if case .text(let bytes) = line { parts.append(bytes, like: batch, at: index) }
      }
      lines.split(batch.bytes(at: index), add)
      lines.finish(add)
    case .json: split(batch, index, into: parts)
    }
  }

  private func split(_ batch: MessageBatch, _ index: Int, into target: MessageBatch) {
    if batch.split(at: index, options.splitField, inPairs: options.split == .pairs, into: target) { return }
    target.append(batch.bytes(at: index), like: batch, at: index)
  }

  /// Reads numbers, times, ids and order of decoded messages, and returns what they reveal, in their order.
  func inspect(_ batch: MessageBatch, connection: Int) -> [Note] {
    var notes: [Note] = []
    for index in 0..<batch.count where !batch.isSkipped(at: index) && batch.isDecoded(at: index) {
      for path in options.numbers { batch.makeNumbers(of: path, at: index) }
      if let id = id(batch, index), !ids.note(id) {
        repeatedCount += 1
        guard options.marksRepeated else {
          batch.skip(at: index, isRepeated: true)
          continue
        }
        batch.markReplayed(at: index)
      }
      if let time = options.time.flatMap({ time(batch, index, $0.field, $0.unit) }) {
        batch.setTime(time, at: index)
      }
      if let sequence = options.sequence, let numbers = Self.numbers(sequence, batch, index) {
        note(numbers, sequence, batch, index, connection, &notes)
      }
    }
    return notes
  }

  /// What tells a message apart from others, nil where nothing does.
  private func id(_ batch: MessageBatch, _ index: Int) -> Int? {
    guard let id = options.id.flatMap({ batch.hash(of: $0, at: index) }) else { return nil }
    guard let key = options.idKey else { return id }
    var hasher = Hasher()
    hasher.combine(id)
    hasher.combine(batch.hash(of: key, at: index))
    return hasher.finalize()
  }

  private func note(
    _ numbers: SequenceTracker.Numbers, _ fields: MessageOptions.Sequence, _ batch: MessageBatch,
    _ index: Int,
    _ connection: Int, _ notes: inout [Note]
  ) {
    batch.setSequence(numbers.last, at: index)
    let key = fields.key.map { batch.hash(of: $0, at: index) ?? 0 } ?? 0
    let finding = sequence.take(numbers, of: key, connection: connection)
    switch finding {
    case .inOrder: return
    case .late: return batch.markLate(at: index)
    case .duplicate:
      repeatedCount += 1
      if options.marksRepeated {
        batch.markReplayed(at: index)
      } else {
        batch.skip(at: index, isRepeated: true)
      }
    case .gap, .reset: break
    }
    notes.append(Note(index: index, finding: finding, isKeyed: fields.key != nil))
  }

  private static func numbers(
    _ fields: MessageOptions.Sequence, _ batch: MessageBatch, _ index: Int
  ) -> SequenceTracker.Numbers? {
    guard let last = batch.integer(of: fields.last, at: index) else { return nil }
    return SequenceTracker.Numbers(
      first: fields.first.flatMap { batch.integer(of: $0, at: index) }, last: last,
      previous: fields.previous.flatMap { batch.integer(of: $0, at: index) })
  }

  /// How far in the future a time may be; one beyond it is a mistake, and would make all that follow late.
  private static let skew = Milliseconds.minutes(60)

  private func time(
    _ batch: MessageBatch, _ index: Int, _ field: FieldPath, _ unit: MessageOptions.TimeUnit
  ) -> Int64? {
    var time: Int64?
    if unit == .text {
      if case .text(let bytes)? = batch.content(of: field, at: index), bytes.count <= 64 {
        time = Timestamp(parsing: String(decoding: bytes, as: UTF8.self))?.milliseconds
      }
    } else if let count = batch.integer(of: field, at: index) {
      time = unit.milliseconds(count)
    } else if let count = batch.number(of: field, at: index) {
      time = Int64(exactly: (count * unit.scale).rounded())
    }
    guard let time, time >= 0, time <= batch.received(at: index) + Self.skew.count else { return nil }
    return time
  }
}

extension MessageOptions.TimeUnit {
  fileprivate func milliseconds(_ count: Int64) -> Int64? {
    switch self {
    case .seconds:
      let (product, overflow) = count.multipliedReportingOverflow(by: 1_000)
      return overflow ? nil : product
    case .microseconds: return count / 1_000
    case .nanoseconds: return count / 1_000_000
    case .milliseconds, .text: return count
    }
  }

  fileprivate var scale: Double {
    switch self {
    case .seconds: 1_000
    case .microseconds: 0.001
    case .nanoseconds: 0.000_001
    case .milliseconds, .text: 1
    }
  }
}
