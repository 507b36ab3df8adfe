import Composable
import ComposableTesting
import Testing

/// Two features that hold one value together.
private struct Player: Reducer {
  struct Settings: Sendable, Equatable {
    var volume = 5
    var names: [String] = []
  }

  struct State: Equatable {
    @Shared var settings: Settings
    var mixer: Mixer.State

    init(_ settings: Shared<Settings>) {
      _settings = settings
      mixer = Mixer.State(settings: settings)
    }
  }

  enum Action: Sendable, Equatable {
    case mixer(Mixer.Action)
    case mute
    case renameLater(String)
    case renameOutside(String)
    case renamed
  }

  struct Mixer: Reducer {
    struct State: Equatable { @Shared var settings: Settings }
    enum Action: Sendable, Equatable { case louder }
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      state.settings.volume += 1
      return .none
    }
  }

  var body: some Reducer<State, Action> {
    Scope(
      state: \.mixer,
      action: Route(embed: Action.mixer) { if case .mixer(let action) = $0 { action } else { nil } }
    ) { Mixer() }
    Reduce { state, action in
      switch action {
      case .mixer, .renamed: return .none
      case .mute:
        state.settings.volume = 0
        return .none
      case .renameLater(let name):
        return .run { [settings = state.$settings] send in
          settings.withLock { $0.names.append(name) }
          await send(.renamed)
        }
      case .renameOutside(let name):
        return .run { [settings = state.$settings] _ in settings.withLock { $0.names.append(name) } }
      }
    }
  }
}

@Suite("3.6 Shared values")
struct SharedTests {
  @Test("What one holder changes, all others read at once, across stores")
  @MainActor
  func acrossFeatures() {
    let settings = Shared(Player.Settings())
    let one = Store(initialState: Player.State(settings)) { Player() }
    let other = Store(initialState: Player.State(settings)) { Player() }
    one.send(.mixer(.louder))
    other.send(.mixer(.louder))
    #expect(one.state.settings.volume == 7)
    #expect(other.state.mixer.settings.volume == 7)
    other.send(.mute)
    #expect(one.state.mixer.settings.volume == 0)
  }

  @Test("A change copies no buffer")
  func inPlace() {
    let shared = Shared(Player.Settings(names: Array(repeating: "", count: 10_000)))
    func address() -> UnsafeRawPointer? { shared.wrappedValue.names.withUnsafeBytes { $0.baseAddress } }
    shared.withLock { $0.names[0] = "first" }
    let before = address()
    for index in 1..<100 { shared.withLock { $0.names[index] = "next" } }
    shared.wrappedValue.names[100] = "last"
    #expect(address() == before)
  }

  @Test("Changes by many threads at once are all there")
  func concurrentChanges() async {
    let shared = Shared(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { shared.withLock { $0 += 1 } } } }
    }
    #expect(shared.wrappedValue == 8_000)
  }

  @Test("Readers get the value of now, then the newest one, until the last holder is gone")
  func changes() async {
    var shared: Shared<Int>? = Shared(1)
    var values = shared?.changes().makeAsyncIterator()
    #expect(await values?.next() == 1)
    shared?.wrappedValue = 2
    shared?.wrappedValue = 3
    #expect(await values?.next() == 3)
    shared = nil
    #expect(await values?.next() == nil)
  }

  @Test("Whoever asks for the same name gets the same value")
  func names() {
    let values = SharedValues(files: .inMemory())
    let one = values.inMemory("count", default: 1)
    let same = values.inMemory("count", default: 2)
    let other = values.inMemory("other", default: 3)
    one.wrappedValue = 5
    #expect(same.wrappedValue == 5)
    #expect(other.wrappedValue == 3)
    #expect(SharedValues(files: .inMemory()).inMemory("count", default: 4).wrappedValue == 4)
  }

  @Test("In a test store a change to a shared value is claimed like any other, by whichever feature made it")
  func claimed() {
    let store = TestStore(initialState: Player.State(Shared(Player.Settings()))) { Player() }
    store.send(.mixer(.louder)) { $0.settings.volume = 6 }
    store.send(.mixer(.louder)) { $0.mixer.settings.volume = 7 }
    store.send(.mute) { $0.settings.volume = 0 }
    store.send(.renameLater("x"))
    store.receive(.renamed) { $0.settings.names = ["x"] }
    store.send(.renameOutside("y"))
    store.assert { $0.settings.names = ["x", "y"] }
    store.finish()
  }

  @Test("With exhaustivity off only the claimed parts of a shared value count")
  func nonExhaustive() {
    let store = TestStore(initialState: Player.State(Shared(Player.Settings())), exhaustivity: .off) {
      Player()
    }
    store.send(.mixer(.louder))
    store.send(.renameLater("x"))
    store.send(.mute) { $0.settings.volume = 0 }
    store.finish()
  }
}

@Suite("3.9 Failure texts about shared values")
struct SharedFailureTextTests {
  private func failures(_ test: (TestStore<Player.State, Player.Action>) -> Void) -> [String] {
    let failures = Recorder<String>()
    let store = TestStore(
      initialState: Player.State(Shared(Player.Settings(), name: "settings")),
      report: { message, _ in failures.record(message) }
    ) { Player() }
    test(store)
    return failures.values
  }

  @Test("A forgotten change")
  func forgotten() {
    let texts = failures { store in
      store.send(.mute)
      store.finish()
    }
    #expect(
      texts == [
        """
        The state changed in sending .mute, and the test doesn't claim it (before → after):

          settings.volume: 5 → 0

        To fix, claim the change in a closure after the action: { $0.… = … }.
        """
      ])
  }

  @Test("A wrong claim changes nothing but the report")
  func wrong() {
    let texts = failures { store in
      store.send(.mute) { $0.settings.volume = 3 }
      #expect(store.state.settings.volume == 0)
      store.finish()
    }
    #expect(
      texts == [
        """
        The state after sending .mute isn't the claimed one (claimed → actual):

          settings.volume: 3 → 0

        The claim is outdated, or the reducer is wrong. To fix, change the closure so that it makes the \
        state the actual one, or correct the reducer.
        """
      ])
  }

  @Test("A claim about a value that nothing changed")
  func untouched() {
    let texts = failures { store in
      store.send(.renamed) { $0.settings.volume = 3 }
      store.assert { $0.settings.volume = 4 }
      store.finish()
    }
    #expect(texts.count == 2)
    #expect(texts.first?.contains("settings.volume: 3 → 5") == true)
    #expect(texts.last?.contains("settings.volume: 4 → 5") == true)
  }

  @Test("A change by an effect that sends no action, before the next action and at the end")
  func byEffect() {
    let texts = failures { store in
      store.send(.renameOutside("x"))
      store.send(.renameOutside("y"))
      store.finish()
    }
    #expect(
      texts == [
        """
        An effect changed a shared value, and the test doesn't claim it before sending .renameOutside("y") \
        (before → after):

          settings.names[0]: "x" is new

        To fix, claim the change with assert { $0.… = … }.
        """,
        """
        An effect changed a shared value, and the test doesn't claim it before the end (before → after):

          settings.names[1]: "y" is new

        To fix, claim the change with assert { $0.… = … }.
        """,
      ])
  }
}
