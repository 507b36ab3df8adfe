internal import Composable
internal import Synchronization

/// Messages on their way from a connection to the one who reads them.
final class MessageChannel: Sendable {
  typealias Element = Result<WebSocketClient.Message, any Error>

  static let countLimit = 1_000
  static let byteLimit = 4 << 20

  private struct State {
    var messages: [Element] = []
    var first = 0
    var bytes = 0
    var isEnded = false
    var wasFull = false
    var reader: (serial: UInt64, continuation: CheckedContinuation<Element?, Never>)?
    var lastReader: UInt64 = 0
    var cancelled: Set<UInt64> = []

    var isFull: Bool { messages.count - first >= countLimit || bytes >= byteLimit }

    mutating func pop() -> Element? {
      guard first < messages.count else { return nil }
      let message = messages[first]
      messages[first] = .failure(CancellationError())
      first += 1
      bytes -= size(of: message)
      if first == messages.count {
        messages = []
        first = 0
      }
      return message
    }
  }

  private let state = Mutex(State())
  private let roomMade: @Sendable () -> Void

  /// - Parameter roomMade: Called when a full channel has room again.
  init(roomMade: @escaping @Sendable () -> Void) { self.roomMade = roomMade }

  var isFull: Bool {
    state.withLock { state in
      if state.isFull { state.wasFull = true }
      return state.isFull
    }
  }

  func add(_ message: Element) {
    let reader = state.withLock { state in
      defer { state.reader = nil }
      if state.reader == nil {
        state.messages.append(message)
        state.bytes += size(of: message)
      }
      return state.reader
    }
    reader?.continuation.resume(returning: message)
  }

  func end() {
    let reader = state.withLock { state in
      state.isEnded = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.continuation.resume(returning: nil)
  }

  /// The next message; nil at the end of the connection and for a cancelled reader.
  func next() async -> Element? {
    let serial = state.withLock { state in
      state.lastReader += 1
      return state.lastReader
    }
    let message = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Element?, Never>) in
        let (result, other): (Element??, CheckedContinuation<Element?, Never>?) = state.withLock { state in
          if state.cancelled.remove(serial) != nil { return (.some(nil), nil) }
          if let message = state.pop() { return (message, nil) }
          if state.isEnded { return (.some(nil), nil) }
          // One reader at a time; a second one ends the first.
          defer { state.reader = (serial, continuation) }
          return (nil, state.reader?.continuation)
        }
        other?.resume(returning: nil)
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      let reader = state.withLock { state -> CheckedContinuation<Element?, Never>? in
        guard let reader = state.reader, reader.serial == serial else {
          state.cancelled.insert(serial)
          return nil
        }
        state.reader = nil
        return reader.continuation
      }
      reader?.resume(returning: nil)
    }
    let hasRoom = state.withLock { state in
      state.cancelled.remove(serial)
      guard state.wasFull, !state.isFull else { return false }
      state.wasFull = false
      return true
    }
    if hasRoom { roomMade() }
    return message
  }
}

private func size(of message: MessageChannel.Element) -> Int {
  switch message {
  case .success(.text(let text)): text.utf8.count
  case .success(.binary(let bytes)): bytes.count
  case .failure: 0
  }
}
