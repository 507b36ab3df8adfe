/// Why a test failed, with everything its author needs to see.
package struct TestFailure: Sendable, Hashable {
  /// The line of the test file; nil where none is known.
  package var line: Int?
  /// What was expected and what was found; may have several lines.
  package var message: String
  /// What happened that no claim names, each with the claim to write for it.
  package var unclaimed: [Unclaimed] = []
  /// What happened before, one line each, with virtual times.
  package var history: [String] = []

  /// Something that happened and was not claimed.
  package struct Unclaimed: Sendable, Hashable {
    package var what: String
    package var claim: String
    /// The line of the script that it comes from, with its neighbours, where that is known.
    package var excerpt: [String] = []
  }
}

/// How the body of a verb or a claim fails; it becomes a ``TestFailure`` of its line.
struct ClaimError: Error {
  var message: String
  /// The line to blame where it isn't the calling one.
  var line: Int?
  var unclaimed: [TestFailure.Unclaimed] = []

  init(_ message: String, line: Int? = nil, unclaimed: [TestFailure.Unclaimed] = []) {
    self.message = message
    self.line = line
    self.unclaimed = unclaimed
  }
}
