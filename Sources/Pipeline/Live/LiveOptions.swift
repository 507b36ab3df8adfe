package import Scripting

/// How a live host runs, beside what its configuration says.
package struct LiveOptions: Sendable {
  /// How long to run, nil for until it is stopped.
  package var duration: Milliseconds?
  /// How alerts are written on the console, nil for what fits it.
  package var format: ConsoleChannel.Format?
  /// Whether the configured storage is used; without, everything is forgotten at the end.
  package var keepsState = true
  /// Sees each batch before the scripts do; called on the engine's thread, which waits for it.
  package var tap: (@Sendable (MessageBatch) -> Void)?

  /// Makes the default options.
  package init(
    duration: Milliseconds? = nil, format: ConsoleChannel.Format? = nil, keepsState: Bool = true,
    tap: (@Sendable (MessageBatch) -> Void)? = nil
  ) {
    self.duration = duration
    self.format = format
    self.keepsState = keepsState
    self.tap = tap
  }
}
