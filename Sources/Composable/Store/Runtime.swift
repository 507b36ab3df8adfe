/// The machine behind a store: its state, its queue, and the turn that empties it.
///
/// Confined to the isolation of its store. Tasks hold it through ``RuntimeReference``.
@usableFromInline
package final class Runtime<State, Action: Sendable> {
  // The state lives at a fixed address and is only ever changed there. Access is exclusive by the flags.
  @usableFromInline let state: UnsafeMutablePointer<State>
  @usableFromInline let reduce: (inout State, Action) -> Effect<Action>
  @usableFromInline let sweep: ((inout State) -> Effect<Action>)?
  // Unchecked because each access is a single load or store on the store's isolation.
  @usableFromInline @exclusivity(unchecked) var flags = RuntimeFlags()
  @usableFromInline let dependencies: Dependencies
  @usableFromInline let turnLimit: Int
  let functions: RuntimeFunctions<State, Action>
  let executor: (any TaskExecutor)?
  let reference: IsolationReference
  @usableFromInline @exclusivity(unchecked) var queue = ActionQueue<Action>()
  let root = FeatureInstance()
  @usableFromInline let tree: FeatureTree
  /// Features that went while actions waited, with the number of the first action that they can't have sent.
  @usableFromInline @exclusivity(unchecked) var ended: [FeatureOrigin: Int] = [:]
  var tasks: [UInt64: Task<Void, Never>] = [:]
  var lastSerial: UInt64 = 0
  var activityCount = 0
  var observers: [UInt64: Observer<State>] = [:]
  var isNotifying = false
  @usableFromInline var recorder: ((Action, Bool, UnsafePointer<State>) -> Void)?

  @usableFromInline
  package init(
    initialState: consuming State, dependencies: Dependencies, turnLimit: Int, isolation: any Actor,
    executor: (any TaskExecutor)?, tree: FeatureTree, functions: RuntimeFunctions<State, Action>,
    reducer bound: BoundReducer<State, Action>
  ) {
    precondition(turnLimit > 0, "A store's turn limit must be at least 1.")
    state = .allocate(capacity: 1)
    state.initialize(to: initialState)
    reduce = bound.reduce
    sweep = bound.sweep
    self.dependencies = dependencies
    self.turnLimit = turnLimit
    self.tree = tree
    self.functions = functions
    self.executor = executor
    reference = IsolationReference(isolation)
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
  }

  @inlinable
  package func send(_ action: Action) {
    guard flags.isEmpty else { return sendInTurn(action, isFromEffect: false) }
    flags = .reducingTurn
    let effect = reduce(&state.pointee, action)
    if effect.isNone, flags == .reducingTurn {
      flags = RuntimeFlags()
    } else {
      flags.remove(.reducing)
      finishTurn(performing: effect)
    }
  }

  /// Calls a function after each action, with whether an effect sent it and the state after it, in place.
  package func record(_ recorder: @escaping (Action, Bool, UnsafePointer<State>) -> Void) {
    self.recorder = recorder
    flags.insert(.recorded)
  }

  @inlinable
  func sendInTurn(_ action: Action, isFromEffect: Bool) {
    if flags.contains(.closed) { return }
    queue.append(.init(action: action, isFromEffect: isFromEffect))
    flags.insert(.queued)
    if flags.contains(.turn) { return }
    flags.insert(.turn)
    drainQueue()
    flags.remove(.turn)
  }

  @inlinable
  func finishTurn(performing effect: Effect<Action>) {
    afterReduce(effect)
    drainQueue()
    flags.remove(.turn)
  }

  /// Does something that may queue actions, then handles all of them.
  func inTurn(_ body: () -> Void) {
    if flags.contains(.turn) { return body() }
    flags.insert(.turn)
    body()
    functions.drain(self)
    flags.remove(.turn)
  }

  @inlinable
  func afterReduce(_ effect: Effect<Action>) {
    if flags.contains(.closed) { return }
    perform(effect)
    if let sweep, tree.inFlight(at: 0) > 0 {
      flags.insert(.reducing)
      let effect = sweep(&state.pointee)
      flags.remove(.reducing)
      perform(effect)
    }
  }

  @inlinable
  func drainQueue() {
    var followUps = 0
    var trail: [String] = []
    repeat {
      while let entry = queue.popFirst() {
        guard entry.isPlain || admit(entry.activity, entry.origin, number: queue.first - 1) else { continue }
        followUps += 1
        if followUps > turnLimit - TurnTrail.length, !note(entry.action, number: followUps, in: &trail) {
          break
        }
        flags.insert(.reducing)
        let effect = reduce(&state.pointee, entry.action)
        flags.remove(.reducing)
        recorder?(entry.action, entry.isFromEffect, state)
        afterReduce(effect)
      }
      if flags.contains(.observed) { notifyObservers() }
    } while !queue.isEmpty
    if !ended.isEmpty { ended = [:] }
    flags.remove(.queued)
  }

  /// Takes a queued action out of its sender's books; false where its sender was cancelled meanwhile.
  @usableFromInline
  func admit(_ activity: Activity?, _ origin: FeatureOrigin?, number: Int) -> Bool {
    if let activity {
      if activity.isCancelled { return false }
      complete(activity)
    } else if let origin {
      tree.count(-1, for: origin)
      if !ended.isEmpty, hasEnded(origin, since: number) { return false }
    }
    return !flags.contains(.closed)
  }

  /// Notes one of the last actions before the limit; past it, stops the turn and returns false.
  @usableFromInline
  func note(_ action: Action, number: Int, in trail: inout [String]) -> Bool {
    trail.append(actionName(action))
    if number <= turnLimit { return true }
    dropQueue()
    dependencies.issues.report(Issue(TurnTrail.message(limit: turnLimit, names: trail)))
    return false
  }

  func dropQueue() {
    while let entry = queue.popFirst() { _ = admit(entry.activity, entry.origin, number: queue.first - 1) }
  }
}
