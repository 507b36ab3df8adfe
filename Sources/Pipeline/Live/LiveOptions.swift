/// How a live host runs, beside what its configuration says.
package struct LiveOptions: Sendable {
  /// How long to run, nil for until it is stopped.
  package var duration: Milliseconds?
  /// How alerts are written on the console, nil for what fits it.
  package var format: ConsoleChannel.Format?
  /// Whether the configured storage is used; without, everything is forgotten at the end.
  package var keepsState = true

  /// Makes the default options.
  package init(duration: Milliseconds? = nil, format: ConsoleChannel.Format? = nil, keepsState: Bool = true) {
    self.duration = duration
    self.format = format
    self.keepsState = keepsState
  }
}
