import Composable
import ComposableDatabase
import Testing

@Suite("3.6 The database: fetching records")
struct QueryTests {
  private func database() async throws -> Database {
    try await .holding(
      Workout(id: 3, name: "Park", minutes: 45, note: "rain"),
      Workout(id: 1, name: "lake", minutes: 30, kind: .swim),
      Workout(id: 2, name: "Parkour 100%", minutes: 60, isDone: true),
      Workout(id: 4, name: "Hall", minutes: 30))
  }

  private func ids(_ descriptor: FetchDescriptor<Workout>) async throws -> [Int] {
    let database = try await database()
    let rows = try await database.fetch(descriptor)
    #expect(try await database.fetchCount(descriptor) == rows.count)
    return rows.map(\.id)
  }

  @Test("Every type of value is read back as it was written")
  func roundTrip() async throws {
    let workout = Workout(
      id: -7, name: "\"quoted\" 'ü' \u{0}", minutes: .max, kind: .swim, note: "",
      start: UnixTime(sinceEpoch: .seconds(-3) + .nanoseconds(5)), distance: 0.1 + 0.2, isDone: true,
      track: [0, 255])
    let database = try await Database.holding(workout, Workout(id: 1, name: ""))
    #expect(try await database.fetch(Workout.self, id: -7) == workout)
    #expect(try await database.fetch(Workout.self, id: 1) == Workout(id: 1, name: ""))
    #expect(try await database.fetch(Workout.self, id: 2) == nil)
  }

  @Test("Without a descriptor's parts all rows come in the order of their whole-number ids")
  func all() async throws { #expect(try await ids(FetchDescriptor()) == [1, 2, 3, 4]) }

  @Test("Rows whose ids are no numbers come in the order of their adding")
  func added() async throws {
    struct Tag: Record, Equatable {
      var id: UniqueID
      static let table = Table<Self>("tags", .id(\.id))
      init(_ number: UInt64) { id = UniqueID(high: number, low: ~number) }
      init(row: Row<Self>) throws { id = try row[\.id] }
    }
    let database = try Database.inMemory(migrations: [Migration("tags") { try $0.createTable(Tag.self) }])
    let tags: [Tag] = [Tag(.max), Tag(1), Tag(0x8000_0000_0000_0000), Tag(256)]
    for tag in tags { try await database.add(tag) }
    #expect(try await database.fetch(FetchDescriptor<Tag>()) == tags)
    let sorted = FetchDescriptor<Tag>(sort: [.ascending(\.id)])
    #expect(try await database.fetch(sorted).map(\.id) == tags.map(\.id).sorted())
  }

  @Test("Predicates compare, join and negate")
  func predicates() async throws {
    #expect(try await ids(FetchDescriptor(where: \.minutes >= 45)) == [2, 3])
    #expect(try await ids(FetchDescriptor(where: \.minutes < 45 && \.kind != .swim)) == [4])
    #expect(try await ids(FetchDescriptor(where: \.minutes > 45 || \.kind == .swim)) == [1, 2])
    #expect(try await ids(FetchDescriptor(where: !(\.minutes <= 30))) == [2, 3])
    #expect(try await ids(FetchDescriptor(where: \.isDone == true)) == [2])
    #expect(try await ids(FetchDescriptor(where: \.note == nil)) == [1, 2, 4])
    #expect(try await ids(FetchDescriptor(where: \.note != "sun")) == [1, 2, 3, 4])
    #expect(try await ids(FetchDescriptor(where: .isAny(of: [4, 1, 9], \.id))) == [1, 4])
    #expect(try await ids(FetchDescriptor(where: .isAny(of: [], \.id))) == [])
    #expect(try await ids(FetchDescriptor(where: .isAny(of: 3..<20_000, \.id))) == [3, 4])
    #expect(try await ids(FetchDescriptor(where: .isAny(of: ["rain", "sun"], \.note))) == [3])
    #expect(try await ids(FetchDescriptor(where: !.isAny(of: ["sun", nil], \.note))) == [3])
  }

  @Test("Text is searched literally and with regard to case")
  func text() async throws {
    #expect(try await ids(FetchDescriptor(where: .hasPrefix("Park", \.name))) == [2, 3])
    #expect(try await ids(FetchDescriptor(where: .contains("a", \.name))) == [1, 2, 3, 4])
    #expect(try await ids(FetchDescriptor(where: .contains("%", \.name))) == [2])
    #expect(try await ids(FetchDescriptor(where: .contains("PARK", \.name))) == [])
    #expect(try await ids(FetchDescriptor(where: \.name == "x' OR 1 --")) == [])
  }

  @Test("Rows are sorted by several columns; equal ones come in the order of ids")
  func sorted() async throws {
    #expect(try await ids(FetchDescriptor(sort: [.ascending(\.minutes)])) == [1, 4, 3, 2])
    #expect(
      try await ids(FetchDescriptor(sort: [.descending(\.minutes), .ascending(\.name)])) == [2, 3, 4, 1])
  }

  @Test("A limit and an offset cut a page out")
  func pages() async throws {
    #expect(try await ids(FetchDescriptor(sort: [.ascending(\.id)], limit: 2)) == [1, 2])
    #expect(try await ids(FetchDescriptor(sort: [.ascending(\.id)], limit: 2, offset: 3)) == [4])
    #expect(try await ids(FetchDescriptor(sort: [.ascending(\.id)], offset: 1)) == [2, 3, 4])
    #expect(try await ids(FetchDescriptor(limit: 0)) == [])
  }

  @Test("A value that a record can't hold is reported with its place")
  func unexpectedValue() async throws {
    let database = try await database()
    try await database.transaction { try $0.execute("UPDATE workouts SET kind = 'walk' WHERE id = 3") }
    await #expect {
      try await database.fetch(FetchDescriptor<Workout>())
    } throws: { error in
      "\(error)"
        == "memory: workouts.kind holds 'walk', but a Workout expects Kind there; correct the row or add a "
        + "migration."
    }
  }
}
