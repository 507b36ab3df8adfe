/// Which child of a feature: its place in the reducer tree and, for a row, the row's id.
@usableFromInline
struct FeatureKey: Hashable, Sendable {
  @usableFromInline let place: UInt32
  @usableFromInline let row: EffectID?

  @inlinable
  init(place: UInt32, row: EffectID? = nil) {
    self.place = place
    self.row = row
  }
}

/// Which feature instance an effect belongs to.
///
/// The place names a feature together with all those above it, as far as they are no rows; so no more than the
/// innermost place and the rows on the way there need be known.
@usableFromInline
struct FeatureOrigin: Hashable, Sendable {
  /// The place below the last row; 0 for that row, or for the root, itself.
  @usableFromInline let place: UInt32
  /// The rows on the way, outermost first.
  @usableFromInline let rows: [FeatureKey]

  @inlinable
  init(place: UInt32 = 0, rows: [FeatureKey] = []) {
    self.place = place
    self.rows = rows
  }

  @inlinable
  init(row: FeatureKey) { self.init(rows: [row]) }

  var isRoot: Bool { place == 0 && rows.isEmpty }

  /// The same feature, seen from above these rows.
  @usableFromInline
  func below(_ rows: [FeatureKey]) -> Self {
    rows.isEmpty ? self : Self(place: place, rows: rows + self.rows)
  }
}
