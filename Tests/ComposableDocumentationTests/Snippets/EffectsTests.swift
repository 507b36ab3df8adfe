import Composable
import ComposableTesting
import Testing

// snippet
struct Ticker: Reducer {
  struct State: Equatable { var seconds = 0 }
  enum Action: Sendable, Equatable { case appeared, disappeared, ticked }
  private enum EffectName { case ticking }

  @Dependency(\.clock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      return .run(priority: .low, name: "ticking") { send in
        while true {
          try await clock.sleep(for: .seconds(1))
          await send(.ticked)
        }
      }
      .cancellable(id: EffectName.ticking, cancelInFlight: true)

    case .disappeared: return .cancel(id: EffectName.ticking)

    case .ticked:
      state.seconds += 1
      return .none
    }
  }
}
// end

private struct Editor: Reducer {
  struct State: Equatable {
    var text = ""
    var saved: [String] = []
    var steps: [String] = []
  }

  enum Action: Sendable, Equatable {
    case typed(String)
    case scrolled
    case saved(String)
    case stepped(String)
    case closeTapped
  }

  private enum EffectName { case save, scroll }

  let save: @Sendable (String) async throws -> Void

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    // snippet
    case .typed(let text):
      state.text = text
      return .run { send in
        try await save(text)
        await send(.saved(text))
      } catch: { error, send in
        await send(.stepped("not saved: \(error)"))
      }
      .debounce(id: EffectName.save, for: .milliseconds(300))
    // end

    // snippet
    case .scrolled:
      return .send(.stepped("drawn"))
        .throttle(id: EffectName.scroll, for: .milliseconds(16), latest: true)
    // end

    // snippet
    case .closeTapped:
      return .concatenate(
        .merge(.cancel(id: EffectName.scroll), .send(.stepped("closing"))),
        .run { [text = state.text] send in
          try await save(text)
          await send(.saved(text))
        },
        .send(.stepped("closed")))
    // end

    case .saved(let text):
      state.saved.append(text)
      return .none
    case .stepped(let step):
      state.steps.append(step)
      return .none
    }
  }
}

@Suite("The documentation of Composable: effects")
struct EffectsTests {
  @Test("A timer goes on until it is cancelled, and is known by its name")
  func ticker() {
    // snippet
    let store = TestStore(initialState: Ticker.State()) { Ticker() }
    store.send(.appeared)
    store.clock.advance(by: .seconds(2))
    store.receive(.ticked) { $0.seconds = 1 }
    store.receive(.ticked) { $0.seconds = 2 }
    store.send(.disappeared)
    store.finish()
    // end
    store.withExhaustivity(.off) {
      let other = TestStore(initialState: Ticker.State(), exhaustivity: .off) { Ticker() }
      other.send(.appeared)
      #expect(other.runningEffectNames.first?.hasPrefix("effect \"ticking\" started at ") == true)
      other.finish()
    }
  }

  @Test("Debounce, throttle and a sequence do what the article says")
  func editor() {
    let store = TestStore(initialState: Editor.State()) {
      Editor { text in if text == "unwritable" { throw DiskFull() } }
    }
    store.send(.typed("a")) { $0.text = "a" }
    store.clock.advance(by: .milliseconds(200))
    store.send(.typed("ab")) { $0.text = "ab" }
    store.clock.advance(by: .milliseconds(300))
    store.receive(.saved("ab")) { $0.saved = ["ab"] }
    store.send(.typed("unwritable")) { $0.text = "unwritable" }
    store.clock.advance(by: .milliseconds(300))
    store.receive(.stepped("not saved: DiskFull()")) { $0.steps = ["not saved: DiskFull()"] }
    store.exhaustivity = .off
    for _ in 0..<3 { store.send(.scrolled) }
    store.clock.advance(by: .milliseconds(16))
    store.skipReceivedActions()
    #expect(store.state.steps.filter { $0 == "drawn" }.count == 2)
    store.send(.typed("end"))
    store.send(.closeTapped)
    store.skipReceivedActions()
    #expect(store.state.steps.suffix(2) == ["closing", "closed"])
    #expect(store.state.saved.last == "end")
    store.finish()
  }

  private struct DiskFull: Error {}
}
