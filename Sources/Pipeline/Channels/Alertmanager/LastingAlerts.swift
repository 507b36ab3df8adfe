/// Finds what a channel has told and not yet told the end of.
enum LastingAlerts {
  /// The alerts that a channel delivered and that go on, by a history with the latest first.
  static func told(by channel: String, in history: [HistoryRow]) -> [Alert] {
    var seen: Set<AlertSubject> = []
    var lasting: [Alert] = []
    for row in history where row.settled.key.channel == channel && row.settled.outcome == .delivered {
      guard seen.insert(AlertSubject(row.alert)).inserted, row.alert.lasts else { continue }
      lasting.append(row.alert)
    }
    return lasting
  }
}
