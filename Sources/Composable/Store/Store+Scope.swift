/// A store's part: how to read it, send to it and observe it through the whole.
@usableFromInline
struct ScopedSource<State, Action: Sendable> {
  @usableFromInline let send: (Action) -> Void
  let read: () -> State
  let observe: (Observer<State>) -> ObserverHandle
  /// Cancels everything, and returns a task that still has to end.
  let beginClose: () -> Task<Void, Never>?
  let runningEffectNames: () -> [String]
}

extension Store {
  /// A store for a part of the state, which sends actions of that part.
  ///
  /// It keeps this store alive and adds no state of its own. For a child that may be absent, scope to its
  /// optional: `store.scope(state: \.child, action: .child)` is a store of `Child.State?`; for a row use
  /// `\.rows[id: 7]`.
  public func scope<Part, PartAction: Sendable>(
    state keyPath: KeyPath<State, Part>, action route: Route<Action, PartAction>
  ) -> Store<Part, PartAction> {
    let embed = route.embed
    return Store<Part, PartAction>(
      scope: ScopedSource(
        send: { self.send(embed($0)) },
        read: { self.withState { $0[keyPath: keyPath] } },
        observe: { observer in
          self.observe(
            Observer(
              notify: { state in withUnsafePointer(to: state.pointee[keyPath: keyPath], observer.notify) },
              finish: observer.finish))
        },
        beginClose: { self.beginClose() },
        runningEffectNames: { self.runningEffectNames }))
  }

  func observe(_ observer: Observer<State>) -> ObserverHandle {
    switch source {
    case .root(let runtime):
      let serial = runtime.addObserver(observer)
      return ObserverHandle { runtime.removeObserver(serial) }
    case .scope(let scope): return scope.observe(observer)
    }
  }
}
