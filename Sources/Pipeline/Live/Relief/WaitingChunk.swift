import Scripting

/// Messages of one connection that wait together.
final class WaitingChunk {
  /// The bytes beyond which no more is added, so that memory is given back bit by bit.
  private static let capacity = 64 << 10

  let batch = MessageBatch()
  let connection: Int
  /// Whether its messages are handled together, since the source can resume only behind all of them.
  var isWhole = false
  /// Where a message holds the position behind it, nil where none does.
  let positionPath: String?
  /// Where the source resumes behind the last message.
  var position: String?
  /// What tells the keys of messages apart, by their place.
  private(set) var keys: [Int] = []
  /// The first message that waits.
  var next = 0

  init(connection: Int, positionPath: String?) {
    self.connection = connection
    self.positionPath = positionPath
  }

  var isEmpty: Bool { next == batch.count }

  var isFull: Bool { batch.byteCount >= Self.capacity }

  /// The places of the messages that wait.
  var waiting: Range<Int> { next..<batch.count }

  /// What a message counts.
  func cost(of index: Int) -> Int { batch.bytes(at: index).count + WaitingQueue.overhead }

  /// Adds a message of a batch, and says what it counts.
  func append(_ other: MessageBatch, _ index: Int, key: Int) -> Int {
    batch.append(other.bytes(at: index), like: other, at: index)
    keys.append(key)
    return cost(of: batch.count - 1)
  }

  /// Copies the next messages to an empty batch.
  func take(
    atMost count: Int, until time: Timestamp?, into target: MessageBatch
  ) -> (cost: Int, position: String?) {
    var cost = 0
    repeat {
      cost += self.cost(of: next)
      target.append(batch.bytes(at: next), like: batch, at: next)
      next += 1
    } while next < batch.count
      && (isWhole
        || (target.count < count && time.map { batch.received(at: next) <= $0.milliseconds } ?? true))
    guard !isEmpty, let positionPath else { return (cost, isEmpty ? position : nil) }
    // Decoding again in the engine costs nothing: what is decoded stays decoded.
    _ = target.decode()
    for index in (0..<target.count).reversed() {
      if let position = target.field(positionPath, at: index) { return (cost, position) }
    }
    return (cost, nil)
  }
}
