import Composable

/// The lines that a person types, until the end of the input.
public func typedLines() -> AsyncStream<String> {
  // Waiting for the keyboard must hold up nobody else.
  let keyboard = WorkerThread()
  return AsyncStream { await Task(executorPreference: keyboard) { readLine() }.value }
}
