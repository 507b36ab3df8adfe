import Pipeline

/// What a command works with: the components that there are, and where it writes: results to standard output, everything about them to standard error.
struct Console: Sendable {
  /// The components that configurations can name.
  var registry = Registry.builtIn
  var output = Output(descriptor: 1)
  var errors = Output(descriptor: 2)

  /// Writes results; gives the code to end with if that fails, nil if it went well.
  ///
  /// A reader who went away is no fault of anybody's: the command then ends as if it had written everything.
  func print(_ text: String, orEndWith code: ExitCode = .success) -> ExitCode? {
    do throws(OutputFailure) {
      try output.write(text)
      return nil
    } catch {
      return end(of: error, code)
    }
  }

  /// The code to end with when output could not be written.
  func end(of failure: OutputFailure, _ code: ExitCode = .success) -> ExitCode {
    switch failure {
    case .closed: return code
    case .failed(let reason):
      complain("can't write to the standard output: \(reason)")
      return .failure
    }
  }

  /// Writes one line about what went wrong to standard error.
  func complain(_ text: String) { note("pipeline: \(text)") }

  /// Writes lines to standard error.
  func note(_ text: String) {
    do throws(OutputFailure) {
      try errors.write(text + "\n")
    } catch {
      // Nowhere is left to say so; the exit code still does.
      return
    }
  }
}
