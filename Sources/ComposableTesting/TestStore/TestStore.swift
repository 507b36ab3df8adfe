public import Composable
internal import Synchronization
public import Testing

/// Runs a feature under test: each action, state change and effect has to be claimed.
///
///     let store = TestStore(initialState: Counter.State()) { Counter() }
///     store.send(.increment) { $0.count = 1 }
///     store.send(.load)
///     store.receive(.loaded(3)) { $0.count = 3 }
///     store.finish()
///
/// It is the runtime of ``Store`` with a recorder. Effects run on the test's own thread, inside the calls of
/// this class, until nothing is left to run; time is that of ``clock``. So nothing here waits, and nothing
/// depends on the machine's speed. Failures are recorded with Swift Testing at the caller's line.
public final class TestStore<State: Equatable, Action: Sendable> {
  /// The clock of the feature, at zero at first.
  public let clock: TestClock

  /// How much has to be claimed; ``withExhaustivity(_:_:)`` changes it for a block.
  public var exhaustivity: Exhaustivity

  /// The state after the last action that was sent or received by the test.
  public private(set) var state: State

  let runtime: Runtime<State, Action>
  let journal: Journal
  private let rest: Rest
  // The runtime holds its actor weakly.
  private let isolation: TestIsolation
  private let reporter: IssueReporter
  private let origin: SourceLocation
  private(set) var received: [(action: Action, state: State)] = []
  private var sent: (action: Action, state: State)?
  private var isFinished = false

  /// Makes a store on a virtual clock.
  ///
  /// - Parameters:
  ///   - initialState: The state to begin with.
  ///   - dependencies: What the feature is handed, beside the clock; by default nothing real.
  ///   - exhaustivity: How much has to be claimed.
  ///   - turnLimit: How many actions may follow one action at once.
  ///   - report: Takes failures; they are recorded with Swift Testing where nil.
  ///   - reducer: The feature.
  public init<R: Reducer>(
    initialState: State, dependencies: Dependencies = Dependencies(.test),
    exhaustivity: Exhaustivity = .on, turnLimit: Int = 10_000,
    report: (@Sendable (String, SourceLocation) -> Void)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation, @ReducerBuilder<State, Action> reducer: () -> R
  ) where R.State == State, R.Action == Action {
    let journal = Journal(location: sourceLocation) { message, location in
      if let report {
        report(message, location)
      } else {
        Testing.Issue.record(Comment(rawValue: message), sourceLocation: location)
      }
    }
    let clock = TestClock()
    let executor = DrainExecutor()
    let isolation = TestIsolation(executor)
    let reporter = IssueReporter { journal.record($0) }
    var dependencies = dependencies
    dependencies.clock = clock
    dependencies.issues = reporter
    self.clock = clock
    let rest = Rest(executor: executor, journal: journal, reporter: reporter)
    self.rest = rest
    self.isolation = isolation
    self.journal = journal
    self.reporter = reporter
    self.exhaustivity = exhaustivity
    origin = sourceLocation
    state = initialState
    let binding = ReducerBinding(dependencies: dependencies)
    let bound = IssueReporter.$current.withValue(reporter) { reducer().bind(to: binding) }
    runtime = Runtime(
      initialState: initialState, dependencies: dependencies, turnLimit: turnLimit, isolation: isolation,
      executor: executor, tree: binding.tree, reducer: bound)
    runtime.record { [unowned self] action, isFromEffect, state in
      if isFromEffect {
        received.append((action, state))
      } else {
        sent = (action, state)
      }
    }
    clock.settle { rest.reach() }
  }

  deinit {
    if !isFinished {
      reportLeftovers(at: origin, after: "The test ended")
      _ = runtime.beginClose()
      settle()
    }
  }

  // MARK: - Running

  /// Runs effects until nothing is left to run.
  func settle() { rest.reach() }

  /// Waits until an unclaimed action has been received or no effect runs any more.
  ///
  /// Only for effects that leave the test store's thread, as by calling the main actor. It waits for ever
  /// where every running effect waits for ``clock``, so move the clock first.
  public func waitForOutsideWork(isolation: isolated (any Actor)? = #isolation) async {
    settle()
    while received.isEmpty, !runtime.runningEffects.isEmpty {
      await rest.executor.waitForJob()
      settle()
    }
  }

  // MARK: - Sending

  /// Sends an action and claims what it changes in the state.
  ///
  /// - Parameters:
  ///   - action: What happens to the feature.
  ///   - expected: Turns the state before the action into the one after it. With exhaustivity off it is
  ///     given the state after the action and sets the parts that matter.
  public func send(
    _ action: Action, sourceLocation: SourceLocation = #_sourceLocation,
    changes expected: ((inout State) throws -> Void)? = nil
  ) {
    journal.location = sourceLocation
    if isFinished { return journal.fail(Texts.finished(shown(action))) }
    if exhaustivity == .on, !received.isEmpty {
      journal.fail(Texts.unclaimed(received.map { shown($0.action) }, before: "sending \(shown(action))"))
    }
    claimReceived()
    sent = nil
    IssueReporter.$current.withValue(reporter) { runtime.send(action) }
    guard let sent else { return settle() }
    check(expected, from: state, to: sent.state, cause: "sending \(shown(action))")
    state = sent.state
    settle()
  }

  /// Claims parts of the state as it is now, whatever happened before.
  public func assert(
    sourceLocation: SourceLocation = #_sourceLocation, _ expected: (inout State) throws -> Void
  ) {
    journal.location = sourceLocation
    settle()
    var claimed = state
    guard apply(expected, to: &claimed) else { return }
    if claimed != state {
      journal.fail(Texts.wrongState(cause: "asserting", Difference(from: claimed, to: state)))
    }
  }

  /// Changes exhaustivity for a block.
  public func withExhaustivity<Result>(_ value: Exhaustivity, _ body: () throws -> Result) rethrows -> Result
  {
    let previous = exhaustivity
    exhaustivity = value
    defer { exhaustivity = previous }
    return try body()
  }

  // MARK: - Ending

  /// Ends the test: nothing may be left unclaimed or running.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) {
    journal.location = sourceLocation
    if isFinished { return }
    settle()
    reportLeftovers(at: sourceLocation, after: "The test finished")
    isFinished = true
    _ = runtime.beginClose()
    settle()
  }

  /// Cancels the effects that still run, for a test that doesn't care about them.
  public func skipInFlightEffects(sourceLocation: SourceLocation = #_sourceLocation) {
    journal.location = sourceLocation
    settle()
    runtime.cancelAll()
    settle()
  }

  /// Takes the received actions as read; the state of the last one becomes the state of the test.
  public func skipReceivedActions(sourceLocation: SourceLocation = #_sourceLocation) {
    journal.location = sourceLocation
    settle()
    claimReceived()
  }

  private func claimReceived() {
    if let last = received.last { state = last.state }
    received = []
  }

  private func reportLeftovers(at location: SourceLocation, after cause: String) {
    guard exhaustivity == .on else { return }
    if !received.isEmpty {
      journal.fail(Texts.unclaimed(received.map { shown($0.action) }, after: cause), at: location)
    }
    let running = runtime.runningEffects.map(\.description)
    if !running.isEmpty { journal.fail(Texts.running(running, after: cause), at: location) }
  }

  /// Takes the received actions up to a position; the one there is the one that was waited for.
  func takeReceived(upTo index: Int) -> (action: Action, old: State, new: State) {
    let old = index == 0 ? state : received[index - 1].state
    let (action, new) = received[index]
    received.removeFirst(index + 1)
    state = new
    return (action, old, new)
  }

  // MARK: - Claims

  func check(_ expected: ((inout State) throws -> Void)?, from old: State, to new: State, cause: String) {
    if exhaustivity == .off {
      guard let expected else { return }
      var claimed = new
      guard apply(expected, to: &claimed) else { return }
      if claimed != new { journal.fail(Texts.wrongState(cause: cause, Difference(from: claimed, to: new))) }
      return
    }
    var claimed = old
    if let expected, !apply(expected, to: &claimed) { return }
    if claimed != new {
      let difference = Difference(from: claimed, to: new)
      journal.fail(
        expected == nil
          ? Texts.unclaimedChange(cause: cause, difference) : Texts.wrongState(cause: cause, difference))
    } else if expected != nil, old == new {
      journal.fail(Texts.noChange(cause: cause))
    }
  }

  private func apply(_ expected: (inout State) throws -> Void, to state: inout State) -> Bool {
    do {
      try expected(&state)
      return true
    } catch {
      journal.fail("The closure that claims the state threw \(error). To fix, find out why at this line.")
      return false
    }
  }
}

extension TestStore {
  /// What runs at the moment, by name or line of source, in the order of its start.
  public var runningEffectNames: [String] {
    settle()
    return runtime.runningEffects.map(\.description)
  }
}
