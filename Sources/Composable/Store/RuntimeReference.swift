/// The actor that a store lives on, held weakly because the actor usually holds the store.
///
/// Sendable because it is set once; loading a weak reference is safe from any thread.
final class IsolationReference: @unchecked Sendable {
  private(set) weak var actor: (any Actor)?

  init(_ actor: any Actor) { self.actor = actor }
}

/// A runtime as tasks hold it.
///
/// Sendable because the runtime is only reached through ``onIsolation(_:)``, on the store's own actor.
struct RuntimeReference<State, Action: Sendable>: @unchecked Sendable {
  private let runtime: Runtime<State, Action>

  init(_ runtime: Runtime<State, Action>) { self.runtime = runtime }

  /// Does something with the runtime on its actor; nothing once the actor is gone.
  func onIsolation(_ body: @Sendable (Runtime<State, Action>) -> Void) async {
    guard let actor = runtime.reference.actor else { return }
    await perform(body, on: actor)
  }

  private func perform(
    _ body: @Sendable (Runtime<State, Action>) -> Void, on actor: isolated any Actor
  ) async {
    body(runtime)
  }
}
