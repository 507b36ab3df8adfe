import Composable
import Synchronization

/// A feed whose every step a test decides.
final class Feed: Sendable {
  private let events = AsyncStream<WebSocketClient.Event>.makeStream()
  private let messages = AsyncStream<Result<WebSocketClient.Message, any Error>>.makeStream()
  private let ended = Mutex(false)

  init() {
    events.continuation.onTermination = { [weak self] _ in self?.ended.withLock { $0 = true } }
  }

  /// Whether nobody reads the events any more, which is how a connection is closed.
  var isEnded: Bool { ended.withLock { $0 } }

  var client: WebSocketClient {
    var client = WebSocketClient.test
    client.open = { [events] _, _, _ in events.stream }
    client.receive = { [messages] _ in messages.stream }
    return client
  }

  func tell(_ event: WebSocketClient.Event) { events.continuation.yield(event) }
  func tell(_ text: String) { messages.continuation.yield(.success(.text(text))) }
  func fail(_ error: any Error) { messages.continuation.yield(.failure(error)) }
}
