import Composable
import ComposableDatabase
import ComposableTesting
import Testing

@testable import WorkoutsExample

@Suite("Example: Workouts")
struct WorkoutsTests {
  private let run = Workout(
    id: UniqueID(101), name: "Park", kind: .run, minutes: 45, start: UnixTime(seconds: 100))
  private let swim = Workout(
    id: UniqueID(102), name: "Lake", kind: .swim, minutes: 20, start: UnixTime(seconds: 200))

  /// A store whose list is shown, over a database in memory.
  private func store(
    holding workouts: Workout...
  ) async throws -> TestStore<Workouts.State, Workouts.Action> {
    let database = try Database.inMemory(migrations: Workout.migrations)
    for workout in workouts { try await database.add(workout) }
    let store = TestStore(
      initialState: Workouts.State(),
      dependencies: Dependencies(.test) {
        $0.database = database
        $0.date = .constant(UnixTime(seconds: 300))
        $0.uuid = .incrementing
      }
    ) { Workouts() }
    let sorted = workouts.sorted { $0.start > $1.start }
    store.send(.appeared)
    if sorted.isEmpty {
      store.receive(.shown([]))
    } else {
      store.receive(.shown(sorted)) { $0.workouts = sorted }
    }
    return store
  }

  private func close(_ store: TestStore<Workouts.State, Workouts.Action>) {
    store.send(.disappeared)
    store.finish()
  }

  @Test("The latest comes first")
  func list() async throws {
    let store = try await store(holding: run, swim)
    #expect(store.state.workouts == [swim, run])
    close(store)
  }

  @Test("A saved form becomes a workout of this moment, and the list shows it")
  func adding() async throws {
    let store = try await store()
    store.send(.addTapped) { $0.form = Workouts.Form() }
    store.send(.saveTapped)  // Without a name it stays open.
    let form = Workouts.Form(name: "Wall", kind: .climb, minutes: 90)
    store.send(.edited(form)) { $0.form = form }
    store.send(.saveTapped) { $0.form = nil }
    let climb = Workout(
      id: UniqueID(0), name: "Wall", kind: .climb, minutes: 90, start: UnixTime(seconds: 300))
    store.receive(.shown([climb])) { $0.workouts = [climb] }
    close(store)
  }

  @Test("A cancelled form leaves nothing behind")
  func cancelling() async throws {
    let store = try await store()
    store.send(.addTapped) { $0.form = Workouts.Form() }
    store.send(.cancelTapped) { $0.form = nil }
    close(store)
  }

  @Test("A deleted workout leaves the list")
  func deleting() async throws {
    let store = try await store(holding: run, swim)
    store.send(.deleted(swim.id))
    store.receive(.shown([run])) { $0.workouts = [run] }
    close(store)
  }

  @Test("A filter replaces the query, and later changes go through the new one")
  func filter() async throws {
    let store = try await store(holding: run, swim)
    let runs = Workouts.Filter(kind: .run)
    store.send(.filtered(runs)) { $0.filter = runs }
    store.receive(.shown([run])) { $0.workouts = [run] }
    store.send(.deleted(swim.id))
    #expect(store.runningEffectNames.count == 1)
    let long = Workouts.Filter(minimumMinutes: 46)
    store.send(.filtered(long)) { $0.filter = long }
    store.receive(.shown([])) { $0.workouts = [] }
    close(store)
  }

  @Test("A database that can't be read says why")
  func failure() throws {
    let store = TestStore(
      initialState: Workouts.State(),
      dependencies: try Dependencies(.test) { $0.database = try .inMemory(migrations: []) }
    ) { Workouts() }
    store.send(.appeared)
    let problem = "memory: fetching from workouts failed: no such table: workouts."
    store.receive(.failed(problem)) { $0.problem = problem }
    store.finish()
  }
}
