/// Watches the numbers that a feed gives its messages, and finds what is missing, repeated or begun anew.
///
/// Each stream, such as a symbol, has numbers of its own. Pure, and bounded: beyond its limit of streams it forgets
/// them all and begins again.
package struct SequenceTracker: Sendable {
  /// The numbers of one message.
  package struct Numbers: Sendable, Hashable {
    /// The first number that the message covers; nil where each message has one number.
    package var first: Int64?
    /// The last number that it covers.
    package var last: Int64
    /// The last number of the message before it; nil where the feed doesn't say.
    package var previous: Int64?

    /// Makes the numbers of a message.
    package init(first: Int64? = nil, last: Int64, previous: Int64? = nil) {
      self.first = first
      self.last = last
      self.previous = previous
    }

    /// The numbers below the last one that are there with it: one that covers many has brought them all.
    fileprivate var brought: UInt64 { first == nil && previous == nil ? 0 : .max }
  }

  /// What a message reveals.
  package enum Finding: Sendable, Hashable {
    /// It goes on where the one before it ended, or is the first.
    case inOrder
    /// Messages are missing before it: the number that was expected, and the one that came.
    case gap(expected: Int64, got: Int64)
    /// It was there before.
    case duplicate(got: Int64)
    /// It was missing before, and comes out of its order.
    case late
    /// The numbers begin anew.
    case reset(expected: Int64, got: Int64)
  }

  private struct Stream {
    var last: Int64
    /// Which of the numbers up to the last one were there: bit n for the one n below.
    var seen: UInt64
    var connection: Int
  }

  /// The most streams that are watched.
  package static let streamLimit = 100_000
  /// How far below the last number one is still known to have been there.
  package static let memory: Int64 = 64

  /// Whether the numbers begin anew with each connection.
  private let isPerConnection: Bool
  private var streams: [Int: Stream] = [:]

  /// Makes a tracker that has seen nothing.
  package init(isPerConnection: Bool = false) { self.isPerConnection = isPerConnection }

  /// Takes the next message of a stream over the connection of a number.
  package mutating func take(_ numbers: Numbers, of key: Int, connection: Int) -> Finding {
    guard var stream = streams[key], !isPerConnection || stream.connection == connection else {
      if streams.count >= Self.streamLimit { streams.removeAll() }
      streams[key] = Stream(last: numbers.last, seen: numbers.brought | 1, connection: connection)
      return .inOrder
    }
    let finding = Self.advance(&stream, numbers)
    stream.connection = connection
    streams[key] = stream
    return finding
  }

  private static func advance(_ stream: inout Stream, _ numbers: Numbers) -> Finding {
    let (last, previous) = (numbers.last, stream.last)
    if numbers.previous == previous, last <= previous {
      // It follows the one before it, and says nothing new or that numbers go on from a lower one.
      if last < previous { stream.seen = numbers.brought | 1 }
      stream.last = last
      return .inOrder
    }
    let expected = previous &+ 1
    guard last <= previous else {
      let step = last.subtractingReportingOverflow(previous)
      let isWide = step.overflow || step.partialValue >= memory
      let all = numbers.brought
      stream.seen = isWide ? all | 1 : stream.seen << UInt64(step.partialValue) | all | 1
      stream.last = last
      if let told = numbers.previous {
        return told > previous ? .gap(expected: previous, got: told) : .inOrder
      }
      let first = numbers.first ?? last
      return first > expected ? .gap(expected: expected, got: first) : .inOrder
    }
    let distance = previous.subtractingReportingOverflow(last)
    if distance.partialValue == 0 { return .duplicate(got: last) }
    guard last > 1, !distance.overflow, distance.partialValue < memory else {
      stream.last = last
      stream.seen = 1
      return .reset(expected: expected, got: numbers.first ?? last)
    }
    let bit: UInt64 = 1 << UInt64(distance.partialValue)
    guard stream.seen & bit == 0 else { return .duplicate(got: last) }
    stream.seen |= bit
    return .late
  }
}
