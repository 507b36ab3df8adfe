extension Timestamp {
  /// The point in time as mail writes it (RFC 5322), such as `Thu, 01 Jan 2026 00:00:00 +0000`.
  package var mailDate: String {
    let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let days = milliseconds / 86_400_000 - (milliseconds % 86_400_000 < 0 ? 1 : 0)
    // 1970 began on a Thursday.
    let weekday = weekdays[Int((days % 7 + 7) % 7)]
    let parts = rfc3339(fraction: false).split { "-T:Z".contains($0) }.map(String.init)
    guard parts.count == 6, let month = Int(parts[1]) else { return rfc3339() }
    return
      "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) +0000"
  }
}
