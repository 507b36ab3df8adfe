import Glibc

extension Timestamp {
  /// The point in time in UTC as RFC 3339 writes it, such as `2026-11-30T03:24:29.250Z`.
  ///
  /// Years beyond 0 to 9999, which RFC 3339 has no form for, get a sign and as many digits as they need
  /// (ISO 8601, expanded representation). Without the fraction the time is cut to the second before it.
  public func rfc3339(fraction: Bool = true) -> String {
    let day: Int64 = 86_400_000
    let days = milliseconds.flooredDivision(by: day)
    let time = milliseconds % day + (milliseconds % day < 0 ? day : 0)
    let date = CivilDate(daysSince1970: days)
    var text = ""
    text.reserveCapacity(24)
    if (0...9_999).contains(date.year) {
      text += digits(date.year, 4)
    } else {
      text += (date.year < 0 ? "-" : "+") + digits(date.year.magnitude, 6)
    }
    text += "-\(digits(date.month, 2))-\(digits(date.day, 2))"
    text += "T\(digits(time / 3_600_000, 2)):\(digits(time / 60_000 % 60, 2)):\(digits(time / 1_000 % 60, 2))"
    if fraction { text += ".\(digits(time % 1_000, 3))" }
    return text + "Z"
  }

  /// The system's real-time clock.
  package static func systemClock() -> Self {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Self(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
  }
}

/// A date of the Gregorian calendar, extended to all years.
private struct CivilDate {
  var year: Int64
  var month: Int64
  var day: Int64

  /// Finds the date by counting in eras of 400 years that begin on the first of March, so that a leap day
  /// is the last day of its year.
  init(daysSince1970 days: Int64) {
    let shifted = days + 719_468  // from 0000-03-01
    let era = shifted.flooredDivision(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
  }
}

extension Int64 {
  /// The quotient rounded down, for a positive divisor.
  fileprivate func flooredDivision(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((-(self + 1)) / divisor) - 1
  }
}

private func digits(_ number: some BinaryInteger, _ width: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(width - text.count, 0)) + text
}
