import Composable
import ComposableDatabase
import ComposableTesting
import Testing

// snippet
struct Note: Record, Equatable {
  let id: UniqueID
  var title: String
  var priority = 0
  var due: UnixTime?

  static let table = Table<Self>(
    "notes", .id(\.id), .column("title", \.title), .column("priority", \.priority, isIndexed: true),
    .column("due", \.due))

  static let migrations = [
    Migration("notes") { try $0.createTable(Note.self) }
  ]
}

extension Note {
  init(row: Row<Self>) throws {
    id = try row[\.id]
    title = try row[\.title]
    priority = try row[\.priority]
    due = try row[\.due]
  }
}
// end

// snippet
struct Notes: Reducer {
  struct State: Equatable {
    var notes: [Note] = []
    var problem: String?
  }

  enum Action: Sendable, Equatable {
    case appeared, disappeared, shown([Note]), added(String), failed(String)
  }
  private enum EffectName { case list }

  @Dependency(\.database) var database
  @Dependency(\.uuid) var uuid

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .appeared:
      let urgent = FetchDescriptor<Note>(
        where: \.priority >= 1, sort: [.descending(\.priority), .ascending(\.title)], limit: 50)
      return .run { send in
        for try await notes in database.rows(of: urgent) { await send(.shown(notes)) }
      } catch: { error, send in
        await send(.failed("\(error)"))
      }
      .cancellable(id: EffectName.list, cancelInFlight: true)

    case .disappeared: return .cancel(id: EffectName.list)

    case .added(let title):
      let note = Note(id: uuid(), title: title, priority: 1)
      return .run { _ in
        try await database.add(note)
      } catch: { error, send in
        await send(.failed("\(error)"))
      }

    case .shown(let notes): state.notes = notes
    case .failed(let text): state.problem = text
    }
    return .none
  }
}
// end

@Suite("The documentation of Composable: databases")
struct DatabasesTests {
  @Test("A feature shows what its query says, and a test uses a database in memory")
  func feature() throws {
    // snippet
    let database = try Database.inMemory(migrations: Note.migrations)
    let store = TestStore(
      initialState: Notes.State(),
      dependencies: Dependencies(.test) {
        $0.database = database
        $0.uuid = .incrementing
      }
    ) { Notes() }
    store.send(.appeared)
    store.receive(.shown([]))
    store.send(.added("water the plants"))
    let note = Note(id: UniqueID(0), title: "water the plants", priority: 1)
    store.receive(.shown([note])) { $0.notes = [note] }
    store.send(.disappeared)
    store.finish()
    // end
  }

  @Test("Rows are fetched, counted, changed and deleted")
  func calls() async throws {
    let database = try Database.inMemory(migrations: Note.migrations, autosave: .off)
    let first = Note(id: UniqueID(1), title: "first")
    try await database.add(first)
    // snippet
    let overdue = FetchDescriptor<Note>(where: \.due < UnixTime(seconds: 0) || \.title == "first")
    let count = try await database.fetchCount(overdue)
    for var note in try await database.fetch(overdue) {
      note.priority += 1
      try await database.update(note)
    }
    try await database.delete(Note.self, where: \.priority == 0)
    try await database.save()
    // end
    #expect(count == 1)
    #expect(try await database.fetch(Note.self, id: UniqueID(1))?.priority == 1)
  }

  @Test("A transaction is done as a whole or not at all")
  func transaction() async throws {
    let database = try Database.inMemory(migrations: Note.migrations)
    let (old, new) = (Note(id: UniqueID(1), title: "old"), Note(id: UniqueID(2), title: "new"))
    try await database.add(old)
    // snippet
    try await database.transaction { transaction in
      try transaction.delete(old)
      try transaction.add(new)
    }
    // end
    #expect(try await database.fetch(FetchDescriptor<Note>()) == [new])
  }

  @Test("A program opens a file and gives it to its store")
  @MainActor
  func file() async throws {
    let path = ""  // A file that SQLite makes and removes by itself.
    // snippet
    let database = try await Database.open(
      path, migrations: Note.migrations, autosave: .after(.seconds(1)))
    let store = Store(
      initialState: Notes.State(), dependencies: Dependencies(.live) { $0.database = database }
    ) { Notes() }
    // end
    store.send(.appeared)
    store.send(.added("x"))
    for await notes in store.changes(of: \.notes) where !notes.isEmpty { break }
    await store.close()
    // snippet
    try await database.save()
    // end
    #expect(try await database.fetchCount(FetchDescriptor<Note>()) == 1)
  }
}
