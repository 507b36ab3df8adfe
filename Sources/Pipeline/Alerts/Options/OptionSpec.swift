/// The declaration of one option: reading, errors about unknown names and help all come from it.
package struct OptionSpec: Sendable, Hashable {
  /// What an option's value must be.
  package enum Kind: Sendable, Hashable {
    /// A finite number, integer or not.
    case number
    /// A list of two finite numbers, the lower first.
    case range
    /// A whole number within bounds.
    case count(ClosedRange<Int64>)
    /// A text such as `"10m"`, longer than nothing.
    case duration
    /// A text such as `"2026-12-31"` or `"2026-12-31T18:30:00Z"`.
    case date
    case boolean
    case text
    /// One of a few texts.
    case choice([String])
    /// A list of texts.
    case texts
    /// A map from names to texts.
    case labels
    /// A table of options of its own.
    case options([OptionSpec])
    /// A function of the script, of a value and the data given with it.
    case function
    /// A text, or such a function that returns one.
    case textOrFunction
  }

  /// The name in snake_case.
  package let name: String
  package let kind: Kind
  /// What holds where the option is left out, as it would be written or in words; nil if it must be given
  /// or nothing takes its place.
  package let fallback: String?
  /// The unit of a plain number, where it has one.
  package let unit: String?
  /// Whether it must be given.
  package let isRequired: Bool
  /// One line that says what the option does.
  package let help: String

  /// Declares an option.
  package init(
    _ name: String, _ kind: Kind, default fallback: String? = nil, unit: String? = nil,
    required isRequired: Bool = false, help: String
  ) {
    self.name = name
    self.kind = kind
    self.fallback = fallback
    self.unit = unit
    self.isRequired = isRequired
    self.help = help
  }

  /// The kind in the words of help and errors, such as `a duration such as "10m"`.
  package var kindName: String {
    switch kind {
    case .number: "a number"
    case .range: "a list of two numbers, the lower first"
    case .count(let bounds): "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)"
    case .duration: "a duration such as \"10m\""
    case .date: "a date such as \"2026-12-31\" or \"2026-12-31T18:30:00Z\""
    case .boolean: "true or false"
    case .text: "a text"
    case .choice(let names): alternatives(names.map { "\"\($0)\"" })
    case .texts: "a list of texts"
    case .labels: "a table of texts"
    case .options: "a table of options"
    case .function: "a function"
    case .textOrFunction: "a text or a function"
    }
  }

  /// The option as a line of help: name, kind, unit, default, and what it does.
  package var helpLine: String {
    let unit = unit.map { " in \($0)" } ?? ""
    let fallback = fallback.map { ", default \($0)" } ?? ""
    return "\(name): \(kindName)\(unit)\(isRequired ? ", required" : "")\(fallback). \(help)"
  }
}
