extension Timestamp {
  /// Reads a date such as `2026-12-31`, or a date and time such as `2026-12-31T18:30:00Z`.
  ///
  /// The form is RFC 3339: a time may have a fraction of up to nine digits (cut to milliseconds) and ends
  /// in `Z` or an offset such as `+01:00`. A date alone is its first instant in UTC. Leap seconds are
  /// refused. Nil for everything else, also for days that don't exist.
  ///
  /// With a zone, what has no offset is local time there, and `2026-12-31 18:30` does as well.
  package init?(parsing text: String, in zone: TimeZone? = nil) {
    var reader = DigitReader(bytes: Array(text.utf8))
    guard let year = reader.number(digits: 4), reader.take("-"), let month = reader.number(digits: 2),
      reader.take("-"), let day = reader.number(digits: 2),
      (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, ofYear: year)
    else { return nil }
    var time: Int64 = 0
    var offset: Int64?
    if !reader.isAtEnd {
      guard reader.take("T") || reader.take("t") || (zone != nil && reader.take(" ")),
        let hour = reader.number(digits: 2), hour < 24, reader.take(":"),
        let minute = reader.number(digits: 2), minute < 60
      else { return nil }
      time = (hour * 60 + minute) * 60_000
      if zone == nil || !reader.isAtEnd {
        guard reader.take(":"), let second = reader.number(digits: 2), second < 60 else { return nil }
        time += second * 1_000
      }
      if reader.take(".") {
        guard let fraction = reader.fraction() else { return nil }
        time += fraction
      }
      offset = reader.offset()
      guard zone != nil || offset != nil, reader.isAtEnd else { return nil }
    }
    if let zone, offset == nil {
      let local = zone.time(
        year: year, month: Int(month), day: Int(day), hour: Int(time / 3_600_000),
        minute: Int(time / 60_000 % 60), second: Int(time / 1_000 % 60))
      self.init(milliseconds: local.milliseconds + time % 1_000)
    } else {
      let days = Self.days(year: year, month: month, day: day)
      self.init(milliseconds: days * 86_400_000 + time - (offset ?? 0) * 60_000)
    }
  }

  /// The number of days from 1970-01-01 to a date of the Gregorian calendar, counted from 1 March so that
  /// the leap day ends a year.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func days(inMonth month: Int64, ofYear year: Int64) -> Int64 {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

/// Reads the fixed-width fields of a date and time.
private struct DigitReader {
  let bytes: [UInt8]
  var position = 0

  var isAtEnd: Bool { position == bytes.count }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, UInt32(bytes[position]) == character.value else { return false }
    position += 1
    return true
  }

  mutating func digit() -> Int64? {
    guard position < bytes.count, bytes[position] >= 0x30, bytes[position] <= 0x39 else { return nil }
    position += 1
    return Int64(bytes[position - 1] - 0x30)
  }

  mutating func number(digits: Int) -> Int64? {
    var number: Int64 = 0
    for _ in 0..<digits {
      guard let digit = digit() else { return nil }
      number = number * 10 + digit
    }
    return number
  }

  /// One to nine digits after the point, as milliseconds.
  mutating func fraction() -> Int64? {
    var milliseconds: Int64 = 0
    var count = 0
    while let digit = digit() {
      if count < 3 { milliseconds = milliseconds * 10 + digit }
      count += 1
    }
    guard (1...9).contains(count) else { return nil }
    for _ in min(count, 3)..<3 { milliseconds *= 10 }
    return milliseconds
  }

  /// `Z` or a signed offset, as minutes east of UTC.
  mutating func offset() -> Int64? {
    if take("Z") || take("z") { return 0 }
    let sign: Int64
    if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
    guard let hours = number(digits: 2), hours < 24, take(":"), let minutes = number(digits: 2),
      minutes < 60
    else { return nil }
    return sign * (hours * 60 + minutes)
  }
}
