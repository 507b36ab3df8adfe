package import Scripting

/// What became of one test.
package struct TestResult: Sendable {
  package var name: String
  /// Where `it` stands.
  package var line: Int
  /// Nil for a test that passed.
  package var failure: TestFailure?
  package var duration: Duration = .zero

  init(name: String, line: Int) {
    self.name = name
    self.line = line
  }
}

/// What became of one test file.
package struct TestFileResult: Sendable {
  package var path: String
  /// The text of the file, for the lines that failures show.
  var source: String
  /// Why the file as a whole failed: it can't be read or loaded, or has no test.
  package var failure: TestFailure?
  /// In the order of the file, which isn't the one in which they ran.
  package var tests: [TestResult] = []
  /// The places of the tests in the order in which they ran.
  package var order: [Int] = []
  /// The lines of scripts that the tests ran; empty unless they are counted.
  var coverage = LineCoverage()

  init(path: String, source: String = "", failure: TestFailure? = nil) {
    self.path = path
    self.source = source
    self.failure = failure
  }
}

/// What became of all tests.
package struct TestReport: Sendable {
  package var files: [TestFileResult] = []
  /// Paths that could not be used, one sentence each.
  package var problems: [String] = []
  /// What the order of the tests was made from.
  package var seed: UInt64?
  /// How often the lines of the scripts ran; nil unless they were counted.
  package var coverage: LineCoverage?

  package var passedCount: Int { files.reduce(0) { $0 + $1.tests.count { $0.failure == nil } } }

  /// Failed tests, and files that failed as a whole.
  package var failedCount: Int {
    files.reduce(0) { $0 + $1.tests.count { $0.failure != nil } + ($1.failure == nil ? 0 : 1) }
  }

  /// 0 when all passed, 1 when a test failed, 2 when a path could not be used.
  package var exitStatus: Int32 { !problems.isEmpty ? 2 : failedCount > 0 ? 1 : 0 }

  /// The last line of a report, such as `12 passed, 1 failed`.
  package var summary: String { "\(passedCount) passed, \(failedCount) failed" }
}
