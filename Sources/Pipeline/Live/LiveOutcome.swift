/// How a live run ended.
package struct LiveOutcome: Sendable, Hashable {
  /// Alerts raised.
  package var alertCount: UInt64
  /// Messages read.
  package var messageCount: UInt64
  /// One sentence for each source that failed for good.
  package var failedSources: [String]
  /// Alerts that were not delivered before the end; they stay in the storage.
  package var undeliveredCount: Int
  /// Whether something the user asked for could not be done: no source is left, or nothing could be stored.
  package var isFailure: Bool
}

/// Why a live host could not start, in one sentence.
package struct StartError: Error, Hashable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
