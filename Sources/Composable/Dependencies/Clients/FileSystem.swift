/// Reads and writes whole files.
public struct FileSystem: Sendable {
  /// Reads a file of at most a number of bytes; throws ``FileError`` where there is none or it is longer.
  public var read: @Sendable (_ path: String, _ limit: Int) async throws -> [UInt8]
  /// Replaces a file as a whole: a reader sees the old content or the new one, also after a power cut.
  public var write: @Sendable (_ path: String, _ content: [UInt8]) async throws -> Void
  /// Gives a file another path, replacing what is there.
  public var move: @Sendable (_ path: String, _ destination: String) async throws -> Void
  /// Removes a file; throws where there is none.
  public var remove: @Sendable (_ path: String) async throws -> Void

  /// Makes a file system from its functions.
  public init(
    read: @escaping @Sendable (String, Int) async throws -> [UInt8],
    write: @escaping @Sendable (String, [UInt8]) async throws -> Void,
    move: @escaping @Sendable (String, String) async throws -> Void,
    remove: @escaping @Sendable (String) async throws -> Void
  ) {
    self.read = read
    self.write = write
    self.move = move
    self.remove = remove
  }
}

/// Why a file couldn't be used.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What failed.
  public enum Reason: Sendable, Hashable {
    /// There is no such file.
    case missing
    /// The file is longer than the given number of bytes.
    case tooLong(limit: Int)
    /// The system refused, with its error number (errno(3)) and its text.
    case system(number: Int32, text: String)
  }

  /// The path as it was given.
  public let path: String
  /// What failed.
  public let reason: Reason

  /// Makes an error.
  public init(_ path: String, _ reason: Reason) {
    self.path = path
    self.reason = reason
  }

  /// One sentence with the path.
  public var description: String {
    switch reason {
    case .missing: "\(path): there is no such file."
    case .tooLong(let limit): "\(path): the file is longer than \(limit) bytes."
    case .system(_, let text): "\(path): \(text)."
    }
  }
}

extension FileSystem {
  /// The same files, used on a thread, so that their calls block no other.
  public func on(_ thread: WorkerThread) -> Self {
    let (read, write, move, remove) = (read, write, move, remove)
    return Self(
      read: { path, limit in
        try await withTaskExecutorPreference(thread) { try await read(path, limit) }
      },
      write: { path, content in
        try await withTaskExecutorPreference(thread) { try await write(path, content) }
      },
      move: { path, destination in
        try await withTaskExecutorPreference(thread) { try await move(path, destination) }
      },
      remove: { path in try await withTaskExecutorPreference(thread) { try await remove(path) } })
  }
}

extension FileSystem: DependencyKey {
  /// What failure texts call it.
  public static let name = "files"
  /// The files of this machine, used on a thread of their own.
  public static let live = Self.system.on(WorkerThread())
  /// Reports each use.
  public static var test: Self {
    Self(
      read: unimplementedFunction("files.read"), write: unimplementedFunction("files.write"),
      move: unimplementedFunction("files.move"), remove: unimplementedFunction("files.remove"))
  }
  /// An empty file system in memory.
  public static var preview: Self { .inMemory() }
}

extension Dependencies {
  /// Reads and writes whole files.
  public var files: FileSystem {
    get { self[FileSystem.self] }
    set { self[FileSystem.self] = newValue }
  }
}
