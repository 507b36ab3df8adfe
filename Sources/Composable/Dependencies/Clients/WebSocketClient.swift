/// Holds WebSocket connections (RFC 6455), each under an id of the caller's choice.
///
/// This module has the interface only; a host gives the live value, as that of `ComposableNetworking`.
/// Cancelling the task that reads what ``open`` returned closes the connection. Opening a second one under an
/// id closes the first.
public struct WebSocketClient: Sendable {
  /// The name of a connection, unique within a client.
  public struct ID: Sendable, Hashable {
    private let value: EffectID

    /// Makes a name of any value.
    public init(_ value: some Hashable & Sendable) { self.value = EffectID(value) }
  }

  /// What happens to a connection.
  public enum Event: Sendable, Hashable {
    /// The handshake succeeded, with the protocol that the server chose.
    case opened(protocol: String?)
    /// The connection ended, with the code and reason of the close frame; 1006 where none came.
    case closed(code: UInt16, reason: String)
  }

  /// What a connection carries.
  public enum Message: Sendable, Hashable {
    case text(String)
    case binary([UInt8])
  }

  /// Opens a connection: id, `ws` or `wss` URL, and protocols in the order of preference.
  public var open: @Sendable (ID, String, [String]) async throws -> AsyncStream<Event>
  /// The messages of a connection, and the errors of reading them.
  public var receive: @Sendable (ID) async throws -> AsyncStream<Result<Message, any Error>>
  /// Sends a message.
  public var send: @Sendable (ID, Message) async throws -> Void
  /// Sends a ping and returns when its pong has come.
  public var sendPing: @Sendable (ID) async throws -> Void

  /// Makes a client from its functions.
  public init(
    open: @escaping @Sendable (ID, String, [String]) async throws -> AsyncStream<Event>,
    receive: @escaping @Sendable (ID) async throws -> AsyncStream<Result<Message, any Error>>,
    send: @escaping @Sendable (ID, Message) async throws -> Void,
    sendPing: @escaping @Sendable (ID) async throws -> Void
  ) {
    self.open = open
    self.receive = receive
    self.send = send
    self.sendPing = sendPing
  }
}

extension WebSocketClient: DependencyKey {
  /// What failure texts call it.
  public static let name = "socket"

  /// Throws, until a host gives a client.
  public static var live: Self {
    Self(
      open: { _, _, _ in throw UnimplementedDependency("socket.open") },
      receive: { _ in throw UnimplementedDependency("socket.receive") },
      send: { _, _ in throw UnimplementedDependency("socket.send") },
      sendPing: { _ in throw UnimplementedDependency("socket.sendPing") })
  }

  /// Reports each use.
  public static var test: Self {
    Self(
      open: unimplementedFunction("socket.open"), receive: unimplementedFunction("socket.receive"),
      send: unimplementedFunction("socket.send"), sendPing: unimplementedFunction("socket.sendPing"))
  }
}

extension Dependencies {
  /// Holds WebSocket connections.
  public var socket: WebSocketClient {
    get { self[WebSocketClient.self] }
    set { self[WebSocketClient.self] = newValue }
  }
}
