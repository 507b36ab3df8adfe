import Scripting

/// The ticks of `t.series`, read from a line such as `69000 +100x10 _x3 stale`.
///
/// A number is a tick with this value, `+n` and `-n` one that differs by n from the last, `_` one without a
/// message, `stale` tells that the source is silent. `x10` behind any of them repeats it.
struct Series {
  /// One step of the clock.
  enum Tick: Hashable {
    case value(Value)
    case missing
    case stale
  }

  /// Ticks at most.
  static let limit = 100_000

  private(set) var ticks: [Tick] = []
  private var last: Value?

  init(parsing text: String) throws(ClaimError) {
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\t" }) { try add(word) }
    if ticks.isEmpty { throw ClaimError("expected ticks such as \"69000 +100x10 _x3\", got none") }
  }

  private mutating func add(_ word: Substring) throws(ClaimError) {
    let parts = word.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count <= 2, let body = parts.first, let count = parts.count == 2 ? Int(parts[1]) : 1,
      count > 0
    else {
      throw Self.invalid(word)
    }
    guard count <= Self.limit - ticks.count else {
      throw ClaimError("expected at most \(Self.limit) ticks, got more at '\(word)'")
    }
    for _ in 0..<count { ticks.append(try tick(body, of: word)) }
  }

  private mutating func tick(_ body: Substring, of word: Substring) throws(ClaimError) -> Tick {
    if body == "_" { return .missing }
    if body == "stale" { return .stale }
    // A minus sign before the first number is a sign, behind it a step.
    let isStep = body.hasPrefix("+") || (body.hasPrefix("-") && last != nil)
    guard let number = Self.number(body) else { throw Self.invalid(word) }
    guard isStep else {
      last = number
      return .value(number)
    }
    guard let before = last else {
      throw ClaimError("'\(word)' steps from the value before it, but there is none; begin with a number")
    }
    let sum = try Self.sum(before, number, word)
    last = sum
    return .value(sum)
  }

  private static func number(_ text: Substring) -> Value? {
    let digits = text.drop { $0 == "+" || $0 == "-" }
    guard digits.first.map({ $0.isASCII && $0.isNumber }) ?? false,
      digits.allSatisfy({ ($0.isASCII && $0.isNumber) || $0 == "." })
    else { return nil }
    if let integer = Int64(text) { return .integer(integer) }
    return Double(text).map { .number($0) }
  }

  private static func sum(_ a: Value, _ b: Value, _ word: Substring) throws(ClaimError) -> Value {
    if case .integer(let a) = a, case .integer(let b) = b {
      let (sum, overflow) = a.addingReportingOverflow(b)
      if overflow { throw ClaimError("'\(word)' leads beyond the range of integers") }
      return .integer(sum)
    }
    return .number((a.double ?? 0) + (b.double ?? 0))
  }

  private static func invalid(_ word: Substring) -> ClaimError {
    ClaimError(
      "expected a number, +n, -n, _ or stale, each with x and a count if it is repeated, got '\(word.prefix(40))'"
    )
  }
}
