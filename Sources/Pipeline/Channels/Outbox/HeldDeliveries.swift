/// What a channel is not told yet: alerts that a route holds until the end of its hours, and those of episodes that
/// go on under a silence.
struct HeldDeliveries: Sendable {
  /// How many held alerts a digest can tell of one by one; older ones are only counted.
  static let digestBound = 1_000

  /// In the order in which they were queued.
  private(set) var entries: [DeliveryLane.Entry] = []
  private var ids: Set<String> = []

  /// The number of alerts held back.
  var count: Int { entries.count }

  /// When the next hours end; nil if no alert waits for that.
  var nextEnd: Timestamp? { entries.lazy.compactMap(\.row.heldUntil).min() }

  /// Whether any alert waits for the end of a silence.
  var hasSilenced: Bool { entries.contains(where: \.row.isSilenced) }

  func contains(_ alert: String) -> Bool { ids.contains(alert) }

  /// Adds an entry behind the others, unless its alert is among them.
  mutating func append(_ entry: DeliveryLane.Entry) {
    if ids.insert(entry.row.alert.id).inserted { entries.append(entry) }
  }

  /// Takes out the entries that are so, and gives them in their order.
  mutating func take(where isMeant: (OutboxRow) -> Bool) -> [DeliveryLane.Entry] {
    guard entries.contains(where: { isMeant($0.row) }) else { return [] }
    let taken = entries.filter { isMeant($0.row) }
    entries.removeAll { isMeant($0.row) }
    for entry in taken { ids.remove(entry.row.alert.id) }
    return taken
  }

  /// Takes out the oldest entries of a kind beyond a bound.
  mutating func surplus(beyond bound: Int, where isMeant: (OutboxRow) -> Bool) -> [DeliveryLane.Entry] {
    guard entries.count > bound else { return [] }
    let meant = entries.filter { isMeant($0.row) }
    guard meant.count > bound else { return [] }
    let surplus = Set(meant.prefix(meant.count - bound).map(\.row.alert.id))
    return take { surplus.contains($0.alert.id) }
  }

  /// Counts alerts that are only counted with the oldest of those held for the same digest; gives its row.
  mutating func omit(_ number: Int) -> OutboxRow? {
    guard let index = entries.firstIndex(where: { $0.row.heldUntil != nil }) else { return nil }
    entries[index].row.omitted += number
    return entries[index].row
  }
}
