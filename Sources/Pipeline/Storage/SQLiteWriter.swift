import CSQLite
import Glibc
import Threads

/// The side of a SQLite storage that lives on its thread: opens the file, writes, and keeps what failed.
final class SQLiteWriter {
  private let path: String
  private let options: SQLiteStorage.Options
  private let patience: StoragePatience
  private var database: SQLiteDatabase?
  private var lock: StorageLock?
  private var notices: [StorageNotice] = []
  /// The content of commits that failed; it goes with the next one.
  private var owed: Commit?
  /// Why nothing is stored any more: there was too much for the time that was left, and nothing may overtake it.
  private var gaveUp: StorageError?
  private var isClosed = false
  private let desk: SQLiteStorage.OrderDesk
  /// The file's count of foreign changes when the orders were read last, nil before.
  private var ordersRead: Int64?
  private var happened: (@Sendable (StorageEvent) -> Void)?
  private var copy: StorageCopy?
  /// Whether the last copy could not be made, which was told.
  private var isCopyFailing = false
  private var copyDue = ContinuousClock.now

  init(
    path: String, options: SQLiteStorage.Options, patience: StoragePatience, desk: SQLiteStorage.OrderDesk
  ) {
    self.path = path
    self.desk = desk
    self.patience = patience
    self.options = options
  }

  /// Works until the queue is closed and empty, or the storage was closed.
  func run(_ queue: JobQueue<SQLiteStorage.Job>) {
    while let jobs = queue.next(within: happened == nil ? nil : 1) {
      if jobs.isEmpty { lookForOrders() }
      if happened != nil { goOnCopying(isIdle: jobs.isEmpty) }
      for job in jobs {
        switch job {
        case .work(let work): work(self)
        case .commits(let commits, let completions):
          let result = Result { () throws(StorageError) in try write(commits) }
          for completion in completions { completion(result) }
        }
      }
    }
    close()
  }

  /// Opens the file if it isn't open and reads everything.
  func load() throws(StorageError) -> Snapshot {
    let database = try open()
    do {
      var snapshot = try database.connection.snapshot()
      snapshot.notices = notices
      notices = []
      lookForOrders()
      return snapshot
    } catch let failure as SQLiteFailure where failure.meansDamage {
      copy = nil
      self.database = nil
      do {
        let database = try replace(SQLiteFile(path: path), failure)
        self.database = database
        var snapshot = try database.connection.snapshot()
        snapshot.notices = notices
        notices = []
        lookForOrders()
        return snapshot
      } catch {
        throw explain(error, "open")
      }
    } catch {
      throw explain(error, "read")
    }
  }

  /// Runs a piece of reading.
  func read<Answer>(_ body: (SQLiteDatabase) throws -> Answer) throws(StorageError) -> Answer {
    let database = try open()
    do { return try body(database) } catch { throw explain(error, "read") }
  }

  /// Looks for orders from now on whenever something was written, and once a second; makes copies.
  func watch(_ happened: @escaping @Sendable (StorageEvent) -> Void) {
    self.happened = happened
    copyDue = .now + .milliseconds(options.copies.first.count)
    lookForOrders()
  }

  /// Reads the orders of users if somebody else has changed the file.
  private func lookForOrders(mustRead: Bool = false) {
    guard let database else { return }
    do {
      let changes = try database.connection.foreignChanges()
      guard mustRead || changes != ordersRead else { return }
      let orders = try database.connection.orders()
      ordersRead = changes
      if desk.layOut(orders) { happened?(.ordered) }
    } catch {
      // What stood before stands; the next look tries again, and a file that is damaged fails the next commit.
      ordersRead = nil
    }
  }

  /// Copies a little of the file, if a copy is due: more of it while there is nothing else to do.
  private func goOnCopying(isIdle: Bool) {
    guard let database, copyDue <= .now else { return }
    do {
      let copy = try self.copy ?? StorageCopy(of: database.connection, file: database.path)
      self.copy = copy
      if try copy.step(pages: isIdle ? 4_096 : 64) {
        self.copy = nil
        copyDue = .now + .milliseconds(options.copies.next.count)
        if isCopyFailing { happened?(.copied) }
        isCopyFailing = false
      }
    } catch {
      // The earlier copy stands.
      copy = nil
      copyDue = .now + .milliseconds(options.copies.next.count)
      if !isCopyFailing { happened?(.copyFailed(explain(error, "copy"))) }
      isCopyFailing = true
    }
  }

  /// Tries once more to store what is owed, then closes the file and gives up the lock; gives why it is owed still.
  @discardableResult
  func close() -> StorageError? {
    var failure = gaveUp
    if owed != nil {
      do { try write([]) } catch { failure = error }
      owed = nil
    }
    copy = nil
    database = nil
    lock = nil
    happened = nil
    isClosed = true
    return failure
  }

  private func write(_ commits: [Commit]) throws(StorageError) {
    if let gaveUp { throw gaveUp }
    let all = (owed.map { [$0] } ?? []) + commits
    do {
      let database = try open()
      try database.checkPlace()
      if !all.allSatisfy(\.isEmpty) { try database.write(all) }
      owed = nil
      lookForOrders(mustRead: all.contains { !$0.resent.isEmpty })
    } catch {
      let error = explain(error, "write")
      if error.kind == .outOfTime {
        gaveUp = error
        owed = nil
      } else {
        let merged = Commit.merged(all)
        owed = merged.isEmpty ? nil : merged
      }
      throw error
    }
  }

  private func open() throws(StorageError) -> SQLiteDatabase {
    if isClosed { throw StorageError(.closed, "the storage '\(path)' is closed") }
    if let database { return database }
    do {
      let file = try SQLiteFile(path: path)
      if lock == nil { lock = try StorageLock(file: file.resolvedPath) }
      try file.checkHeader()
      let opened: SQLiteDatabase
      do {
        opened = try SQLiteDatabase(file: file, options: options, patience: patience)
      } catch let failure as SQLiteFailure where failure.meansDamage {
        opened = try replace(file, failure)
      }
      database = opened
      return opened
    } catch {
      lock = nil
      throw explain(error, "open")
    }
  }

  /// Keeps a damaged file aside and opens what takes its place: its copy if that can be read, an empty file otherwise.
  private func replace(_ file: SQLiteFile, _ failure: SQLiteFailure) throws -> SQLiteDatabase {
    let kept = try file.keepAside(at: options.now())
    let sentence =
      "the storage file '\(path)' can't be read (\(failure.message)): it is kept as '\(kept)' and the program "
    func note(_ start: String) { notices.append(StorageNotice(message: sentence + start, keptAside: kept)) }
    guard let time = file.takeCopy() else {
      note("starts without its state")
      return try openAnew(file)
    }
    do {
      let opened = try openAnew(file)
      note("starts from its copy of \(time.rfc3339(fraction: false)): what happened since is not known to it")
      return opened
    } catch let failure as SQLiteFailure where failure.meansDamage {
      let copy = try file.keepAside(at: options.now())
      note("starts without its state, as its copy can't be read either and is kept as '\(copy)'")
      return try openAnew(file)
    }
  }

  /// Opens what takes the place of a damaged file. Numbers of episodes come again in it: under other ids, or receivers
  /// would take them for repeats.
  private func openAnew(_ file: SQLiteFile) throws -> SQLiteDatabase {
    let opened = try SQLiteDatabase(file: file, options: options, patience: patience)
    try opened.connection.execute("UPDATE origin SET name = lower(hex(randomblob(8)))")
    return opened
  }

  private func explain(_ error: any Error, _ verb: String) -> StorageError {
    if let error = error as? StorageError { return error }
    guard let failure = error as? SQLiteFailure else {
      return StorageError(.failed, "can't \(verb) the storage file '\(path)': \(error)")
    }
    switch failure.primaryCode {
    case SQLITE_FULL:
      return StorageError(
        .full,
        "can't \(verb) the storage file '\(path)': the disk is full; free some space, nothing is lost so far")
    case SQLITE_IOERR where [EFBIG, EDQUOT].contains(failure.systemNumber):
      return StorageError(
        .full,
        "can't \(verb) the storage file '\(path)': \(SystemFailure(number: failure.systemNumber).description); "
          + "free some space or raise the bound, nothing is lost so far")
    case SQLITE_BUSY, SQLITE_LOCKED:
      return StorageError(
        .locked,
        "can't \(verb) the storage file '\(path)': another process keeps it locked; "
          + "end that process's transaction, nothing is lost so far")
    case SQLITE_INTERRUPT:
      return StorageError(
        .outOfTime,
        "can't \(verb) the storage file '\(path)': the program ends, and what has changed since the last flush is too "
          + "much for the time that is left; the next start goes on from what was stored before")
    case SQLITE_READONLY, SQLITE_PERM: return SQLiteFile.readOnly(path)
    case SQLITE_CORRUPT, SQLITE_NOTADB: return failure.damage(path, verb)
    case SQLITE_CANTOPEN:
      return StorageError(
        .failed,
        "can't \(verb) the storage file '\(path)': \(failure.message); check that its folder is writable")
    default:
      let words =
        failure.systemNumber == 0 ? "" : " (\(SystemFailure(number: failure.systemNumber).description))"
      return StorageError(.failed, "can't \(verb) the storage file '\(path)': \(failure.message)\(words)")
    }
  }
}
