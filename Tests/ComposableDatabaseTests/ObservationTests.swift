import Composable
import ComposableDatabase
import Testing

@Suite("3.6 The database: observing a query")
struct ObservationTests {
  private let long = FetchDescriptor<Workout>(where: \.minutes > 40, sort: [.ascending(\.id)])

  @Test("The rows of now come first, then those after each change by which they differ")
  func rows() async throws {
    let database = try await Database.holding(Workout(id: 1, name: "a", minutes: 50))
    var rows = database.rows(of: long).makeAsyncIterator()
    #expect(try await rows.next()?.map(\.id) == [1])
    try await database.add(Workout(id: 2, name: "short", minutes: 10))
    try await database.add(Workout(id: 3, name: "b", minutes: 60))
    #expect(try await rows.next()?.map(\.id) == [1, 3])
    try await database.update(Workout(id: 1, name: "a", minutes: 5))
    #expect(try await rows.next()?.map(\.id) == [3])
    try await database.delete(Workout.self, where: nil)
    #expect(try await rows.next()?.isEmpty == true)
  }

  @Test("A transaction is seen as a whole, one that failed not at all")
  func transaction() async throws {
    let database = try await Database.holding()
    let seen = Recorder<[Int]>()
    let (steps, step) = AsyncStream<Void>.makeStream()
    let stream = database.rows(of: long)
    let reader = Task {
      for try await rows in stream {
        seen.record(rows.map(\.id))
        step.yield()
      }
    }
    var next = steps.makeAsyncIterator()
    await next.next()
    await #expect(throws: DatabaseError.self) {
      try await database.transaction { transaction in
        try transaction.add(Workout(id: 1, name: "a", minutes: 50))
        try transaction.add(Workout(id: 1, name: "b", minutes: 50))
      }
    }
    try await database.transaction { transaction in
      try transaction.add(Workout(id: 1, name: "a", minutes: 50))
      try transaction.add(Workout(id: 2, name: "b", minutes: 50))
    }
    await next.next()
    reader.cancel()
    #expect(seen.values == [[], [1, 2]])
  }

  @Test("SQL that is executed is seen, too, and so is what a rollback takes back")
  func untyped() async throws {
    let database = try Database.inMemory(migrations: Workout.migrations, autosave: .off)
    try await database.add(Workout(id: 1, name: "a", minutes: 50))
    try await database.save()
    var rows = database.rows(of: long).makeAsyncIterator()
    #expect(try await rows.next()?.count == 1)
    try await database.transaction { try $0.execute("UPDATE workouts SET minutes = 1") }
    #expect(try await rows.next()?.count == 0)
    try await database.rollback()
    #expect(try await rows.next()?.count == 1)
  }

  @Test("Two queries on a file each get their rows; one that isn't read any more is let go")
  func inFile() async throws {
    let database = try await Database.open("", migrations: Workout.migrations)
    var rows = database.rows(of: long).makeAsyncIterator()
    #expect(try await rows.next()?.count == 0)
    do {
      var other = database.rows(of: FetchDescriptor<Workout>()).makeAsyncIterator()
      #expect(try await other.next()?.count == 0)
      try await database.add(Workout(id: 1, name: "a", minutes: 10))
      #expect(try await other.next()?.count == 1)
    }
    try await database.add(Workout(id: 2, name: "b", minutes: 50))
    #expect(try await rows.next()?.map(\.id) == [2])
  }

  @Test("A row that can't be read ends the sequence with the error")
  func unreadable() async throws {
    let database = try await Database.holding(Workout(id: 1, name: "a", minutes: 50))
    var rows = database.rows(of: long).makeAsyncIterator()
    _ = try await rows.next()
    try await database.transaction { try $0.execute("UPDATE workouts SET kind = 'walk'") }
    await #expect(throws: DatabaseError.self) { _ = try await rows.next() }
  }
}
