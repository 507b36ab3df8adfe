/// Someone who is told of the state at the end of each turn.
final class Observer<State> {
  let notify: (UnsafePointer<State>) -> Void
  let finish: () -> Void

  init(notify: @escaping (UnsafePointer<State>) -> Void, finish: @escaping () -> Void) {
    self.notify = notify
    self.finish = finish
  }
}

extension Runtime {
  /// Tells an observer of the state of now, and of that at the end of each turn from now on.
  func addObserver(_ observer: Observer<State>) -> UInt64 {
    precondition(!flags.contains(.reducing), "A reducer must not read its own store.")
    lastSerial += 1
    let serial = lastSerial
    if flags.contains(.closed) {
      observer.notify(state)
      observer.finish()
      return serial
    }
    observers[serial] = observer
    flags.insert(.observed)
    let isOutermost = !flags.contains(.turn)
    flags.insert(.turn)
    observer.notify(state)
    // What it has sent is handled like what is sent in any turn.
    if isOutermost {
      if !queue.isEmpty { functions.drain(self) }
      flags.remove(.turn)
    }
    return serial
  }

  func removeObserver(_ serial: UInt64) {
    observers[serial] = nil
    if observers.isEmpty { flags.remove(.observed) }
  }

  @usableFromInline
  func notifyObservers() {
    guard flags.contains(.observed) else { return }
    for (serial, _) in observers.sorted(by: { $0.key < $1.key }) {
      // Looked up again: an observer may have removed another.
      observers[serial]?.notify(state)
    }
  }

  /// Cancels everything and refuses further actions.
  ///
  /// Returns a task that still has to end; call again after it has.
  package func beginClose() -> Task<Void, Never>? {
    if flags.contains(.closed) { return tasks.values.first }
    flags.insert(.closed)
    cancel(root.end())
    dropQueue()
    for observer in observers.values { observer.finish() }
    observers = [:]
    flags.remove(.observed)
    return tasks.values.first
  }

  /// Cancels everything that runs and every waiting action; the store goes on.
  package func cancelAll() {
    cancel(root.allActivities)
    dropQueue()
  }

  /// What runs at the moment, in the order of its start.
  package var runningEffects: [ActivityDescription] {
    root.allActivities.sorted { $0.serial < $1.serial }.compactMap(\.description)
  }
}

extension Store {
  /// Whether no task, no waiting action and no child's instance is kept.
  package var isIdle: Bool {
    guard case .root(let runtime) = source else { return true }
    return runtime.tasks.isEmpty && runtime.activityCount == 0 && runtime.queue.isEmpty
      && runtime.root.children.isEmpty && runtime.tree.inFlight(at: 0) == 0
  }
}
