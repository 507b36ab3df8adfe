package import Scripting

/// Messages of several sources, with the order in which they came.
///
/// Unchecked because it has one owner at a time: who reads files fills it and hands it over with the action, and touches
/// it again only after that action's turn, as with a ``MessageBatch``. Several may read it while nobody changes it.
package final class MergedMessages: @unchecked Sendable {
  /// Messages of one source that follow one another.
  package struct Run: Hashable {
    /// The number of their source.
    package let source: Int
    /// Their indices in the batch of the source.
    package fileprivate(set) var range: Range<Int>
  }

  @exclusivity(unchecked) private var batches: [MessageBatch?] = []
  /// The messages by their sources, in the order in which they came; complete once reading is over.
  @exclusivity(unchecked) package private(set) var runs: [Run] = []
  /// The source at hand, -1 before the first message, its batch, and where its run begins.
  @exclusivity(unchecked) private var source = -1
  /// Kept by ``batches``, which loses none.
  @exclusivity(unchecked) private var current: Unmanaged<MessageBatch>?
  @exclusivity(unchecked) private var start = 0
  /// The bytes of the batches of all other sources.
  @exclusivity(unchecked) private var otherBytes = 0

  /// How many messages there are, those included that were left out of a copy.
  @exclusivity(unchecked) package private(set) var count = 0
  /// When the first and the last came, in milliseconds since 1970 UTC.
  @exclusivity(unchecked) package private(set) var first: Int64 = 0
  @exclusivity(unchecked) package private(set) var last: Int64 = 0

  /// Makes a place for messages.
  package init() {}

  /// The bytes that all messages take.
  @inline(__always)
  package var byteCount: Int { otherBytes + (current?._withUnsafeGuaranteedRef { $0.byteCount } ?? 0) }

  /// The sources that messages are of, in the order of their numbers.
  package var sources: [Int] { batches.indices.filter { (batches[$0]?.count ?? 0) > 0 } }

  /// The messages of a source.
  package func batch(of source: Int) -> MessageBatch {
    guard batches.indices.contains(source), let batch = batches[source] else { return MessageBatch() }
    return batch
  }

  /// Copies a message in.
  @inline(__always)
  func append(_ message: UnsafeRawBufferPointer, _ entry: RecordedEntry) {
    if source != entry.source { turn(to: entry.source) }
    if count == 0 { first = entry.time }
    last = entry.time
    count += 1
    current?._withUnsafeGuaranteedRef { batch in
      batch.append(
        message, time: entry.time, received: entry.time, epoch: 1, replayed: false, isText: false)
      if !entry.topic.isEmpty { batch.setTopic(entry.topic) }
    }
  }

  /// Lets more messages of the source at hand be copied into its batch at once; returns how many these are.
  ///
  /// - Parameter room: how many bytes all messages may take.
  func fill(room: Int, _ fill: (MessageBatch, _ room: Int) -> Int) -> Int {
    guard let batch = current?.takeUnretainedValue() else { return 0 }
    let added = fill(batch, room - otherBytes)
    guard added > 0 else { return 0 }
    count += added
    last = batch.received(at: batch.count - 1)
    return added
  }

  /// Takes over messages but those of some sources, decoded where they are; when the first and the last came stays.
  package func copy(_ other: MergedMessages, without passedOver: Set<Int>) {
    removeAll()
    let isKept = other.batches.indices.map { !passedOver.contains($0) }
    for run in other.runs where isKept[run.source] { add(run) }
    for source in other.sources where isKept[source] {
      let batch = batch(making: source)
      batch.copy(other.batch(of: source))
      otherBytes += batch.byteCount
    }
    (count, first, last) = (other.count, other.first, other.last)
  }

  /// Ends what is read.
  func finish() { closeRun() }

  private func turn(to source: Int) {
    closeRun()
    let bytes = byteCount
    self.source = source
    let batch = batch(making: source)
    current = Unmanaged.passUnretained(batch)
    start = batch.count
    otherBytes = bytes - batch.byteCount
  }

  private func batch(making source: Int) -> MessageBatch {
    while batches.count <= source { batches.append(nil) }
    if let batch = batches[source] { return batch }
    let batch = MessageBatch()
    batches[source] = batch
    return batch
  }

  private func closeRun() {
    guard let end = current?._withUnsafeGuaranteedRef({ $0.count }), end > start else { return }
    add(Run(source: source, range: start..<end))
    start = end
  }

  private func add(_ run: Run) {
    // Between them were messages of sources that are left out.
    if let place = runs.indices.last, runs[place].source == run.source {
      runs[place].range = runs[place].range.lowerBound..<run.range.upperBound
    } else {
      runs.append(run)
    }
  }

  /// Forgets all messages and keeps the memory.
  package func removeAll() {
    for batch in batches { batch?.removeAll() }
    runs.removeAll(keepingCapacity: true)
    (source, current, start, otherBytes) = (-1, nil, 0, 0)
    (count, first, last) = (0, 0, 0)
  }
}
