package import Scripting

/// Carries out what the machine of a source asks for: the I/O of one source, confined to the engine's thread.
package protocol SourceDriver: AnyObject {
  /// Opens a connection, resuming behind a position.
  func connect(_ connection: Int, position: String?)

  /// The host that is connected to, nil for a source without one; sources of one host share its wish to be
  /// left alone.
  var host: String? { get }

  /// Sends the opening messages.
  func sendOpening() throws

  /// Takes a wish of a script about a subscription, which is remembered over connections.
  func change(_ change: SubscriptionChange)

  /// Sends a text to the server; throws where none is connected.
  func send(_ text: String) throws

  /// Ends the connection or the attempt; nothing is reported of it any more.
  func close(code: UInt16, reason: String)

  /// What to watch for readability, nil for nothing.
  var descriptor: Int32? { get }

  /// When to call ``process(now:into:)`` even if nothing is readable, in monotonic nanoseconds; nil for never.
  var nextDeadline: UInt64? { get }

  /// Whether ``process(now:into:)`` has something to do even if nothing may be read.
  var worksUnread: Bool { get }

  /// Does what can be done without waiting, within a bound, and reports it.
  func process(now: UInt64, into output: inout SourceOutput)
}

extension SourceDriver {
  package var host: String? { nil }

  package var worksUnread: Bool { false }

  package func change(_ change: SubscriptionChange) {}

  package func send(_ text: String) throws { throw NotConnected() }
}

/// What one call of a driver gave.
package struct SourceOutput: Sendable {
  /// The bytes of one turn: enough that what a turn costs by itself counts for little, and few enough that it is short.
  package static let usualReadLimit = 64 << 10

  /// What happened to the connection, in order; messages belong behind the opening and before the end.
  package enum Event: Sendable, Hashable {
    case opened
    case closed(SourceMachine.End)
    case ended
  }

  package let batch: MessageBatch
  package var events: [Event] = []
  /// Where the source resumes behind the last message of the batch, nil where it has no positions.
  package var position: String?
  /// Where a message holds the position behind it; nil where the source resumes only behind a whole batch.
  package var positionPath: String?
  /// The wall clock's time, for stamping messages.
  package var time: Timestamp
  /// Counts the connections, for `ctx.epoch`.
  package var epoch: UInt32
  /// How many bytes may be read; zero where what is read has no room.
  package var readLimit = Self.usualReadLimit
  /// Messages of the batch that are no data, such as answers to a login; they are skipped.
  package var answerCount = 0
  /// What became of subscriptions.
  package var reports: [SubscriptionReport] = []
  /// Messages that were refused before they became any, with the reason.
  package var refused: [String] = []

  /// Adds a message.
  ///
  /// - Parameters:
  ///   - topic: what `ctx.topic` shows.
  ///   - replayed: whether the source had sent it before.
  package func add(_ bytes: UnsafeRawBufferPointer, topic: String = "", replayed: Bool = false) {
    batch.append(
      bytes, time: time.milliseconds, received: time.milliseconds, epoch: epoch, replayed: replayed)
    if !topic.isEmpty { batch.setTopic(topic) }
  }
}

/// Why a message can't be sent.
struct NotConnected: Error, CustomStringConvertible {
  var description: String { "it is not connected" }
}
