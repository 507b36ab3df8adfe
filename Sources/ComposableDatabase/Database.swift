public import Composable
internal import Synchronization

/// A SQLite database of typed records, for use from effects.
///
///     let recent = try await send.dependencies.database.fetch(
///       FetchDescriptor<Workout>(where: \.minutes >= 30, sort: [.descending(\.minutes)], limit: 20))
///
/// A file is used on a thread of its own. One in memory is used on the caller's thread, so that a test store
/// need not wait for it.
public final class Database: Sendable {
  /// When changes become durable.
  public enum Autosave: Sendable, Hashable {
    /// Each change, or transaction, at once.
    case immediately
    /// All changes together, at most this long after the first of them; ``Database/save()`` is earlier. A
    /// program saves before it ends.
    case after(Duration)
    /// Only by ``Database/save()``.
    case off
  }

  let core: Mutex<DatabaseCore>
  /// Where a file is used; nil for a database in memory.
  let thread: WorkerThread?
  private let autosave: Autosave
  private let clock: any Clock<Duration>
  private let issues: IssueReporter

  private init(
    _ source: DatabaseCore.Source, _ thread: WorkerThread?, _ autosave: Autosave,
    _ clock: any Clock<Duration>,
    _ issues: IssueReporter
  ) {
    core = Mutex(DatabaseCore(source))
    self.thread = thread
    self.autosave = autosave
    self.clock = clock
    self.issues = issues
  }

  /// Opens a file, or makes it, and brings its schema up to date.
  ///
  /// Changes survive a power cut (write-ahead log, full synchronisation). A file that is no database, or is
  /// damaged, is left as it is: the error says so.
  ///
  /// - Parameters:
  ///   - path: The file; SQLite keeps two more beside it while it is open.
  ///   - migrations: The steps that make the schema, oldest first.
  ///   - autosave: When changes become durable.
  ///   - clock: What a delay of saving is measured on.
  ///   - issues: Takes reports of delayed saves that fail.
  public static func open(
    _ path: String, migrations: [Migration], autosave: Autosave = .immediately,
    clock: any Clock<Duration> = ContinuousClock(), issues: IssueReporter = .ambient
  ) async throws -> Database {
    let thread = WorkerThread()
    let connection = try await withTaskExecutorPreference(thread) {
      let connection = try Connection(path, place: path)
      try connection.execute(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON",
        doing: "opening the database")
      try connection.migrate(migrations)
      return connection
    }
    return Database(.open(connection), thread, autosave, clock, issues)
  }

  /// Makes an empty database in memory; each call makes another one.
  public static func inMemory(
    migrations: [Migration], autosave: Autosave = .immediately,
    clock: any Clock<Duration> = ContinuousClock(), issues: IssueReporter = .ambient
  ) throws -> Database {
    let connection = try Connection(":memory:", place: "memory")
    try connection.execute("PRAGMA foreign_keys = ON", doing: "opening the database")
    try connection.migrate(migrations)
    return Database(.open(connection), nil, autosave, clock, issues)
  }

  /// A database that reports, or throws at, each use.
  static func missing(reports: Bool) -> Database {
    Database(.missing(reports: reports), nil, .immediately, ContinuousClock(), .ambient)
  }

  // MARK: - Reading

  /// The rows of a descriptor.
  public func fetch<R: Record>(_ descriptor: FetchDescriptor<R>) async throws -> [R] {
    try await use("fetch") { try $0.read().fetch(descriptor) }
  }

  /// The row of an id; nil where there is none.
  public func fetch<R: Record>(_ type: R.Type, id: R.ID) async throws -> R? {
    try await use("fetch") { try $0.read().fetch(type, id: id) }
  }

  /// How many rows a descriptor has.
  public func fetchCount<R: Record>(_ descriptor: FetchDescriptor<R>) async throws -> Int {
    try await use("fetchCount") { try $0.read().fetchCount(descriptor) }
  }

  // MARK: - Changing

  /// Adds a record; throws where its id, or a unique value, is there already.
  public func add<R: Record>(_ record: R) async throws { try await change("add") { try $0.add(record) } }

  /// Replaces the record of the same id; throws where there is none.
  public func update<R: Record>(_ record: R) async throws {
    try await change("update") { try $0.update(record) }
  }

  /// Removes a record by its id; throws where there is none.
  public func delete<R: Record>(_ record: R) async throws {
    try await change("delete") { try $0.delete(record) }
  }

  /// Removes all rows that fulfil a predicate, all of the table for nil, and returns how many they were.
  @discardableResult
  public func delete<R: Record>(_ type: R.Type, where predicate: RowPredicate<R>?) async throws -> Int {
    try await change("delete") { try $0.delete(type, where: predicate) }
  }

  /// Does several things as a whole or, where the closure throws, not at all.
  public func transaction<Result: Sendable>(
    _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    try await change("transaction", body)
  }

  /// Makes all changes durable that aren't yet.
  public func save() async throws { try await use("save") { try $0.save() } }

  /// Takes back all changes since the last save.
  public func rollback() async throws { try await use("rollback") { try $0.rollback() } }

  // MARK: - Running

  private func change<Result: Sendable>(
    _ name: String, _ body: @escaping @Sendable (Transaction) throws -> Result
  ) async throws -> Result {
    let isDeferred = autosave != .immediately
    let (result, begins) = try await use(name) { core in
      let wasSaved = core.isSaved
      return (try core.change(isDeferred: isDeferred, body), wasSaved && !core.isSaved)
    }
    if begins, case .after(let delay) = autosave { saveLater(delay) }
    return result
  }

  private func saveLater(_ delay: Duration) {
    // Holds the database, so that nothing is lost when all others let it go.
    Task {
      do {
        try await clock.sleep(for: delay)
        try await save()
      } catch {
        issues.report(
          Issue("Changes of a database weren't saved (\(error)); they are saved with the next ones."))
      }
    }
  }

  func use<Result: Sendable>(
    _ name: String, _ body: @escaping @Sendable (inout DatabaseCore) throws -> Result
  ) async throws -> Result {
    guard let thread else { return try core.withLock { try $0.use(name, body) } }
    return try await withTaskExecutorPreference(thread) { try core.withLock { try $0.use(name, body) } }
  }
}
