import Composable
import ComposableDatabase

/// Something done for one's health.
struct Workout: Record, Equatable {
  enum Kind: String, DatabaseValue { case run, swim, climb }

  let id: UniqueID
  var name: String
  var kind: Kind
  var minutes: Int
  var start: UnixTime

  static let table = Table<Self>(
    "workouts", .id(\.id), .column("name", \.name), .column("kind", \.kind),
    .column("minutes", \.minutes), .column("start", \.start, isIndexed: true))

  /// What a database of workouts has to go through.
  static let migrations = [Migration("workouts") { try $0.createTable(Workout.self) }]
}

extension Workout {
  init(row: Row<Self>) throws {
    id = try row[\.id]
    name = try row[\.name]
    kind = try row[\.kind]
    minutes = try row[\.minutes]
    start = try row[\.start]
  }
}
