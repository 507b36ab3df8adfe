/// Something that went wrong while the program goes on: a programmer's mistake or an unhandled error.
public struct Issue: Sendable, CustomStringConvertible {
  /// What happened, what was expected and what to do, in whole sentences.
  public let message: String
  /// The line of source to look at, where one is known.
  public let location: CodeLocation?

  /// Makes an issue.
  public init(_ message: String, at location: CodeLocation? = nil) {
    self.message = message
    self.location = location
  }

  /// The text that failure texts and logs show.
  public var description: String { location.map { "\($0): \(message)" } ?? message }
}
