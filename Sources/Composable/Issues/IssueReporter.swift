internal import Glibc

/// Where issues go: standard error in a program, the failing line in a test.
public struct IssueReporter: Sendable {
  /// Takes an issue; may be called from any thread.
  public var report: @Sendable (Issue) -> Void

  /// Makes a reporter from a function that may be called from any thread.
  public init(report: @escaping @Sendable (Issue) -> Void) { self.report = report }

  /// Reports to whoever runs the current task: the test store in a test, else standard error.
  public static let ambient = IssueReporter { issue in (current ?? standardError).report(issue) }

  /// Writes one line to standard error.
  public static let standardError = IssueReporter { issue in
    var line = Array("composable: \(issue)\n".utf8)
    // One write, so that lines of several threads don't mix; there is nowhere to tell of a failure.
    line.withUnsafeMutableBytes { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  /// Who takes the issues of the current task and of the tasks it starts.
  @TaskLocal package static var current: IssueReporter?
}

extension IssueReporter: DependencyKey {
  /// What failure texts call it.
  public static let name = "issues"
  /// The value in a program.
  public static var live: IssueReporter { ambient }
  /// The value in a test: it reports each use.
  public static var test: IssueReporter { ambient }
}

extension Dependencies {
  /// Where issues go.
  public var issues: IssueReporter {
    get { self[IssueReporter.self] }
    set { self[IssueReporter.self] = newValue }
  }
}
