/// Any hashable value as the name of an effect, a feature or a row.
@usableFromInline
struct EffectID: Hashable, @unchecked Sendable {
  // `AnyHashable` isn't marked Sendable; the initialiser only lets Sendable values in.
  let value: AnyHashable

  @usableFromInline
  init(_ value: some Hashable & Sendable) { self.value = AnyHashable(value) }
}

/// Which child of a feature: the place in the reducer tree and, for a row, its id.
@usableFromInline
struct FeatureKey: Hashable, Sendable {
  let node: UInt32
  let row: EffectID?
  /// Whether the child can go while its parent stays.
  let isDynamic: Bool

  @usableFromInline
  init(node: UInt32, isDynamic: Bool = false) {
    self.node = node
    self.row = nil
    self.isDynamic = isDynamic
  }

  @usableFromInline
  init(node: UInt32, row: EffectID) {
    self.node = node
    self.row = row
    self.isDynamic = true
  }
}
