import Composable
import ComposableTesting
import Testing

@Suite("3.9 Failure texts of the test store")
struct FailureTextTests {
  /// The failures of a test on a counter.
  private func failures(
    _ test: (TestStore<Counter.State, Counter.Action>) -> Void
  ) -> [String] {
    let failures = Recorder<String>()
    let store = TestStore(
      initialState: Counter.State(), report: { message, _ in failures.record(message) }
    ) { Counter() }
    test(store)
    return failures.values
  }

  @Test("A forgotten state change", .tags(.badDay))
  func forgottenChange() {
    let texts = failures { store in
      store.send(.increment)
      store.finish()
    }
    #expect(
      texts == [
        """
        The state changed in sending .increment, and the test doesn't claim it (before → after):

          count: 0 → 1

        To fix, claim the change in a closure after the action: { $0.… = … }.
        """
      ])
  }

  @Test("A wrong claim")
  func wrongClaim() {
    let texts = failures { store in
      store.send(.increment) {
        $0.count = 2
        $0.log = ["x"]
      }
      store.finish()
    }
    #expect(
      texts == [
        """
        The state after sending .increment isn't the claimed one (claimed → actual):

          count: 2 → 1
          log[0]: "x" is gone

        The claim is outdated, or the reducer is wrong. To fix, change the closure so that it makes the \
        state the actual one, or correct the reducer.
        """
      ])
  }

  @Test("A claim of a change that didn't happen")
  func noChange() {
    let texts = failures { store in
      store.send(.stop("x")) { $0.count = 0 }
      store.finish()
    }
    #expect(
      texts == [
        """
        The closure claims a change in sending .stop("x"), but it changes nothing, and nothing changed.

        The value was the same before. To fix, remove the closure, or claim a value that differs.
        """
      ])
  }

  @Test("A forgotten action, at the next send and at the end", .tags(.badDay))
  func forgottenAction() {
    let texts = failures { store in
      store.send(.load)
      store.send(.stop("x"))
      store.send(.load)
      store.finish()
    }
    #expect(
      texts == [
        """
        1 received action must be claimed before sending .stop("x"):

          • .loaded(3)

        Effects of earlier actions sent them. To fix, claim each with receive, or call \
        skipReceivedActions().
        """,
        """
        The test finished, but 1 received action was not claimed:

          • .loaded(3)

        Effects sent them. To fix, claim each with receive, or call skipReceivedActions().
        """,
      ])
  }

  @Test("A forgotten effect, where the test finishes and where it only ends", .tags(.badDay))
  func forgottenEffect() {
    func text(_ cause: String) -> String {
      """
      \(cause), but 1 effect still runs:

        • effect "timer" started at ComposableTests/Counter.swift:\(Counter.startLine)

      An effect that waits for the clock needs clock.advance(by:); one that lives long needs the action \
      that cancels it. To fix, end it, or call skipInFlightEffects().
      """
    }
    #expect(
      failures { store in
        store.send(.start("timer"))
        store.finish()
      } == [text("The test finished")])
    let recorder = Recorder<String>()
    do {
      let store = TestStore(
        initialState: Counter.State(), report: { message, _ in recorder.record(message) }
      ) { Counter() }
      store.send(.start("timer"))
    }
    #expect(recorder.values == [text("The test ended")])
  }

  @Test("A forgotten dependency", .tags(.badDay))
  func forgottenDependency() {
    let recorder = Recorder<String>()
    let store = TestStore(
      initialState: 0, exhaustivity: .off, report: { message, _ in recorder.record(message) }
    ) {
      Reduce<Int, Int> { state, _, dependencies in
        state = dependencies.random { Int.random(in: 0...9, using: &$0) }
        return .none
      }
    }
    store.send(0)
    store.finish()
    #expect(recorder.values.count == 1)
    #expect(
      recorder.values.first?.hasPrefix("The dependency random was used, but this test gives none.") == true)
  }

  @Test("An action that doesn't come")
  func nothingReceived() {
    let texts = failures { store in
      store.receive(.loaded(3))
      store.send(.start("timer"))
      store.receive(.ticked("timer"))
      store.send(.stop("timer"))
      store.finish()
    }
    #expect(
      texts == [
        """
        Expected to receive .loaded(3), but no action was received.

        No effect runs, so none can come.

        An effect that waits for the clock needs clock.advance(by:). To fix, move the clock, or correct the \
        effect that should send the action.
        """,
        """
        Expected to receive .ticked("timer"), but no action was received.

        1 effect running:

          • effect "timer" started at ComposableTests/Counter.swift:\(Counter.startLine)

        An effect that waits for the clock needs clock.advance(by:). To fix, move the clock, or correct the \
        effect that should send the action.
        """,
      ])
  }

  @Test("Another action than the expected one")
  func otherReceived() {
    let texts = failures { store in
      store.send(.load)
      store.receive(.loaded(4)) { $0.count = 4 }
      store.finish()
    }
    #expect(
      texts == [
        """
        Expected to receive .loaded(4), but received:

          • .loaded(3)

        The difference (claimed → actual):

          loaded: 4 → 3

        Actions are received in the order in which effects send them. To fix, claim this action, or correct \
        the effect that sent it.
        """
      ])
  }

  @Test("An effect that never comes to rest")
  func restless() {
    let recorder = Recorder<String>()
    let store = TestStore(initialState: 0, report: { message, _ in recorder.record(message) }) {
      Reduce<Int, Int> { _, _ in .run { _ in while !Task.isCancelled { await Task.yield() } } }
    }
    store.send(0)
    store.skipInFlightEffects()
    store.finish()
    #expect(
      recorder.values.first
        == """
        The effects didn't come to rest within 100000 steps.

        An effect that loops without waiting does this. To fix, let it wait on the clock, or end it.
        """)
  }

  @Test("A send after the end")
  func afterFinish() {
    let texts = failures { store in
      store.finish()
      store.send(.increment)
    }
    #expect(
      texts == [".increment was sent after finish(). To fix, send it before, or make another test store."])
  }
}
