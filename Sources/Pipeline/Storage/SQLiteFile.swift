import CSQLite
import Glibc
import Threads

/// The file of a SQLite storage as the file system has it: where it is, whether it can be used, how it is
/// put aside.
struct SQLiteFile {
  /// The path as the user wrote it.
  let path: String
  /// The path with symbolic links resolved, so that two names of one file share one lock.
  let resolvedPath: String

  /// Checks the path and throws a ``StorageError`` if no storage can be there; nothing is touched.
  ///
  /// - Parameter mustBeWritable: whether a file that can only be read is refused.
  init(path: String, mustBeWritable: Bool = true) throws(StorageError) {
    self.path = path
    let (folder, name) = Self.split(path)
    var info = stat()
    guard stat(folder, &info) == 0 else {
      throw StorageError(
        .missingFolder,
        "the folder '\(folder)' of the storage file '\(path)' does not exist; make it or name another file")
    }
    guard info.st_mode & S_IFMT == S_IFDIR else {
      throw StorageError(
        .missingFolder,
        "'\(folder)' in the storage path '\(path)' is not a folder; name a file in a folder")
    }
    guard stat(path, &info) == 0 else {
      resolvedPath = (Self.resolve(folder) ?? folder) + "/" + name
      return
    }
    resolvedPath = Self.resolve(path) ?? path
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw StorageError(
        .foreign, "the storage path '\(path)' is not a regular file; name a file for the storage")
    }
    guard mustBeWritable else { return }
    guard info.st_mode & 0o222 != 0, access(path, W_OK) == 0 else { throw Self.readOnly(path) }
  }

  static func readOnly(_ path: String) -> StorageError {
    StorageError(
      .readOnly, "the storage file '\(path)' is read-only; make it writable or name another file")
  }

  /// Refuses a file that belongs to something else; to be called by the holder of the file's lock.
  ///
  /// A damaged file of ours begins as SQLite's do, or with the zeros or the few bytes that a power cut
  /// leaves; everything else was never ours and stays where it is.
  func checkHeader() throws(StorageError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return }
    guard descriptor >= 0 else {
      throw StorageError(
        .failed, "can't read the storage file '\(path)': \(SystemFailure(number: errno).description)")
    }
    // Closing drops the process's locks on the file, which is safe as long as SQLite hasn't opened it.
    defer { Glibc.close(descriptor) }
    var header = [UInt8](repeating: 0, count: 100)
    let count = max(pread(descriptor, &header, header.count, 0), 0)
    let magic = Array("SQLite format 3\0".utf8)
    if header.prefix(min(count, magic.count)).elementsEqual(magic.prefix(min(count, magic.count))) {
      let id = header[68..<72].reduce(0) { $0 << 8 | Int64($1) }
      if count == header.count && id != 0 && id != SQLiteSchema.applicationID {
        throw StorageError(
          .foreign,
          "the storage file '\(path)' is a database of another program; name another file")
      }
    } else if header.contains(where: { $0 != 0 }) {
      throw StorageError(
        .foreign, "the storage file '\(path)' is not a SQLite database; name another file")
    }
  }

  /// What the file system knows the file by, nil if there is none at the path.
  var identity: Identity? {
    var info = stat()
    return stat(resolvedPath, &info) == 0 ? Identity(device: info.st_dev, number: info.st_ino) : nil
  }

  struct Identity: Hashable {
    var device: dev_t
    var number: ino_t
  }

  /// Renames the file and its companions, never over another file, and gives the new name.
  func keepAside(at time: Timestamp) throws(StorageError) -> String {
    let stamp = time.rfc3339(fraction: false).filter { $0 != "-" && $0 != ":" }
    var target = "\(resolvedPath).unreadable-\(stamp)"
    var number = 2
    // The lock is ours, so no other host makes a file of this name in between.
    while access(target, F_OK) == 0 {
      target = "\(resolvedPath).unreadable-\(stamp)-\(number)"
      number += 1
    }
    guard rename(resolvedPath, target) == 0 else {
      throw StorageError(
        .unreadable,
        "the storage file '\(path)' is damaged and can't be put aside: "
          + "\(SystemFailure(number: errno).description); move it away by hand")
    }
    for companion in ["-wal", "-shm"] {
      guard rename(resolvedPath + companion, target + companion) != 0, errno != ENOENT else { continue }
      throw StorageError(
        .unreadable,
        "'\(path)\(companion)' of a damaged storage can't be put aside: "
          + "\(SystemFailure(number: errno).description); move it away by hand")
    }
    return target
  }

  /// Puts the file's copy, if there is one, in its place; gives the time it was made.
  func takeCopy() -> Timestamp? {
    let copy = StorageCopy.path(of: resolvedPath)
    var info = stat()
    guard stat(copy, &info) == 0, rename(copy, resolvedPath) == 0 else { return nil }
    return Timestamp(milliseconds: Int64(info.st_mtim.tv_sec) * 1_000)
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let name = String(path[path.index(after: slash)...])
    return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
  }

  private static func resolve(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
