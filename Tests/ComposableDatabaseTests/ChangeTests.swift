import Composable
import ComposableDatabase
import Testing

@Suite("3.6 The database: changing records")
struct ChangeTests {
  private let all = FetchDescriptor<Workout>(sort: [.ascending(\.id)])

  private func expect(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
  ) async {
    await #expect(sourceLocation: sourceLocation) {
      try await body()
    } throws: { error in
      #expect("\(error)" == text, sourceLocation: sourceLocation)
      return error is DatabaseError
    }
  }

  @Test("Records are added, updated and deleted by their ids")
  func changes() async throws {
    let database = try await Database.holding(
      Workout(id: 1, name: "a"), Workout(id: 2, name: "b"), Workout(id: 3, name: "c"))
    try await database.update(Workout(id: 2, name: "B", minutes: 1))
    try await database.delete(Workout(id: 1, name: "whatever"))
    #expect(
      try await database.fetch(all) == [Workout(id: 2, name: "B", minutes: 1), Workout(id: 3, name: "c")])
    #expect(try await database.delete(Workout.self, where: \.minutes > 1) == 1)
    #expect(try await database.delete(Workout.self, where: nil) == 1)
    #expect(try await database.fetchCount(all) == 0)
  }

  @Test("A change that can't be made is reported and changes nothing")
  func failures() async throws {
    let database = try await Database.holding(Workout(id: 1, name: "a"), Workout(id: 2, name: "b"))
    await expect("memory: adding to workouts failed: UNIQUE constraint failed: workouts.id.") {
      try await database.add(Workout(id: 1, name: "c"))
    }
    await expect("memory: updating workouts failed: UNIQUE constraint failed: workouts.name.") {
      try await database.update(Workout(id: 2, name: "a"))
    }
    await expect("memory: there is no Workout with id 9; add it, or use another id.") {
      try await database.update(Workout(id: 9, name: "c"))
    }
    await expect("memory: there is no Workout with id 9; add it, or use another id.") {
      try await database.delete(Workout(id: 9, name: "c"))
    }
    #expect(try await database.fetch(all).map(\.name) == ["a", "b"])
  }

  @Test("A transaction is done as a whole or not at all, and others see nothing in between")
  func transaction() async throws {
    let database = try await Database.holding(Workout(id: 1, name: "a"))
    let count = try await database.transaction { transaction in
      try transaction.add(Workout(id: 2, name: "b"))
      return try transaction.fetchCount(FetchDescriptor<Workout>())
    }
    #expect(count == 2)
    await expect("memory: adding to workouts failed: UNIQUE constraint failed: workouts.id.") {
      try await database.transaction { transaction in
        try transaction.update(Workout(id: 1, name: "changed"))
        try transaction.add(Workout(id: 2, name: "again"))
      }
    }
    #expect(try await database.fetch(all).map(\.name) == ["a", "b"])
  }

  @Test("Without autosave changes are seen at once, kept by save and taken back by rollback")
  func manualSave() async throws {
    let database = try Database.inMemory(migrations: Workout.migrations, autosave: .off)
    try await database.add(Workout(id: 1, name: "a"))
    try await database.save()
    try await database.add(Workout(id: 2, name: "b"))
    await expect("memory: adding to workouts failed: UNIQUE constraint failed: workouts.id.") {
      try await database.add(Workout(id: 2, name: "c"))
    }
    try await database.transaction { try $0.add(Workout(id: 3, name: "c")) }
    #expect(try await database.fetchCount(all) == 3)
    try await database.rollback()
    #expect(try await database.fetch(all).map(\.id) == [1])
    try await database.save()
    try await database.rollback()
    #expect(try await database.fetchCount(all) == 1)
  }
}
