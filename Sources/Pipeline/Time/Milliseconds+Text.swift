extension Milliseconds {
  /// The units a duration may be written in, from the longest to the shortest, with their milliseconds.
  private static let units: [(name: String, length: Int64)] = [
    ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
  ]

  /// Reads a duration written as a whole number and its unit: `500ms`, `10s`, `10m`, `2h` or `1d`.
  ///
  /// A bare number, a fraction, a sign, white space and several units in one text are refused, each with
  /// what to write instead. The longest duration is `Int64.max` milliseconds.
  ///
  /// - Throws: ``InvalidDuration`` with what was expected and what was found.
  package init(parsing text: String) throws(InvalidDuration) {
    let digits = text.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }
    let unitName = String(text.dropFirst(digits.count))
    guard !digits.isEmpty else {
      throw InvalidDuration("expected a duration such as \"10m\", got \(quoted(text))")
    }
    guard !unitName.isEmpty else {
      throw InvalidDuration(
        "expected a duration with its unit, got \(quoted(text)); write \"\(text)s\" for seconds")
    }
    guard let unit = Self.units.first(where: { $0.name == unitName }) else {
      let advice =
        unitName.utf8.contains { $0 >= 0x30 && $0 <= 0x39 }
        ? "write a whole number in one unit, such as \"90m\"" : "the units are ms, s, m, h and d"
      throw InvalidDuration("expected a duration such as \"10m\", got \(quoted(text)); \(advice)")
    }
    let count = Int64(String(Substring(digits)))
    let (product, overflow) = (count ?? .max).multipliedReportingOverflow(by: unit.length)
    guard count != nil, !overflow else {
      throw InvalidDuration("expected a duration of at most \(Int64.max)ms, got \(quoted(text))")
    }
    self.init(product)
  }
}

extension Milliseconds: CustomStringConvertible {
  /// The duration in the longest unit that holds it exactly, such as `90m`; `init(parsing:)` reads it back.
  public var description: String {
    guard count != 0 else { return "0s" }
    for unit in Self.units where count % unit.length == 0 {
      return "\(count / unit.length)\(unit.name)"
    }
    return "\(count)ms"
  }
}

/// Why a text is not a duration.
package struct InvalidDuration: Error, Hashable, CustomStringConvertible {
  /// What was expected, what was found and what to write, without the name of the option.
  package let description: String

  fileprivate init(_ description: String) { self.description = description }
}

/// The text between quotation marks, cut at 40 characters, for error texts.
private func quoted(_ text: String) -> String {
  text.count > 40 ? "\"\(text.prefix(40))…\"" : "\"\(text)\""
}
