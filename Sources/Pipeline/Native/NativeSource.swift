/// A source of messages written in Swift, which a host adds to its registry.
///
/// ```swift
/// struct Ticks: NativeSource {
///   func run(sending messages: MessageSender, after position: String?) async throws {
///     for number in 1...3 { try await messages.send("{\"tick\":\(number)}") }
///   }
/// }
/// ```
///
/// The host gives it what every source has: reconnects with back-off, silence as a connection event, order, a
/// stored position, and a bound on what waits.
public protocol NativeSource: Sendable {
  /// Gives messages until there are no more; the source is over when it returns.
  ///
  /// Runs in a task of its own, once for each connection; the task is cancelled when the connection is to end, and
  /// what it sends from then on is dropped. An error is a lost connection: scripts are told its text, and the
  /// source runs again after a wait that grows with each failure.
  ///
  /// - Parameters:
  ///   - messages: takes the messages.
  ///   - position: what was sent along with the last message that is stored; nil at the first start.
  func run(sending messages: MessageSender, after position: String?) async throws

  /// The silence after which scripts are told that the source is stale, and it runs again; nil for any.
  var staleAfter: Milliseconds? { get }
}

extension NativeSource {
  /// Any silence is in order.
  public var staleAfter: Milliseconds? { nil }
}

/// Takes the messages of a ``NativeSource``; from any task.
public struct MessageSender: Sendable {
  let queue: NativeQueue

  /// Hands a message over, and waits while too many are on their way.
  ///
  /// - Parameters:
  ///   - text: the message, at most ``maximumBytes`` of it.
  ///   - position: where the source goes on behind this message after a restart.
  /// - Throws: ``MessageTooLarge``, or `CancellationError` once the connection has ended.
  public func send(_ text: String, position: String? = nil) async throws {
    var text = text
    try await send(bytes: text.withUTF8 { Array($0) }, position: position)
  }

  /// Hands over the bytes of a message, as ``send(_:position:)`` does its text.
  public func send(bytes: [UInt8], position: String? = nil) async throws {
    guard bytes.count <= Self.maximumBytes else { throw MessageTooLarge(byteCount: bytes.count) }
    try await queue.add(bytes, position: position)
  }

  /// The most bytes of a message: 1 MiB.
  public static let maximumBytes = 1 << 20
}

/// A message was refused for its size.
public struct MessageTooLarge: Error, Hashable, CustomStringConvertible {
  /// The size of the message.
  public let byteCount: Int

  /// The size, and the bound.
  public var description: String {
    "a message of \(byteCount) bytes was refused: the limit is \(MessageSender.maximumBytes)"
  }
}
