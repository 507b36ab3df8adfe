internal import Synchronization

extension FileSystem {
  /// Files that live in memory, for tests and demonstrations; each call makes another set.
  public static func inMemory(_ files: [String: [UInt8]] = [:]) -> Self {
    let memory = FileMemory(files)
    return Self(
      read: { path, limit in
        guard let content = memory.files.withLock({ $0[path] }) else { throw FileError(path, .missing) }
        guard content.count <= limit else { throw FileError(path, .tooLong(limit: limit)) }
        return content
      },
      write: { path, content in memory.files.withLock { $0[path] = content } },
      move: { path, destination in
        let content = memory.files.withLock { $0.removeValue(forKey: path) }
        guard let content else { throw FileError(path, .missing) }
        memory.files.withLock { $0[destination] = content }
      },
      remove: { path in
        guard memory.files.withLock({ $0.removeValue(forKey: path) }) != nil else {
          throw FileError(path, .missing)
        }
      })
  }
}

private final class FileMemory: Sendable {
  let files: Mutex<[String: [UInt8]]>
  init(_ files: [String: [UInt8]]) { self.files = Mutex(files) }
}
