import Composable
import ComposableTesting
import Testing

@Suite("3.4 Effects")
struct EffectTests {
  @Test("A run's actions keep their order")
  func runOrder() {
    let store = TestStore(initialState: [Int]()) {
      Reduce<[Int], Int> { state, action in
        if action == 0 {
          return .run { send in
            for number in 1...5 { await send(number) }
          }
        }
        state.append(action)
        return .none
      }
    }
    store.send(0)
    for number in 1...5 { store.receive(number) { $0.append(number) } }
    store.finish()
  }

  @Test("Merged effects are started in their order, concatenated ones wait for each other")
  func sequence() {
    let store = sequences { clock in
      .concatenate(
        .merge(.wait(clock, 3, "slow"), .wait(clock, 1, "fast"), .send("at once")),
        .send("between"),
        .concatenate(.wait(clock, 1, "nested"), .send("then")),
        .wait(clock, 1, "last"))
    }
    store.send("go") { $0 = ["go"] }
    store.receive("at once") { $0.append("at once") }
    store.clock.advance(by: .seconds(1))
    store.receive("fast") { $0.append("fast") }
    store.clock.advance(by: .seconds(1))
    store.clock.advance(by: .seconds(1))
    store.receive("slow") { $0.append("slow") }
    store.receive("between") { $0.append("between") }
    store.clock.advance(by: .seconds(2))
    store.receive("nested") { $0.append("nested") }
    store.receive("then") { $0.append("then") }
    store.receive("last") { $0.append("last") }
    store.finish()
  }

  @Test("Cancelling one step of a sequence lets the next go on; cancelling the sequence ends it")
  func cancelledSequence() {
    let store = sequences { clock in
      .concatenate(.wait(clock, 10, "step").cancellable(id: "step"), .wait(clock, 1, "after"))
        .cancellable(id: "all")
    }
    store.send("go") { $0 = ["go"] }
    store.send("cancel step") { $0.append("cancel step") }
    store.clock.advance(by: .seconds(1))
    store.receive("after") { $0.append("after") }
    store.send("go") { $0.append("go") }
    store.send("cancel all") { $0.append("cancel all") }
    store.clock.advance(by: .seconds(20))
    store.finish()
  }

  private func sequences(
    _ effect: @escaping @Sendable (any Clock<Duration>) -> Effect<String>
  ) -> TestStore<[String], String> {
    TestStore(initialState: []) {
      Reduce { state, action, dependencies in
        state.append(action)
        if action == "go" { return effect(dependencies.clock) }
        if action.hasPrefix("cancel ") { return .cancel(id: String(action.dropFirst(7))) }
        return .none
      }
    }
  }

  @Test("Map turns the actions of every kind of effect")
  func map() {
    let store = TestStore(initialState: [String]()) {
      Reduce<[String], String> { state, action in
        state.append(action)
        guard action == "go" else { return .none }
        let numbers = Effect<Int>.merge(
          .send(1), .run { await $0(2) }, .concatenate(.send(3), .run { await $0(4) }),
          .send(5).cancellable(id: "five"))
        return numbers.map { "number \($0)" }
      }
    }
    store.exhaustivity = .off
    store.send("go")
    store.skipReceivedActions()
    #expect(Set(store.state) == ["go", "number 1", "number 2", "number 3", "number 4", "number 5"])
    #expect(store.state.count == 6)
  }

  @Test(
    "An error thrown by a run goes to its handler, or is reported with the line of the run", .tags(.badDay))
  func errors() {
    let failures = Recorder<String>()
    let store = TestStore(
      initialState: "", report: { message, _ in failures.record(message) }
    ) {
      Reduce<String, String> { state, action in
        state = action
        return switch action {
        case "handled":
          .run { _ in
            throw Failure()
          } catch: { error, send in
            await send("caught \(error)")
          }
        case "unhandled": .run(name: "load") { _ in throw Failure() }
        default: .none
        }
      }
    }
    store.send("handled") { $0 = "handled" }
    store.receive("caught Failure()") { $0 = "caught Failure()" }
    #expect(failures.values.isEmpty)
    store.send("unhandled") { $0 = "unhandled" }
    store.finish()
    #expect(
      failures.values == [
        "An effect (load) threw Failure(), which nothing handles. Give run(operation:catch:) a handler, or "
          + "catch it in the operation."
      ])
  }

  @Test("A run has its name and priority")
  func nameAndPriority() {
    let store = TestStore(initialState: "") {
      Reduce<String, String> { state, action in
        state = action
        guard action == "go" else { return .none }
        return .run(priority: .low, name: "probe") { send in
          await send("\(Task.name ?? "none") \(Task.currentPriority == .low)")
        }
      }
    }
    store.send("go") { $0 = "go" }
    store.receive("probe true") { $0 = "probe true" }
    store.finish()
  }
}

extension Effect where Action == String {
  /// Sends a text after some seconds.
  static func wait(_ clock: any Clock<Duration>, _ seconds: Int, _ text: String) -> Self {
    .run(name: text) { send in
      try await clock.sleep(for: .seconds(seconds))
      await send(text)
    }
  }
}
