package import LuaShim

/// Why a handler, or a whole file, did not get through.
public struct ScriptFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What ended it.
  public enum Cause: String, Sendable, CaseIterable {
    case error
    case steps
    case time
    case memory
    case effects
  }

  /// What ended it.
  public var cause: Cause
  /// One sentence that begins with file and line where there is one.
  public var reason: String
  /// The calls that led there, innermost first, one a line.
  public var traceback: String
  /// The index in the batch of the message in hand.
  public var message: Int

  /// The reason.
  public var description: String { reason }

  /// Makes a failure of the host's own finding.
  package init(reason: String, cause: Cause = .error) {
    self.cause = cause
    self.reason = reason
    traceback = ""
    message = 0
  }

  package init(_ failure: script_failure) {
    cause =
      switch failure.outcome {
      case SCRIPT_OVER_STEPS: .steps
      case SCRIPT_OVER_TIME: .time
      case SCRIPT_OVER_MEMORY: .memory
      case SCRIPT_OVER_EFFECTS: .effects
      default: .error
      }
    reason = String(failure.reason)
    traceback = String(failure.traceback)
    message = Int(failure.message)
  }
}
