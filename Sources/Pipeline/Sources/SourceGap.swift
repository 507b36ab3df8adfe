/// Messages of a source that never came, or that nobody can be sure of.
package struct SourceGap: Sendable, Hashable {
  /// The key whose messages are missing; empty where those of any may be.
  package var key: String
  /// How many are missing; nil where nobody can tell.
  package var missed: Int64?
  /// The reason of messages that gave way to others for want of room.
  static let overflow = "overflow"

  /// How it showed, in a word or two, such as `sequence` or `restart`; `duplicate` where nothing is missing.
  package var reason: String
  /// The number that was expected, where messages have numbers.
  package var expected: Int64?
  /// The number that came instead.
  package var got: Int64?

  /// Makes a gap.
  package init(
    key: String = "", missed: Int64? = nil, reason: String, expected: Int64? = nil, got: Int64? = nil
  ) {
    self.key = key
    self.missed = missed
    self.reason = reason
    self.expected = expected
    self.got = got
  }

  /// What the numbers of messages reveal; nil where nothing is to be told.
  package init?(_ finding: SequenceTracker.Finding) {
    switch finding {
    case .inOrder, .late: return nil
    case .gap(let expected, let got):
      let (missed, overflow) = got.subtractingReportingOverflow(expected)
      self.init(missed: overflow ? nil : missed, reason: "sequence", expected: expected, got: got)
    case .reset(let expected, let got): self.init(reason: "reset", expected: expected, got: got)
    case .duplicate(let got): self.init(reason: "duplicate", got: got)
    }
  }

  /// Whether messages are missing, and not only repeated.
  package var isLoss: Bool { reason != "duplicate" }
}
