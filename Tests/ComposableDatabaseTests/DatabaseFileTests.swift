import Composable
import ComposableDatabase
import ComposableTesting
import Glibc
import Testing

@Suite("3.6 The database: files")
struct DatabaseFileTests {
  private let all = FetchDescriptor<Workout>(sort: [.ascending(\.id)])

  /// Makes a folder for one test and removes it with its files.
  private func withFile(_ body: (String) async throws -> Void) async throws {
    var template = Array("/tmp/composable.XXXXXX".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    let path = "\(folder)/workouts.sqlite"
    defer {
      for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
      rmdir(folder)
    }
    try await body(path)
  }

  @Test("What was added is there after opening again")
  func reopened() async throws {
    try await withFile { path in
      try await Database.open(path, migrations: Workout.migrations).add(Workout(id: 1, name: "a"))
      let database = try await Database.open(path, migrations: Workout.migrations)
      #expect(try await database.fetch(all) == [Workout(id: 1, name: "a")])
    }
  }

  @Test("New migrations are done once, in order, and keep the rows")
  func migrations() async throws {
    struct Old: Record {
      var id: Int
      static let table = Table<Self>("workouts", .id(\.id))
      init(id: Int) { self.id = id }
      init(row: Row<Self>) throws { id = try row[\.id] }
    }
    struct New: Record, Equatable {
      var id: Int
      var name: String
      static let table = Table<Self>("workouts", .id(\.id), .column("name", \.name))
      init(row: Row<Self>) throws {
        id = try row[\.id]
        name = try row[\.name]
      }
    }
    let first = Migration("workouts") { try $0.createTable(Old.self) }
    let second = Migration("names") {
      try $0.execute("ALTER TABLE workouts ADD COLUMN name TEXT NOT NULL DEFAULT 'unnamed'")
    }
    try await withFile { path in
      try await Database.open(path, migrations: [first]).add(Old(id: 7))
      for _ in 0..<2 {
        let rows = try await Database.open(path, migrations: [first, second]).fetch(FetchDescriptor<New>())
        #expect(rows.map(\.name) == ["unnamed"] && rows.map(\.id) == [7])
      }
      await #expect {
        _ = try await Database.open(path, migrations: [first])
      } throws: { error in
        "\(error)"
          == "\(path): migration 2 of the file is 'names', but this program has no migration there; use the "
          + "program that wrote the file, or a newer one."
      }
    }
  }

  @Test("A migration that fails is undone and named; the ones before it stand")
  func failedMigration() async throws {
    let broken = Migration("broken") {
      try $0.add(Workout(id: 1, name: "a"))
      try $0.execute("nonsense")
    }
    try await withFile { path in
      await #expect {
        _ = try await Database.open(path, migrations: Workout.migrations + [broken])
      } throws: { error in
        "\(error)"
          == "\(path): the migration 'broken' failed and was undone: \(path): executing SQL failed: "
          + "near \"nonsense\": syntax error."
      }
      let database = try await Database.open(path, migrations: Workout.migrations)
      #expect(try await database.fetchCount(all) == 0)
    }
  }

  @Test("A file that is no database is left as it is, and the error names it")
  func noDatabase() async throws {
    try await withFile { path in
      let content = Array(repeating: UInt8(ascii: "x"), count: 5_000)
      try await FileSystem.system.write(path, content)
      await #expect {
        _ = try await Database.open(path, migrations: Workout.migrations)
      } throws: { error in
        "\(error)" == "\(path): opening the database failed: file is not a database."
      }
      #expect(try await FileSystem.system.read(path, 10_000) == content)
    }
  }

  @Test("A delayed save is made at its time, also when nobody else holds the database any more")
  func autosave() async throws {
    let clock = TestClock()
    try await withFile { path in
      var saves = SavePoller(path: path)
      do {
        let database = try await Database.open(
          path, migrations: Workout.migrations, autosave: .after(.seconds(5)), clock: clock)
        try await database.add(Workout(id: 1, name: "a"))
        try await database.add(Workout(id: 2, name: "b"))
      }
      while clock.sleeperCount == 0 { await Task.yield() }
      #expect(try await saves.count() == 0)
      clock.advance(by: .seconds(5))
      while try await saves.count() == 0 { await Task.yield() }
      #expect(try await saves.count() == 2)
    }
  }

  @Test("Without autosave, what isn't saved is gone with the database")
  func unsaved() async throws {
    try await withFile { path in
      do {
        let database = try await Database.open(path, migrations: Workout.migrations, autosave: .off)
        try await database.add(Workout(id: 1, name: "a"))
        try await database.save()
        try await database.add(Workout(id: 2, name: "b"))
      }
      let database = try await Database.open(path, migrations: Workout.migrations)
      #expect(try await database.fetch(all).map(\.id) == [1])
    }
  }

  /// Reads what another program would see.
  private struct SavePoller {
    let path: String
    var other: Database?

    mutating func count() async throws -> Int {
      if other == nil { other = try await Database.open(path, migrations: Workout.migrations) }
      return try await other?.fetchCount(FetchDescriptor<Workout>()) ?? -1
    }
  }
}
