extension Effect {
  @inlinable
  func inFeature(_ key: FeatureKey) -> Self { isNone ? .none : Self(.feature(key, self)) }

  @usableFromInline
  func with(dependencies: Dependencies) -> Self { isNone ? .none : Self(.dependencies(dependencies, self)) }

  @usableFromInline
  static func endFeature(_ key: FeatureKey) -> Self { Self(.endFeature(key)) }

  @usableFromInline
  static func endRows(node: UInt32, where isGone: @escaping @Sendable (EffectID) -> Bool) -> Self {
    Self(.endRows(node: node, isGone))
  }
}
