extension Effect {
  /// Says that this effect belongs to a child at a place, unless it belongs to one below already.
  @inlinable
  func inFeature(_ place: FeaturePlace) -> Self {
    switch operation {
    case .none, .sendFrom: self
    case .send(let action):
      place.isPermanent ? self : Self(.sendFrom(FeatureOrigin(place: place.number), action))
    case .other(let compound): place.number == 0 ? self : Self(compound.inFeature(place.number))
    }
  }

  /// Says that this effect belongs to a row, or to a feature below the row.
  @inlinable
  func inRow(_ id: some Hashable & Sendable, of place: FeaturePlace) -> Self {
    if place.number == 0 { return self }
    switch operation {
    case .none: return self
    case .send(let action):
      return Self(.sendFrom(FeatureOrigin(row: FeatureKey(place: place.number, row: EffectID(id))), action))
    case .sendFrom(let origin, let action):
      return Self(.sendFrom(origin.below([FeatureKey(place: place.number, row: EffectID(id))]), action))
    case .other(let compound):
      return Self(compound.inRow(FeatureKey(place: place.number, row: EffectID(id))))
    }
  }

  /// Gives this effect the dependencies of a subtree.
  @usableFromInline
  func with(dependencies: Dependencies) -> Self {
    if case .other = operation { Self(.dependencies(dependencies, self)) } else { self }
  }

  @usableFromInline
  static func endFeature(_ place: FeaturePlace) -> Self {
    place.number == 0 ? .none : Self(.endFeature(place.number))
  }

  @usableFromInline
  static func endRows(_ rows: [EffectID], of place: FeaturePlace) -> Self {
    place.number == 0 ? .none : Self(.endRows(place.number, rows))
  }

  @usableFromInline
  static func endRows(of place: FeaturePlace, where isGone: @escaping @Sendable (EffectID) -> Bool) -> Self {
    place.number == 0 ? .none : Self(.endRowsWhere(place.number, isGone))
  }
}

extension Effect.Compound {
  @usableFromInline
  func inFeature(_ place: UInt32) -> Self {
    if case .feature = self { self } else { .feature(FeatureOrigin(place: place), Effect(self)) }
  }

  @usableFromInline
  func inRow(_ key: FeatureKey) -> Self {
    if case .feature(let origin, let effect) = self {
      .feature(origin.below([key]), effect)
    } else {
      .feature(FeatureOrigin(row: key), Effect(self))
    }
  }
}
