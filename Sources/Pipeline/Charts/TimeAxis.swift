/// A horizontal axis of time in UTC, with marks where a clock or a calendar is round.
struct TimeAxis: Sendable {
  struct Tick: Sendable, Hashable {
    var time: Int64
    /// The time of day, or the day where marks are days apart.
    var label: String
    /// The day, where it begins or changes; nil elsewhere.
    var day: String?
  }

  let range: ClosedRange<Int64>
  let ticks: [Tick]

  private static let second: Int64 = 1_000
  private static let minute: Int64 = 60_000
  private static let hour: Int64 = 3_600_000
  private static let dayLength: Int64 = 86_400_000
  private static let steps: [Int64] =
    [1, 2, 5, 10, 20, 50, 100, 200, 500] + [1, 2, 5, 10, 15, 30].map { $0 * second }
    + [1, 2, 5, 10, 15, 30].map { $0 * minute } + [1, 2, 3, 6, 12].map { $0 * hour }
    + [1, 2, 7, 14].map { $0 * dayLength }

  /// Makes an axis.
  ///
  /// - Parameter count: about how many marks.
  init(_ range: ClosedRange<Int64>, count: Int) {
    let length = range.upperBound - range.lowerBound
    self.range = length > 0 ? range : (range.lowerBound - 500)...(range.upperBound + 500)
    let raw = max(length, 1) / Int64(max(count, 1))
    if let step = Self.steps.first(where: { $0 >= raw }) {
      ticks = Self.ticks(of: self.range, every: step)
    } else {
      ticks = Self.months(of: self.range, apart: max(1, Int(raw / (30 * Self.dayLength) + 1)))
    }
  }

  private static func ticks(of range: ClosedRange<Int64>, every step: Int64) -> [Tick] {
    var ticks: [Tick] = []
    let remainder = range.lowerBound % step
    var time = range.lowerBound - remainder + (remainder > 0 ? step : 0)
    var lastDay = ""
    while time <= range.upperBound {
      let text = Timestamp(milliseconds: time).rfc3339()
      let day = String(text.prefix { $0 != "T" })
      let clock = text.dropFirst(day.count + 1)
      if step >= dayLength {
        ticks.append(Tick(time: time, label: day))
      } else {
        let label = step >= minute ? clock.prefix(5) : step >= second ? clock.prefix(8) : clock.prefix(12)
        ticks.append(Tick(time: time, label: String(label), day: day == lastDay ? nil : day))
        lastDay = day
      }
      time += step
    }
    return ticks
  }

  /// Marks at the beginnings of months that are a divisor of the year apart, or of years.
  private static func months(of range: ClosedRange<Int64>, apart: Int) -> [Tick] {
    let months = [1, 2, 3, 6, 12].first { $0 >= apart } ?? (apart + 11) / 12 * 12
    let start = TimeZone.utc.civil(at: Timestamp(milliseconds: range.lowerBound))
    var index = Int(start.year) * 12 + start.month - 1
    index -= index % months
    var ticks: [Tick] = []
    while true {
      let time = TimeZone.utc.time(
        year: Int64(index / 12), month: index % 12 + 1, day: 1, hour: 0, minute: 0
      ).milliseconds
      guard time <= range.upperBound else { return ticks }
      if time >= range.lowerBound {
        ticks.append(Tick(time: time, label: String(Timestamp(milliseconds: time).rfc3339().prefix(7))))
      }
      index += months
    }
  }
}
