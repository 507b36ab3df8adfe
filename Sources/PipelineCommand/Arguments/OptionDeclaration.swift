import Pipeline

/// One option of a command: parsing, errors and help come from it.
struct OptionDeclaration: Sendable {
  /// What stands behind the option's name.
  enum Kind: Sendable {
    /// Nothing.
    case flag
    case text(placeholder: String)
    /// A duration longer than nothing.
    case duration
    /// A whole number within bounds.
    case count(ClosedRange<Int64>)
    case choice([String])
  }

  /// The name without its dashes.
  var name: String
  var kind: Kind
  var help: String

  /// Declares an option.
  init(_ name: String, _ kind: Kind, _ help: String) {
    self.name = name
    self.kind = kind
    self.help = help
  }

  /// The option as a usage line shows it, such as `--for DURATION`.
  var usage: String {
    switch kind {
    case .flag: "--\(name)"
    case .text(let placeholder): "--\(name) \(placeholder)"
    case .duration: "--\(name) DURATION"
    case .count: "--\(name) N"
    case .choice(let choices): "--\(name) \(choices.joined(separator: "|"))"
    }
  }

  /// Reads what was written behind the option.
  func read(_ text: String) throws(UsageError) -> ArgumentValue {
    switch kind {
    case .flag: throw UsageError("--\(name) takes no value, got '\(UsageError.shown(text))'")
    case .text:
      guard !text.isEmpty else { throw UsageError("--\(name) expects a value, got an empty one") }
      return .text(text)
    case .duration:
      let duration: Milliseconds
      do throws(InvalidDuration) {
        duration = try Milliseconds(parsing: text)
      } catch {
        throw UsageError("--\(name): \(error)")
      }
      guard duration > .zero else {
        throw UsageError("--\(name): expected more than no time, got \"\(text)\"")
      }
      return .duration(duration)
    case .count(let bounds):
      guard let number = Int64(text), bounds.contains(number) else {
        throw UsageError(
          "--\(name): expected a whole number from \(bounds.lowerBound) to \(bounds.upperBound), "
            + "got '\(UsageError.shown(text))'")
      }
      return .count(number)
    case .choice(let choices):
      guard choices.contains(text) else {
        let nearest = Suggestion.nearest(to: text, among: choices)
        let hint = nearest.map { "; did you mean '\($0)'?" } ?? ""
        throw UsageError(
          "--\(name): expected \(choices.joined(separator: " or ")), got '\(UsageError.shown(text))'\(hint)")
      }
      return .text(text)
    }
  }
}

/// What was given for an option.
enum ArgumentValue: Sendable, Hashable {
  case flag
  case text(String)
  case duration(Milliseconds)
  case count(Int64)
}
