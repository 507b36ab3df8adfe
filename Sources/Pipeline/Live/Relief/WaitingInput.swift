/// What waited and is handled next.
struct WaitingInput: Sendable {
  var source: Int
  var connection: Int
  /// When it was read.
  var time: Timestamp
  var content: WaitingQueue.Content
  /// What gave way before it.
  var loss: WaitingQueue.Loss?
  /// When the oldest was read of what waits behind it; nil where nothing does.
  var oldest: Timestamp?
}

/// How much waits of a source, as `pipeline status` shows it.
struct QueueStatus: Sendable {
  var messages = 0
  var bytes = 0
  var maximumBytes = 0
  /// When the oldest was read of what waits.
  var oldest: Timestamp?
  var isBlocked = false
  var droppedMessages: UInt64 = 0
  var droppedBytes: UInt64 = 0
}

extension WaitingQueue {
  /// How much waits.
  var status: QueueStatus {
    QueueStatus(
      messages: messageCount, bytes: bytes, maximumBytes: options.maximumBytes, oldest: oldest,
      isBlocked: isBlocked, droppedMessages: droppedMessages, droppedBytes: droppedBytes)
  }
}
