internal import Composable
internal import Synchronization
internal import Testing

/// Where a test store reports, and the line of the test that it is at.
final class Journal: Sendable {
  private let current: Mutex<SourceLocation>
  private let report: @Sendable (String, SourceLocation) -> Void

  init(location: SourceLocation, report: @escaping @Sendable (String, SourceLocation) -> Void) {
    current = Mutex(location)
    self.report = report
  }

  /// The line of the test that called the store last.
  var location: SourceLocation {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  func fail(_ message: String, at location: SourceLocation? = nil) {
    report(message, location ?? self.location)
  }

  /// Reports an issue of the runtime at its own line where it has one that can be opened.
  func record(_ issue: Composable.Issue) {
    guard let place = issue.location, !"\(place.filePath)".isEmpty, "\(place.fileID)".contains("/") else {
      return fail(issue.message)
    }
    fail(
      issue.message,
      at: SourceLocation(
        fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line),
        column: Int(place.column)))
  }
}
