/// Messages of a source that never came, or that nobody can be sure of.
package struct SourceGap: Sendable, Hashable {
  /// The key whose messages are missing; empty where those of any may be.
  package var key: String
  /// How many are missing; nil where nobody can tell.
  package var missed: Int64?
  /// How it showed, in a word or two, such as `sequence` or `restart`.
  package var reason: String

  /// Makes a gap.
  package init(key: String = "", missed: Int64? = nil, reason: String) {
    self.key = key
    self.missed = missed
    self.reason = reason
  }
}
