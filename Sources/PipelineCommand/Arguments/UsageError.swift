import Pipeline

/// What is wrong with a command line, in one sentence.
struct UsageError: Error, Hashable, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// What was typed, fit for an error text.
  static func shown(_ text: String) -> String {
    let cut = text.count > 60 ? "\(text.prefix(60))…" : text
    return String(
      String.UnicodeScalarView(
        cut.unicodeScalars.map { $0.properties.generalCategory == .control ? "?" : $0 }))
  }

  /// A name that is none of a configuration's sources.
  static func unknownSource(_ name: String, among names: [String]) -> UsageError {
    UsageError(
      "the configuration has no source '\(shown(name))'; \(Suggestion.hint(for: name, among: names))")
  }
}
