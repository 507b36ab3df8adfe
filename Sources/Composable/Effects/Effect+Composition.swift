extension Effect {
  /// Performs effects side by side, started in their order.
  public static func merge(_ effects: Self...) -> Self { merge(effects) }

  /// Performs effects side by side, started in their order.
  @inlinable
  public static func merge(_ effects: some Sequence<Self>) -> Self {
    let present = effects.filter { !$0.isNone }
    return present.count < 2 ? present.first ?? .none : Self(.merge(present))
  }

  /// Performs effects one after another, each when all that the one before had started has ended.
  public static func concatenate(_ effects: Self...) -> Self { concatenate(effects) }

  /// Performs effects one after another, each when all that the one before had started has ended.
  @inlinable
  public static func concatenate(_ effects: some Sequence<Self>) -> Self {
    let present = effects.filter { !$0.isNone }
    return present.count < 2 ? present.first ?? .none : Self(.concatenate(present))
  }

  /// Performs this effect and another side by side.
  @inlinable
  public func merge(with other: Self) -> Self {
    if isNone { return other }
    if other.isNone { return self }
    return .merge(self, other)
  }

  /// Performs this effect, then another.
  public func concatenate(with other: Self) -> Self { .concatenate(self, other) }

  /// Turns the actions of this effect into those of another feature.
  ///
  /// - Parameter transform: Called on the task or the isolation that sends the action.
  @inlinable
  public func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other> {
    switch operation {
    case .none: .none
    case .send(let action): .send(transform(action))
    case .sendFrom(let origin, let action): Effect<Other>(.sendFrom(origin, transform(action)))
    case .other(let compound): Effect<Other>(compound.map(transform))
    }
  }

  @inlinable
  func mapped<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other> {
    isNone ? .none : map(transform)
  }
}

extension Effect.Compound {
  @usableFromInline
  func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other>.Compound {
    switch self {
    case .run(let run): .run(run.map(transform))
    case .merge(let effects): .merge(effects.map { $0.map(transform) })
    case .concatenate(let effects): .concatenate(effects.map { $0.map(transform) })
    case .cancel(let id): .cancel(id)
    case .cancellable(let id, let cancelInFlight, let effect):
      .cancellable(id, cancelInFlight: cancelInFlight, effect.map(transform))
    case .debounce(let id, let duration, let effect): .debounce(id, duration, effect.map(transform))
    case .throttle(let id, let duration, let latest, let effect):
      .throttle(id, duration, latest: latest, effect.map(transform))
    case .feature(let origin, let effect): .feature(origin, effect.map(transform))
    case .endFeature(let place): .endFeature(place)
    case .endRows(let place, let rows): .endRows(place, rows)
    case .endRowsWhere(let place, let isGone): .endRowsWhere(place, isGone)
    case .dependencies(let dependencies, let effect): .dependencies(dependencies, effect.map(transform))
    case .issue(let message, let action): .issue(message: message, action: action.map(transform))
    }
  }
}

extension Effect.Run {
  func map<Other: Sendable>(_ transform: @escaping @Sendable (Action) -> Other) -> Effect<Other>.Run {
    let operation = operation
    var mappedHandler: (@Sendable (any Error, Send<Other>) async -> Void)?
    if let handler {
      mappedHandler = { error, send in await handler(error, send.pullback(transform)) }
    }
    return Effect<Other>.Run(
      name: name, priority: priority, location: location,
      operation: { send in try await operation(send.pullback(transform)) }, handler: mappedHandler)
  }
}
