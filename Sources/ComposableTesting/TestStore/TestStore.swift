public import Composable
internal import Synchronization
public import Testing

/// Runs a feature under test: each action, state change and effect has to be claimed.
///
///     let store = TestStore(initialState: Timer.State()) { Timer() }
///     store.send(.started) { $0.isOn = true }
///     store.clock.advance(by: .seconds(1))
///     store.receive(.ticked) { $0.seconds = 1 }
///     store.send(.stopped) { $0.isOn = false }
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

  /// The feature after an action.
  struct Step {
    let action: Action
    let state: State
    let shared: SharedSnapshot
  }

  let runtime: Runtime<State, Action>
  let journal: Journal
  private let rest: Rest
  let tracker: SharedTracker
  // The runtime holds its actor weakly.
  private let isolation: TestIsolation
  private let origin: SourceLocation
  private(set) var received: [Step] = []
  private var sent: Step?
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
    let tracker = SharedTracker()
    let rest = Rest(executor: executor, journal: journal, reporter: reporter, tracker: tracker)
    self.rest = rest
    self.tracker = tracker
    self.isolation = isolation
    self.journal = journal
    self.exhaustivity = exhaustivity
    origin = sourceLocation
    state = initialState
    let binding = ReducerBinding(dependencies: dependencies)
    let bound = rest.observed { reducer().bind(to: binding) }
    runtime = Runtime(
      initialState: initialState, dependencies: dependencies, turnLimit: turnLimit, isolation: isolation,
      executor: executor, tree: binding.tree, functions: RuntimeFunctions(), reducer: bound)
    runtime.record { [unowned self] action, isFromEffect, state in
      let step = Step(action: action, state: state.pointee, shared: tracker.snapshot)
      if isFromEffect {
        received.append(step)
      } else {
        sent = step
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
    claimShared(before: "sending \(shown(action))")
    sent = nil
    rest.observed { runtime.send(action) }
    guard let sent else { return settle() }
    check(expected, from: (state, tracker.claimed), to: sent, cause: "sending \(shown(action))")
    claim(sent)
    settle()
  }

  /// Claims parts of the state as it is now, whatever happened before.
  public func assert(
    sourceLocation: SourceLocation = #_sourceLocation, _ expected: (inout State) throws -> Void
  ) {
    journal.location = sourceLocation
    settle()
    let now = tracker.snapshot
    let claims = SharedClaims(now, tracker: tracker)
    var claimed = state
    guard apply(expected, to: &claimed, claims) else { return }
    let difference = difference(from: claimed, claims.values, to: state, now)
    if let difference { journal.fail(Texts.wrongState(cause: "asserting", difference)) }
    tracker.claimed = now.filter { claims.claimed.contains($0.key) }
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
    if let last = received.last { claim(last) }
    received = []
  }

  /// Takes a step as known to the test.
  func claim(_ step: Step) {
    state = step.state
    tracker.claimed = step.shared
  }

  /// Reports what effects changed without an action, and takes it as read.
  private func claimShared(before cause: @autoclosure () -> String, at location: SourceLocation? = nil) {
    let now = tracker.snapshot
    if now.isEmpty { return }
    let differences = tracker.differences(from: tracker.claimed, to: now)
    if exhaustivity == .on, !differences.isEmpty {
      journal.fail(Texts.unclaimedShared(before: cause(), text(differences)), at: location)
    }
    tracker.claimed = now
  }

  private func reportLeftovers(at location: SourceLocation, after cause: String) {
    guard exhaustivity == .on else { return }
    if !received.isEmpty {
      journal.fail(Texts.unclaimed(received.map { shown($0.action) }, after: cause), at: location)
    }
    let running = runtime.runningEffects.map(\.description)
    if !running.isEmpty { journal.fail(Texts.running(running, after: cause), at: location) }
    claimReceived()
    claimShared(before: "the end", at: location)
  }

  /// Takes the received actions up to a position; the one there is the one that was waited for.
  func takeReceived(upTo index: Int) -> (old: (state: State, shared: SharedSnapshot), new: Step) {
    let old = index == 0 ? (state, tracker.claimed) : (received[index - 1].state, received[index - 1].shared)
    let new = received[index]
    received.removeFirst(index + 1)
    return (old, new)
  }
}

extension TestStore {
  /// What runs at the moment, by name or line of source, in the order of its start.
  public var runningEffectNames: [String] {
    settle()
    return runtime.runningEffects.map(\.description)
  }
}
