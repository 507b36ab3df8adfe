public import Composable
internal import HTTP
internal import WebSocket

extension WebSocketClient {
  /// A client whose connections live on one thread of their own.
  ///
  /// Pings are answered, and sent every 20 seconds; a connection whose ping isn't answered within 10 ends.
  /// Messages wait until they are read; when 1,000 of them or 4 MiB wait, the connection isn't read any
  /// further until some are taken. Failures are ``WebSocketError``s.
  ///
  /// - Parameter headers: Fields added to each opening request.
  public static func sockets(headers: [HTTPClient.Field] = []) -> Self {
    let loop = SocketLoop()
    return Self(
      open: { id, url, protocols in
        var configuration = Configuration(url: url)
        configuration.subprotocols = protocols
        configuration.headers = headers.map { HeaderField($0.name, $0.value) }
        let (events, continuation) = AsyncStream<Event>.makeStream()
        let socket: Socket
        do {
          socket = try Socket(configuration, events: continuation)
        } catch {
          throw WebSocketError("\(error)")
        }
        continuation.onTermination = { _ in loop.post(.end(id, socket)) }
        loop.post(.begin(id, socket))
        return events
      },
      receive: { id in
        let channel = try await loop.ask { .receive(id, $0) }
        return AsyncStream { await channel.next() }
      },
      send: { id, message in try await loop.ask { .send(id, message, $0) } },
      sendPing: { id in try await loop.ask { .ping(id, $0) } })
  }
}

/// Why a connection doesn't do what it is asked.
public struct WebSocketError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What happened, in one sentence.
  public let description: String

  init(_ description: String) { self.description = description }
}
