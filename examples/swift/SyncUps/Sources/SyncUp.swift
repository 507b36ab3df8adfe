import Composable

/// A meeting that is held again and again, with what was said each time.
struct SyncUp: Codable, Sendable, Equatable, Identifiable {
  var id: UniqueID
  var title: String
  var attendees: [String]
  var minutes: Int
  var meetings: IdentifiedArrayOf<Meeting> = []

  var length: Duration { .seconds(60 * minutes) }
}

/// One time that a sync-up was held.
struct Meeting: Codable, Sendable, Equatable, Identifiable {
  var id: UniqueID
  var date: UnixTime
  var transcript: String
}
