import Composable
import ComposableDatabase
import ComposableJSON
import ComposableTesting
import Testing

// snippet
struct PriceClient: Sendable {
  var price: @Sendable (_ coin: String) async throws -> Double
}

extension PriceClient: DependencyKey {
  static let name = "prices"
  static let live = Self { _ in 67_000 }
  static let test = Self(price: unimplementedFunction("prices.price"))
}

extension Dependencies {
  var prices: PriceClient {
    get { self[PriceClient.self] }
    set { self[PriceClient.self] = newValue }
  }
}
// end

private struct Prices: Sendable {
  var price: @Sendable (_ coin: String) async throws -> Double

  // snippet
  static let test = Self(price: unimplementedFunction("prices.price"))
  // end
}

// snippet
struct Search: Reducer {
  @Dependency(\.clock) var clock
  // end

  func reduce(into state: inout String, action: String) -> Effect<String> {
    guard action == "start" else {
      state = action
      return .none
    }
    return .run { send in
      try await clock.sleep(for: .seconds(1))
      await send("found")
    }
  }
}

private struct App: Reducer {
  struct State: Equatable { var counter = Counter.State() }
  enum Action: Sendable, Equatable { case counter(Counter.Action) }

  var body: some Reducer<State, Action> {
    // snippet
    Scope(state: \.counter, action: .counter) { Counter() }
    // end
  }
}

// snippet
extension Route where Whole == App.Action, Part == Counter.Action {
  static var counter: Self {
    Route(embed: Whole.counter) { if case .counter(let action) = $0 { action } else { nil } }
  }
}
// end

private struct Timer: Reducer {
  struct State: Equatable { var isOn = false, seconds = 0 }
  enum Action: Sendable, Equatable { case started, ticked, stopped }

  @Dependency(\.clock) var clock

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .started:
      state.isOn = true
      return .run { send in
        while true {
          try await clock.sleep(for: .seconds(1))
          await send(.ticked)
        }
      }
      .cancellable(id: 1)
    case .ticked:
      state.seconds += 1
      return .none
    case .stopped:
      state.isOn = false
      return .cancel(id: 1)
    }
  }
}

private enum Shows {
  // snippet
  struct State: Equatable {
    @Shared var settings: Settings
  }
  // end
}

// snippet
struct Workout: Record, Equatable {
  var id: UniqueID
  var name: String
  var minutes: Int

  static let table = Table<Self>(
    "workouts", .id(\.id), .column("name", \.name), .column("minutes", \.minutes))

  init(row: Row<Self>) throws {
    id = try row[\.id]
    name = try row[\.name]
    minutes = try row[\.minutes]
  }
}
// end

extension Workout {
  static let migrations =
    // snippet
    [
      Migration("workouts") { try $0.createTable(Workout.self) },
      Migration("notes of workouts") { try $0.execute("ALTER TABLE workouts ADD COLUMN note TEXT") },
    ]
  // end
}

@Suite("The code in comments of Composable")
struct DocCommentsTests {
  @Test("Features and their tests")
  func features() {
    let search = TestStore(initialState: "") { Search() }
    search.send("start")
    search.clock.advance(by: .seconds(1))
    search.receive("found") { $0 = "found" }
    search.finish()

    let app = TestStore(initialState: App.State()) { App() }
    app.send(.counter(.incremented)) { $0.counter.count = 1 }
    app.finish()

    // snippet
    let store = TestStore(initialState: Timer.State()) { Timer() }
    store.send(.started) { $0.isOn = true }
    store.clock.advance(by: .seconds(1))
    store.receive(.ticked) { $0.seconds = 1 }
    store.send(.stopped) { $0.isOn = false }
    store.finish()
    // end
  }

  @Test("Dependencies")
  func dependencies() async throws {
    #expect(try await Dependencies.live.prices.price("bitcoin") == 67_000)
    await #expect(throws: UnimplementedDependency("prices.price")) { try await Prices.test.price("bitcoin") }
  }

  @Test("Shared values")
  @MainActor
  func shared() async {
    let dependencies = Dependencies(.test) { $0.shared = SharedValues(files: .inMemory()) }
    do {
      // snippet
      let settings = await dependencies.shared.file("settings.json", as: .json, default: Settings())
      let store = Store(initialState: Player.State(settings: settings)) { Player() }
      // end
      store.send(.louderTapped)
    }
    // snippet
    let settings = await dependencies.shared.file("settings.json", as: .json, default: Settings())
    let session = dependencies.shared.inMemory("session", default: "none")
    // end
    #expect(settings.wrappedValue.volume == 6)
    #expect(session.wrappedValue == "none")
    #expect(Shows.State(settings: settings).settings.volume == 6)
  }

  @Test("Records")
  func records() throws {
    let database = try Database.inMemory(migrations: Workout.migrations)
    let store = TestStore(initialState: 0, dependencies: Dependencies(.test) { $0.database = database }) {
      Reduce<Int, Int> { state, action in
        state = action
        guard action > 0 else { return .none }
        return .run { send in
          // snippet
          let recent = try await send.dependencies.database.fetch(
            FetchDescriptor<Workout>(where: \.minutes >= 30, sort: [.descending(\.minutes)], limit: 20))
          // end
          await send(recent.count)
        }
      }
    }
    store.send(1) { $0 = 1 }
    store.receive(0) { $0 = 0 }
    store.finish()
    let descriptor =
      // snippet
      FetchDescriptor<Workout>(where: \.minutes >= 30, sort: [.descending(\.minutes)], limit: 20)
    // end
    #expect(descriptor.limit == 20)
  }

  @Test("A thread for what blocks")
  func thread() async throws {
    let files = FileSystem.inMemory(["large": [1, 2, 3]])
    // snippet
    let thread = WorkerThread()
    let content = try await withTaskExecutorPreference(thread) { try await files.read("large", 1 << 30) }
    // end
    #expect(content == [1, 2, 3])
  }
}
