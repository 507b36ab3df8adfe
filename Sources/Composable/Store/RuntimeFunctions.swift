/// Functions of a runtime that are compiled for its state and its actions where the store is made.
///
/// Code of this module that isn't inlined, as that of tasks, would look up types for each action otherwise.
@usableFromInline
package struct RuntimeFunctions<State, Action: Sendable> {
  /// Handles the actions that wait.
  let drain: (Runtime<State, Action>) -> Void
  /// Handles an action of an effect and all that follow it.
  let receive: (Runtime<State, Action>, Action) -> Void

  @usableFromInline
  init(
    drain: @escaping (Runtime<State, Action>) -> Void,
    receive: @escaping (Runtime<State, Action>, Action) -> Void
  ) {
    self.drain = drain
    self.receive = receive
  }

  @inlinable
  package init() {
    self.init(drain: { $0.drainQueue() }, receive: { $0.sendInTurn($1, isFromEffect: true) })
  }
}
