/// When something happens again and again.
package enum Recurrence: Sendable, Hashable {
  /// Once on each day of a zone. A time that its clocks skip is the moment at which they are set forward; of one
  /// that they show twice the first counts.
  case daily(TimeOfDay, TimeZone)
  /// At even distances from whenever it began.
  case every(Milliseconds)
  /// At the multiples of a span since 1970 UTC, as at each full minute.
  case aligned(Milliseconds)

  /// The first time behind another one.
  package func next(after time: Timestamp) -> Timestamp {
    switch self {
    case .every(let span): return time + span
    case .aligned(let span):
      let into = (time.milliseconds % span.count + span.count) % span.count
      return time + Milliseconds(span.count - into)
    case .daily(let timeOfDay, let zone):
      let today = zone.civil(at: time)
      // Tomorrow's always comes behind; the day after covers a zone that skips a whole day.
      for days in 0...2 {
        let candidate = zone.time(
          year: today.year, month: today.month, day: today.day + days, hour: timeOfDay.hour,
          minute: timeOfDay.minute)
        if candidate > time { return candidate }
      }
      return time + .minutes(24 * 60)
    }
  }

  /// The due time to go on with behind a stored one.
  ///
  /// One that has passed is kept, to be made up for once; one that this recurrence doesn't give is replaced.
  package func resumed(from stored: Timestamp?, at now: Timestamp) -> Timestamp {
    guard let stored else { return next(after: now) }
    if stored <= now { return stored }
    if case .every(let span) = self, stored - now <= span { return stored }
    return next(after: now)
  }
}
