/// A stretch of each day by the clock of a zone, such as `22:00-07:00 Europe/Berlin`.
///
/// It begins with its first minute and ends before its last; one that ends before it begins goes over midnight.
package struct DailyHours: Sendable, Hashable, CustomStringConvertible {
  package let first: TimeOfDay
  package let end: TimeOfDay
  package let zone: TimeZone

  /// Reads `22:00-07:00`, in UTC, or `22:00-07:00 Europe/Berlin`; nil for anything else, and for equal times.
  package init?(parsing text: String) {
    let parts = text.split(separator: " ", maxSplits: 1)
    guard let hours = parts.first, let zone = parts.count == 2 ? TimeZone(String(parts[1])) : .utc else {
      return nil
    }
    let ends = hours.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = TimeOfDay(parsing: ends[0]), let end = TimeOfDay(parsing: ends[1]),
      first != end
    else { return nil }
    (self.first, self.end, self.zone) = (first, end, zone)
  }

  /// Whether a time falls into it.
  package func contains(_ time: Timestamp) -> Bool {
    let civil = zone.civil(at: time)
    let now = (civil.hour, civil.minute)
    let isBehindFirst = now >= (first.hour, first.minute)
    let isBeforeEnd = now < (end.hour, end.minute)
    return first < end ? isBehindFirst && isBeforeEnd : isBehindFirst || isBeforeEnd
  }

  /// The first moment after a time that doesn't fall into it.
  ///
  /// Where clocks are set back over its end, that is its first end, and the hour shown again has an end of its own.
  package func end(after time: Timestamp) -> Timestamp {
    let civil = zone.civil(at: time)
    var ends: [Timestamp] = []
    for day in -1...2 {
      let first = zone.time(
        year: civil.year, month: civil.month, day: civil.day + day, hour: end.hour, minute: end.minute)
      ends.append(first)
      // Shown twice, the second time is as much later as the clocks were set back.
      let back = zone.civil(at: first).offset - zone.civil(at: first + .minutes(180)).offset
      if back > 0 { ends.append(first + .seconds(Int64(back))) }
    }
    return ends.filter { $0 > time && !contains($0) }.min() ?? time + .minutes(24 * 60)
  }

  /// The hours as they are written.
  package var description: String { "\(first)-\(end) \(zone)" }
}
