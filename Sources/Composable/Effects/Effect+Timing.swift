extension Effect {
  /// Performs this effect once nothing came under the same id for a while.
  ///
  /// Each further effect under the id replaces the waiting or running one and starts the wait anew, on the
  /// clock of the feature's dependencies. ``cancel(id:)`` ends it.
  public func debounce(id: some Hashable & Sendable, for duration: Duration) -> Self {
    Self(.debounce(EffectID(id), duration, self))
  }

  /// Performs at most one effect under an id per span of time.
  ///
  /// The first is performed at once. Of those that come within the span after it, one is performed when the
  /// span has passed, which begins the next span.
  ///
  /// - Parameters:
  ///   - id: What the span belongs to; ``cancel(id:)`` ends it.
  ///   - duration: The length of a span, on the clock of the feature's dependencies.
  ///   - latest: Whether the last of those within the span is performed, or the first.
  public func throttle(id: some Hashable & Sendable, for duration: Duration, latest: Bool) -> Self {
    Self(.throttle(EffectID(id), duration, latest: latest, self))
  }
}
