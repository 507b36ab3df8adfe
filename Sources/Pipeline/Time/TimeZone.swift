private import ZoneShim

/// A time zone of the tz database, by its name; the process's own zone plays no part.
package struct TimeZone: Sendable, Hashable, CustomStringConvertible {
  /// The name, such as `Europe/Berlin`.
  package let name: String

  /// The zone's data, which never change and live as long as the process.
  private let data: UInt

  /// UTC.
  package static let utc: TimeZone = {
    guard let utc = TimeZone("UTC") else { preconditionFailure("there is no UTC") }
    return utc
  }()

  /// Finds a zone; nil where the database has none of that name.
  package init?(_ name: String) {
    guard let data = zone_find(name) else { return nil }
    self.name = name
    self.data = UInt(bitPattern: data)
  }

  /// The name.
  package var description: String { name }

  private var pointer: OpaquePointer {
    // Made from a pointer that was not null.
    OpaquePointer(bitPattern: data)!
  }

  /// What clocks of the zone show at a time.
  package func civil(at time: Timestamp) -> CivilTime {
    let civil = zone_civil_at(pointer, time.seconds)
    return CivilTime(
      year: civil.year, month: Int(civil.month), day: Int(civil.day), hour: Int(civil.hour),
      minute: Int(civil.minute), second: Int(civil.second), weekday: Int(civil.weekday),
      yearDay: Int(civil.year_day), offset: Int(civil.offset))
  }

  /// When clocks of the zone show a date and time.
  ///
  /// Where they show it twice, as clocks are set back, that is the first time; where they never do, as clocks are
  /// set forward, the moment of the change. Days beyond the end of a month count on into the next one.
  package func time(year: Int64, month: Int, day: Int, hour: Int, minute: Int, second: Int = 0) -> Timestamp {
    let instant = zone_instant_of(
      pointer, year, Int32(clamping: month), Int32(clamping: day), Int32(clamping: hour),
      Int32(clamping: minute), Int32(clamping: second))
    return Timestamp(milliseconds: instant.first * 1_000)
  }

  /// The abbreviation in use at a time, such as `CEST`.
  package func abbreviation(at time: Timestamp) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16) { text in
      // The buffer has a first byte.
      zone_abbreviation(pointer, time.seconds, text.baseAddress!)
      return String(cString: text.baseAddress!)
    }
  }
}

/// A date and time as a clock on a wall shows it.
package struct CivilTime: Sendable, Hashable {
  package var year: Int64
  /// 1 to 12.
  package var month: Int
  /// From 1.
  package var day: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  /// 1 for Monday to 7 for Sunday.
  package var weekday: Int
  /// The day of the year, from 1.
  package var yearDay: Int
  /// Seconds east of UTC.
  package var offset: Int
}

extension Timestamp {
  /// Whole seconds since 1970 UTC, rounded down.
  var seconds: Int64 { milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000 }
}
