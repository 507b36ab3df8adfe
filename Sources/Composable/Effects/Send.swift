/// Sends actions from an effect back into its store.
public struct Send<Action: Sendable>: Sendable {
  /// The dependencies of the feature that started the effect.
  public let dependencies: Dependencies
  let deliver: @Sendable (Action) async -> Void

  init(dependencies: Dependencies, deliver: @escaping @Sendable (Action) async -> Void) {
    self.dependencies = dependencies
    self.deliver = deliver
  }

  /// Sends an action and returns when its turn has ended.
  ///
  /// Once the effect was cancelled or the store closed, the action is dropped.
  public func callAsFunction(_ action: Action) async { await deliver(action) }

  func pullback<Part: Sendable>(_ transform: @escaping @Sendable (Part) -> Action) -> Send<Part> {
    let deliver = deliver
    return Send<Part>(dependencies: dependencies) { await deliver(transform($0)) }
  }
}
