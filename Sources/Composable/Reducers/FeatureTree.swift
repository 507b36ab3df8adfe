/// The places of a reducer tree where child features hang, and how much each has in flight.
///
/// Confined to the isolation of its store. Place 0 is the root.
@usableFromInline
package final class FeatureTree {
  private struct Place {
    let parent: UInt32
    /// Activities and waiting actions of the features here and below.
    var inFlight = 0
    /// How many of them each row has; nil where rows have nothing that could go.
    var rows: [EffectID: Int]?
  }

  /// Whether a store runs the tree; effects of a reducer that is called by hand belong to its caller.
  let isAttached: Bool
  @exclusivity(unchecked) private var places = [Place(parent: 0)]

  init(isAttached: Bool) { self.isAttached = isAttached }

  func addPlace(below parent: UInt32) -> UInt32 {
    guard isAttached else { return 0 }
    places.append(Place(parent: parent))
    return UInt32(places.count - 1)
  }

  func parent(of place: UInt32) -> UInt32 { places[Int(place)].parent }

  /// What the features of a place, and those below it, have in flight.
  @usableFromInline
  func inFlight(at place: UInt32) -> Int { places[Int(place)].inFlight }

  /// Begins to count what each row of a place has in flight.
  @usableFromInline
  func countRows(of place: UInt32) { if place != 0 { places[Int(place)].rows = [:] } }

  /// The rows of a place that have something in flight.
  @usableFromInline
  func rowsInFlight(at place: UInt32) -> [EffectID] { places[Int(place)].rows.map { Array($0.keys) } ?? [] }

  /// Notes that more, or less, is in flight for a feature.
  @usableFromInline
  func count(_ change: Int, for origin: FeatureOrigin) {
    var place = origin.place == 0 ? origin.rows.last?.place ?? 0 : origin.place
    while place != 0 {
      places[Int(place)].inFlight += change
      place = places[Int(place)].parent
    }
    places[0].inFlight += change
    for key in origin.rows where places[Int(key.place)].rows != nil {
      guard let row = key.row else { continue }
      let count = (places[Int(key.place)].rows?[row] ?? 0) + change
      places[Int(key.place)].rows?[row] = count == 0 ? nil : count
    }
  }
}

/// A place of the tree as its effects see it.
@usableFromInline
struct FeaturePlace: Sendable {
  /// 0 where no store runs the tree.
  @usableFromInline let number: UInt32
  /// Whether the feature is there as long as its store.
  @usableFromInline let isPermanent: Bool

  init(number: UInt32, isPermanent: Bool) {
    self.number = number
    self.isPermanent = isPermanent
  }
}
