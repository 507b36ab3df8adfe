extension Effect {
  /// Makes this effect one that ``cancel(id:)`` can end.
  ///
  /// An id belongs to one store and one feature instance: equal ids in another store, in a sibling or in
  /// another row are others.
  ///
  /// - Parameters:
  ///   - id: The name to cancel by; several effects may share it.
  ///   - cancelInFlight: Whether what already runs under this id is cancelled first.
  public func cancellable(id: some Hashable & Sendable, cancelInFlight: Bool = false) -> Self {
    if isNone, !cancelInFlight { return .none }
    return Self(.cancellable(EffectID(id), cancelInFlight: cancelInFlight, self))
  }

  /// Cancels what was started under an id by the same feature instance.
  ///
  /// It reaches queued actions, work about to start and running work; no action of theirs arrives after it.
  public static func cancel(id: some Hashable & Sendable) -> Self { Self(.cancel(EffectID(id))) }
}
