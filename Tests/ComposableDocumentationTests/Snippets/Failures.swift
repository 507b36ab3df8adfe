import Synchronization
import Testing

/// Takes the failures of a test store, for a test that looks at them.
final class Failures: Sendable {
  private let storage = Mutex<[String]>([])
  var texts: [String] { storage.withLock { $0 } }
  var record: @Sendable (String, SourceLocation) -> Void {
    { [self] text, _ in storage.withLock { $0.append(text) } }
  }
}
