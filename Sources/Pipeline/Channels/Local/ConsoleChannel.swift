import Glibc
import Threads

/// Tells alerts on standard output: a clear line each on a terminal, a line of JSON each otherwise.
package struct ConsoleChannel: Channel {
  /// How alerts are written.
  package enum Format: String, Sendable, CaseIterable {
    case text
    case json
  }

  /// The outcome when nobody reads standard output any more; the host stops cleanly at it.
  package static let outputClosed = DeliveryOutcome.failed(reason: "standard output was closed")

  package let name: String
  private let format: Format
  private let colour: Bool
  private let writer: DescriptorWriter

  /// Makes a channel for standard output or another descriptor, which stays the caller's.
  ///
  /// Without a format a terminal gets text and everything else JSON. Colour is used on terminals, unless
  /// `NO_COLOR` is set to anything (no-color.org) or the terminal is dumb. `SIGPIPE` has to be ignored in
  /// the process. Throws a ``ChannelError`` if the process can have no more threads.
  package init(
    name: String, descriptor: Int32 = STDOUT_FILENO, format: Format? = nil, colour: Bool? = nil
  ) throws(ChannelError) {
    self.name = name
    let isTerminal = isatty(descriptor) == 1
    self.format = format ?? (isTerminal ? .text : .json)
    self.colour = colour ?? (isTerminal && Self.environmentAllowsColour)
    do {
      writer = try DescriptorWriter(descriptor)
    } catch {
      throw ChannelError("the channel '\(name)' can't start its thread: \(error.description)")
    }
  }

  package func deliver(_ alert: Alert, id: String) async -> DeliveryOutcome {
    let line =
      switch format {
      case .text: Array((alert.terminalLine(colour: colour) + "\n").utf8)
      case .json: alert.jsonLine(id: id)
      }
    switch await writer.write(line) {
    case nil: return .delivered
    case let failure? where failure.number == EPIPE || failure.number == EBADF: return Self.outputClosed
    case let failure?:
      return .retry(after: nil, reason: "can't write to standard output: \(failure.description)")
    }
  }

  private static var environmentAllowsColour: Bool {
    if let value = getenv("NO_COLOR"), value.pointee != 0 { return false }
    guard let terminal = getenv("TERM") else { return true }
    return String(cString: terminal) != "dumb"
  }
}
