import Glibc
import Scripting

/// What `env "NAME"` in a configuration stands for.
struct EnvironmentReference {
  let name: String
  let line: Int?

  /// Recognises a reference; nil for any other value.
  init?(_ value: Value) {
    guard case .map(let members) = value, let name = members["$env"]?.text else { return nil }
    self.name = name
    self.line = lineNumber(of: value)
  }
}

/// The variables of the process, for resolving secrets.
public enum ProcessEnvironment {
  /// The text of a variable; nil if it isn't set.
  ///
  /// It copies what `getenv` returns, and nothing in this program calls `setenv`.
  public static func value(of name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

/// The line that a constructor call or a table was written on; nil if it isn't known.
func lineNumber(of value: Value) -> Int? {
  guard case .map(let members) = value, case .integer(let line) = members["$line"] else { return nil }
  return Int(exactly: line)
}
