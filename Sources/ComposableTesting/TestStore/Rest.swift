internal import Composable

/// Brings the effects of a test store to rest.
struct Rest: Sendable {
  /// How many steps may be needed, so that an effect that never waits can't hang the test.
  static let stepLimit = 100_000

  let executor: DrainExecutor
  let journal: Journal
  let reporter: IssueReporter
  let tracker: SharedTracker

  /// Runs effects until nothing is left to run, or reports that they don't come to rest.
  func reach() {
    let isAtRest = observed { executor.drain(limit: Self.stepLimit) }
    if !isAtRest { journal.fail(Texts.restless(Self.stepLimit)) }
  }

  /// Runs something of the feature so that the test store hears of its issues and its shared values.
  func observed<Result>(_ body: () -> Result) -> Result {
    IssueReporter.$current.withValue(reporter) { SharedTracker.$current.withValue(tracker, operation: body) }
  }
}
