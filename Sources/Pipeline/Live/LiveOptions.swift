package import Scripting

/// How a live host runs, beside what its configuration says.
package struct LiveOptions: Sendable {
  /// How long to run, nil for until it is stopped.
  package var duration: Milliseconds?
  /// How alerts are written on the console, nil for what fits it.
  package var format: ConsoleChannel.Format?
  /// Whether the configured storage is used; without, everything is forgotten at the end.
  package var keepsState = true
  /// Whether nothing leaves the program: channels other than the console, and what scripts send, only say what
  /// would have left, and nothing is stored.
  package var isDryRun = false
  /// Sees what a recording keeps; called on the engine's thread, which waits for it.
  package var observer: (@Sendable (SourceObservation) -> Void)?

  /// Reloads and commands about the host while it runs; nil for a host that nobody asks anything.
  package var supervision: Supervision?

  /// How a host is looked after while it runs.
  package struct Supervision: Sendable {
    /// Each element asks for a reload.
    package var reloadRequests: AsyncStream<Void>

    /// Makes it from its parts.
    package init(reloadRequests: AsyncStream<Void>) { self.reloadRequests = reloadRequests }
  }

  /// Makes the default options.
  package init(
    duration: Milliseconds? = nil, format: ConsoleChannel.Format? = nil, keepsState: Bool = true,
    observer: (@Sendable (SourceObservation) -> Void)? = nil
  ) {
    self.duration = duration
    self.format = format
    self.keepsState = keepsState
    self.observer = observer
  }
}

/// What a recording keeps, in its order: what comes from sources, and what else decides what scripts do.
package enum SourceObservation: Sendable {
  /// Messages of the source of a number; they can be read during the call only.
  case messages(MessageBatch, source: Int)
  /// Something happened beside messages.
  case happening(RecordedHappening)
}
