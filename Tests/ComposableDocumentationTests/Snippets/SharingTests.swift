import Composable
import ComposableJSON
import ComposableTesting
import Testing

// snippet
struct Settings: Codable, Sendable, Equatable {
  var volume = 5
  var isMuted = false
}

struct Player: Reducer {
  struct State: Equatable {
    @Shared var settings: Settings
  }

  enum Action: Sendable, Equatable { case louderTapped, muteLater }

  @Dependency(\.clock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .louderTapped:
      state.settings.volume += 1
      return .none
    case .muteLater:
      return .run { [settings = state.$settings] _ in
        try await clock.sleep(for: .seconds(60))
        settings.withLock { $0.isMuted = true }
      }
    }
  }
}
// end

@Suite("The documentation of Composable: sharing")
@MainActor
struct SharingTests {
  @Test("A value in a file is the same for all who ask, and is there the next time")
  func file() async {
    let dependencies = Dependencies(.live) { $0.shared = SharedValues(files: .inMemory()) }
    // snippet
    let settings = await dependencies.shared.file("settings.json", as: .json, default: Settings())
    let store = Store(initialState: Player.State(settings: settings), dependencies: dependencies) { Player() }
    store.send(.louderTapped)
    await store.close()
    await dependencies.shared.flush()
    // end
    #expect(settings.wrappedValue.volume == 6)
  }

  @Test("A value in memory is shared by its name")
  func memory() {
    let dependencies = Dependencies(.live) { $0.shared = SharedValues(files: .inMemory()) }
    // snippet
    let here = dependencies.shared.inMemory("settings", default: Settings())
    let there = dependencies.shared.inMemory("settings", default: Settings())
    here.withLock { $0.volume = 11 }
    // end
    #expect(there.wrappedValue.volume == 11)
  }

  @Test("A feature hears of changes made elsewhere")
  func changes() {
    // snippet
    struct Display: Reducer {
      struct State: Equatable {
        @Shared var settings: Settings
        var shown = ""
      }

      enum Action: Sendable, Equatable { case appeared, changed(Settings) }

      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        switch action {
        case .appeared:
          return .run { [settings = state.$settings] send in
            for await value in settings.changes() { await send(.changed(value)) }
          }
        case .changed(let settings):
          state.shown = "volume \(settings.volume)"
          return .none
        }
      }
    }
    // end
    let settings = Shared(Settings())
    let store = TestStore(initialState: Display.State(settings: settings)) { Display() }
    store.send(.appeared)
    store.receive(.changed(Settings())) { $0.shown = "volume 5" }
    settings.withLock { $0.volume = 7 }
    store.receive(.changed(Settings(volume: 7))) { $0.shown = "volume 7" }
    store.skipInFlightEffects()
    store.finish()
  }

  @Test("A test claims changes of shared values")
  func claims() {
    // snippet
    let store = TestStore(initialState: Player.State(settings: Shared(Settings()))) { Player() }
    store.send(.louderTapped) { $0.settings.volume = 6 }
    store.send(.muteLater)
    store.clock.advance(by: .seconds(60))
    store.assert { $0.settings.isMuted = true }
    store.finish()
    // end
  }
}
