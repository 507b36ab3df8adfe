/// Where lines of the log go; may be called from any thread.
package typealias LogSink = @Sendable (_ level: LogLevel, _ origin: String, _ text: String) -> Void
