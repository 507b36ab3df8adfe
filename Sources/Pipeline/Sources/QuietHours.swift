import Scripting

/// When silence of a source is no fault: parts of days, days of the week and dates, each by the clock of a zone.
///
/// Its entries are texts such as `16:00-09:30 America/New_York`, `sat-sun America/New_York` and
/// `2026-12-25 America/New_York`; without a zone they are in UTC.
package struct QuietHours: Sendable, Hashable {
  private enum Entry: Sendable, Hashable {
    case daily(DailyHours)
    /// Days of the week, from 1 for Monday; the range goes over Sunday where it ends before it begins.
    case weekdays(first: Int, last: Int, TimeZone)
    case date(year: Int64, month: Int, day: Int, TimeZone)

    func contains(_ time: Timestamp) -> Bool {
      switch self {
      case .daily(let hours): return hours.contains(time)
      case .weekdays(let first, let last, let zone):
        let day = zone.civil(at: time).weekday
        return first <= last ? (first...last).contains(day) : day >= first || day <= last
      case .date(let year, let month, let day, let zone):
        let civil = zone.civil(at: time)
        return (civil.year, civil.month, civil.day) == (year, month, day)
      }
    }
  }

  private static let weekdays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

  private var entries: [Entry] = []

  /// Makes hours that never are.
  package init() {}

  /// Whether there are any.
  package var isEmpty: Bool { entries.isEmpty }

  /// Adds the hours of a text; false if it isn't one of the forms.
  package mutating func add(_ text: String) -> Bool {
    if let hours = DailyHours(parsing: text) {
      entries.append(.daily(hours))
      return true
    }
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let days = parts.first, let zone = parts.count == 2 ? TimeZone(String(parts[1])) : .utc else {
      return false
    }
    let ends = days.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    let numbers = ends.compactMap { Self.weekdays.firstIndex(of: $0.lowercased()) }
    if numbers.count == ends.count, let first = numbers.first, let last = numbers.last, numbers.count <= 2 {
      entries.append(.weekdays(first: first + 1, last: last + 1, zone))
      return true
    }
    guard days.utf8.count == 10, let date = Timestamp(parsing: String(days)) else { return false }
    let civil = TimeZone.utc.civil(at: date)
    entries.append(.date(year: civil.year, month: civil.month, day: civil.day, zone))
    return true
  }

  /// Whether a time falls into them.
  package func contains(_ time: Timestamp) -> Bool { entries.contains { $0.contains(time) } }

  /// The option of a source.
  static let field = FieldSpec(
    "quiet_hours", .list(of: .text),
    help: "When silence is no fault, as where a market is closed: hours of each day, days of the week, or "
      + "dates, each with a zone behind it, or else in UTC",
    example: ["16:00-09:30 America/New_York", "sat-sun America/New_York", "2026-12-25 America/New_York"])

  /// Takes the hours from the option, which was checked.
  init(fields: FieldReader) {
    for text in fields.texts("quiet_hours") { _ = add(text) }
  }

  /// The faults in the option.
  static func faults(_ fields: FieldReader) -> [ComponentSpec.Fault] {
    var hours = QuietHours()
    return fields.texts("quiet_hours").enumerated().compactMap { index, text in
      guard !hours.add(text) else { return nil }
      return .init(
        "quiet_hours[\(index + 1)]",
        "expected hours such as \"16:00-09:30 America/New_York\", days such as \"sat-sun\" or a date such as "
          + "\"2026-12-25\", got \(LuaText.found(.text(text)))")
    }
  }
}
