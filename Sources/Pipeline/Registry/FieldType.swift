/// What an option accepts.
public indirect enum FieldType: Sendable {
  case text
  /// A URL with one of the schemes, given as text or as a reference to an environment variable.
  case url(schemes: [String])
  /// The path of a file, taken from the folder of the configuration unless it begins with `/`.
  case file(mustExist: Bool)
  case integer(ClosedRange<Int64>)
  case number(ClosedRange<Double>)
  case boolean
  /// A span of time such as `"500ms"`, `"10s"`, `"10m"`, `"2h"` or `"1d"`.
  case duration(ClosedRange<Milliseconds>)
  /// A number of bytes such as `"16MB"` or `"64KiB"`.
  case size(ClosedRange<Int64>)
  case list(of: FieldType)
  case map(of: FieldType)
  case group([FieldSpec])
  case choice([String])
  /// The name of another component of the same configuration.
  case reference(to: ComponentKind)
  /// Text that is never printed, given as text or as a reference to an environment variable.
  case secretText
  /// A message to send: text as it is, anything else as JSON. It may hold environment variables.
  case message
  /// Any plain value.
  case value
  /// A function of the configuration, called with one value for another one.
  case function
  /// A table of texts that are never printed, or a function of the configuration that makes one when it is needed.
  case headers

  /// What error texts say was expected.
  var expectation: String {
    switch self {
    case .text: "a text"
    case .url(let schemes):
      // By how the first letter is called.
      (schemes.first.map { "hms".contains($0.prefix(1)) } == true ? "an " : "a ")
        + "\(alternatives(schemes.map { "\($0)://" })) URL"
    case .file: "the path of a file"
    case .integer(let range): "an integer" + bounds(range, least: .min, most: .max) { "\($0)" }
    case .number(let range):
      "a number" + bounds(range, least: -Double.infinity, most: Double.infinity) { LuaText.number($0) }
    case .boolean: "true or false"
    case .duration(let range):
      "a duration such as \"10s\""
        + bounds(range, least: .zero, most: Milliseconds(.max)) { "\($0)" }
    case .size(let range):
      "a size such as \"16MB\"" + bounds(range, least: 0, most: .max, write: SizeText.write)
    case .list: "a list"
    case .map, .group: "a table of named values"
    case .choice(let choices): alternatives(choices.map { "\"\($0)\"" })
    case .reference(let kind): "the name of \(kind.noun)"
    case .secretText: "a text or env \"NAME\""
    case .message: "a text or a table"
    case .value: "a plain value"
    case .function: "a function"
    case .headers: "a table of named values or a function"
    }
  }

  /// The name that help texts use.
  var label: String {
    switch self {
    case .text: "text"
    case .url: "URL"
    case .file: "file"
    case .integer: "integer"
    case .number: "number"
    case .boolean: "boolean"
    case .duration: "duration"
    case .size: "size"
    case .list(let element): "list of \(element.plural)"
    case .map(let element): "table of \(element.plural)"
    case .group: "table"
    case .choice: "choice"
    case .reference(let kind): "name of \(kind.noun)"
    case .secretText: "secret text"
    case .message: "message"
    case .value: "value"
    case .function: "function"
    case .headers: "table of secret texts, or function"
    }
  }
}

extension FieldType {
  /// The options of a table, or of each table of a list or a map; empty for what holds none.
  var members: [FieldSpec] {
    switch self {
    case .group(let members): members
    case .list(let element), .map(let element): element.members
    default: []
    }
  }

  /// The label for several.
  private var plural: String {
    switch self {
    case .list(let element): "lists of \(element.plural)"
    case .map(let element): "tables of \(element.plural)"
    case .reference(let kind): "names of \(kind.rawValue)s"
    default: "\(label)s"
    }
  }
}

/// Joins alternatives as a sentence does: `a`, `a or b`, `a, b or c`.
func alternatives(_ names: [String]) -> String {
  guard let last = names.last, names.count > 1 else { return names.first ?? "" }
  return names.dropLast().joined(separator: ", ") + " or " + last
}

private func bounds<Bound: Comparable>(
  _ range: ClosedRange<Bound>, least: Bound, most: Bound, write: (Bound) -> String
) -> String {
  switch (range.lowerBound > least, range.upperBound < most) {
  case (true, true): " between \(write(range.lowerBound)) and \(write(range.upperBound))"
  case (true, false): " of at least \(write(range.lowerBound))"
  case (false, true): " of at most \(write(range.upperBound))"
  case (false, false): ""
  }
}
