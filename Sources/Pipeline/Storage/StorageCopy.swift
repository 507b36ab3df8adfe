import CSQLite
import Glibc

/// Makes a copy of a storage file beside it, little by little, from which a start goes on should the file be damaged.
///
/// The copy is a consistent cut: what is written meanwhile goes into it, too. It takes the place of the one before when
/// it is whole. Confined to the storage's thread.
final class StorageCopy {
  /// What the copy of a file is called.
  static func path(of file: String) -> String { file + ".copy" }

  private let source: SQLiteConnection
  private let target: SQLiteConnection
  private let path: String
  private var backup: OpaquePointer?

  /// Begins a copy.
  init(of source: SQLiteConnection, file: String) throws(SQLiteFailure) {
    self.source = source
    path = Self.path(of: file)
    unlink(path + ".new")
    target = try SQLiteConnection(path: path + ".new", patience: StoragePatience(0))
    try target.execute("PRAGMA synchronous = FULL")
    backup = sqlite3_backup_init(target.handle, "main", source.handle, "main")
    if backup == nil { throw target.failure(sqlite3_errcode(target.handle)) }
  }

  deinit {
    guard backup != nil else { return }
    sqlite3_backup_finish(backup)
    unlink(path + ".new")
  }

  /// Copies some pages of 4 KiB; true when the copy is whole and in its place.
  func step(pages: Int32) throws(SQLiteFailure) -> Bool {
    switch sqlite3_backup_step(backup, pages) {
    case SQLITE_OK, SQLITE_BUSY, SQLITE_LOCKED: return false
    case SQLITE_DONE: break
    case let code: throw target.failure(code)
    }
    let code = sqlite3_backup_finish(backup)
    backup = nil
    guard code == SQLITE_OK else { throw target.failure(code) }
    guard rename(path + ".new", path) == 0 else {
      throw SQLiteFailure(code: SQLITE_IOERR, message: "the copy can't be renamed", systemNumber: errno)
    }
    return true
  }
}
