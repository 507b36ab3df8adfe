import Composable
import ComposableDatabase
import ComposableTesting
import Testing

/// A list of workouts that is kept in the database.
private struct Workouts: Reducer {
  struct State: Equatable { var names: [String] = [] }
  enum Action: Sendable, Equatable { case appeared, add(String), shown([String]), failed(String), gone }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      return .run { send in
        for try await rows in send.dependencies.database.rows(of: FetchDescriptor<Workout>()) {
          await send(.shown(rows.map(\.name)))
        }
      }
      .cancellable(id: "rows")
    case .gone: return .cancel(id: "rows")
    case .add(let name):
      return .run { send in
        let database = send.dependencies.database
        let count = try await database.fetchCount(FetchDescriptor<Workout>())
        try await database.add(Workout(id: count, name: name))
      } catch: { error, send in
        await send(.failed("\(error)"))
      }
    case .shown(let names): state.names = names
    case .failed: break
    }
    return .none
  }
}

@Suite("3.6 The database as a dependency")
struct DatabaseEffectTests {
  @Test("Effects use a database in memory without leaving the test store's thread")
  func effects() throws {
    let database = try Database.inMemory(migrations: Workout.migrations)
    let store = TestStore(
      initialState: Workouts.State(), dependencies: Dependencies(.test) { $0.database = database }
    ) { Workouts() }
    store.send(.appeared)
    store.receive(.shown([]))
    store.send(.add("a"))
    store.receive(.shown(["a"])) { $0.names = ["a"] }
    store.send(.add("a"))
    store.receive(.failed("memory: adding to workouts failed: UNIQUE constraint failed: workouts.name."))
    store.send(.gone)
    store.finish()
  }

  @Test("A test that gives no database is told by name, for each call")
  func unimplemented() {
    let failures = Recorder<String>()
    let store = TestStore(
      initialState: Workouts.State(), report: { message, _ in failures.record(message) }
    ) { Workouts() }
    store.send(.add("a"))
    store.receive(.failed("The dependency database.fetchCount isn't implemented."))
    store.finish()
    #expect(failures.values.count == 1)
    #expect(failures.values.first?.hasPrefix("The dependency database.fetchCount was used") == true)
  }

  @Test("A program that gives no database gets an error, not a crash")
  func live() async {
    await #expect(throws: UnimplementedDependency("database.save")) {
      try await Dependencies.live.database.save()
    }
  }
}
