package import Scripting

/// What error texts say besides about a value that is none of those expected, wherever options are read.
package enum MismatchHint {
  /// For a value in place of one of a few texts: the one that was most likely meant.
  package static func choice(_ value: Value, among choices: [String]) -> String {
    let nearest = value.text.flatMap { Suggestion.nearest(to: $0, among: choices) }
    return nearest.map { "; did you mean \"\($0)\"?" } ?? ""
  }

  /// For a number in place of a duration: how to write one.
  package static func duration(_ value: Value) -> String {
    guard let number = value.double, number >= 0 else { return "" }
    guard let whole = Int64(exactly: number) else {
      return "; write a whole number in one unit, such as \"90m\" or \"500ms\""
    }
    return "; write the unit, such as \"\(whole)s\" for seconds"
  }
}
