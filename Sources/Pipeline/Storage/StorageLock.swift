import Glibc
import Threads

/// The claim of one host on one storage file; the kernel gives it up when the process ends, however it ends.
///
/// The lock is on a file beside the storage, since closing any other descriptor of SQLite's own file would
/// drop SQLite's locks (fcntl(2)). It holds the process's number and goes with the lock.
struct StorageLock: ~Copyable {
  private let descriptor: Int32
  private let path: String

  /// Takes the lock of a storage file or throws a ``StorageError`` that says who has it.
  init(file: String) throws(StorageError) {
    let path = file + ".lock"
    self.path = path
    var opened = try Self.take(path, file: file)
    // Whoever had the lock may have removed the file between our opening and locking it.
    while !Self.isStillThere(path, opened) {
      Glibc.close(opened)
      opened = try Self.take(path, file: file)
    }
    descriptor = opened
    // The number is for people only: if it can't be written the lock holds all the same.
    let text = "\(getpid())\n"
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.utf8.count, 0) }
  }

  deinit {
    unlink(path)
    Glibc.close(descriptor)
  }

  private static func take(_ path: String, file: String) throws(StorageError) -> Int32 {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    if descriptor < 0 {
      let failure = SystemFailure(number: errno)
      throw StorageError(
        failure.number == EROFS || failure.number == EACCES ? .readOnly : .failed,
        "can't write '\(path)' beside the storage: \(failure.description); "
          + "make its folder writable or name a storage file in another one")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return descriptor }
    let number = errno
    defer { Glibc.close(descriptor) }
    if number != EWOULDBLOCK {
      throw StorageError(.failed, "can't lock '\(path)': \(SystemFailure(number: number).description)")
    }
    throw StorageError(
      .inUse,
      "the storage '\(file)' is in use by another pipeline\(Self.holder(descriptor)); "
        + "stop that one or name another storage file")
  }

  private static func isStillThere(_ path: String, _ descriptor: Int32) -> Bool {
    var held = stat()
    var named = stat()
    return fstat(descriptor, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino
      && held.st_dev == named.st_dev
  }

  private static func holder(_ descriptor: Int32) -> String {
    var digits = [UInt8](repeating: 0, count: 16)
    let count = pread(descriptor, &digits, digits.count, 0)
    guard count > 0,
      let id = Int(String(decoding: digits.prefix(while: { $0 >= 48 && $0 <= 57 }), as: UTF8.self))
    else { return "" }
    return " (process \(id))"
  }
}
