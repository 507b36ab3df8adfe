import Composable
import ComposableDatabase
import Synchronization

/// The record that most tests here use.
struct Workout: Record, Equatable {
  enum Kind: String, DatabaseValue { case run, swim }

  var id: Int
  var name: String
  var minutes = 30
  var kind = Kind.run
  var note: String?
  var start = UnixTime(seconds: 0)
  var distance = 0.0
  var isDone = false
  var track: [UInt8] = []

  static let table = Table<Self>(
    "workouts", .id(\.id), .column("name", \.name, isUnique: true),
    .column("minutes", \.minutes, isIndexed: true),
    .column("kind", \.kind), .column("note", \.note), .column("start", \.start),
    .column("distance", \.distance), .column("is_done", \.isDone), .column("track", \.track))

  static let migrations = [Migration("workouts") { try $0.createTable(Workout.self) }]
}

extension Workout {
  init(row: Row<Self>) throws {
    id = try row[\.id]
    name = try row[\.name]
    minutes = try row[\.minutes]
    kind = try row[\.kind]
    note = try row[\.note]
    start = try row[\.start]
    distance = try row[\.distance]
    isDone = try row[\.isDone]
    track = try row[\.track]
  }
}

extension Database {
  /// A database in memory with some workouts.
  static func holding(_ workouts: Workout...) async throws -> Database {
    let database = try Database.inMemory(migrations: Workout.migrations)
    for workout in workouts { try await database.add(workout) }
    return database
  }
}

/// Collects what closures of any thread report, for a test to read afterwards.
final class Recorder<Value: Sendable>: Sendable {
  private let storage = Mutex<[Value]>([])
  var values: [Value] { storage.withLock { $0 } }
  func record(_ value: Value) { storage.withLock { $0.append(value) } }
}
