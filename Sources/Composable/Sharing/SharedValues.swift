internal import Synchronization

/// Gives out shared values by their names, so that whoever asks for the same one gets the same one.
///
///     let settings = await dependencies.shared.file("settings.json", as: .json, default: Settings())
///     let session = dependencies.shared.inMemory("session", default: "none")
///
/// A program makes one of these, or uses the one of the live dependencies, and calls ``flush()`` before it
/// ends.
public final class SharedValues: Sendable {
  private enum Key: Hashable { case memory(String), file(String) }

  private struct Registry {
    var references: [Key: any TrackedReference] = [:]
    var files: [any FlushableFile] = []
  }

  private let registry = Mutex(Registry())
  private let files: FileSystem
  private let clock: any Clock<Duration>
  private let issues: IssueReporter

  /// Makes an empty set of values.
  ///
  /// - Parameters:
  ///   - files: Where persisted values are kept.
  ///   - clock: What the delay of writes is measured on.
  ///   - issues: Takes reports of files that can't be read or written.
  public init(
    files: FileSystem = .live, clock: any Clock<Duration> = ContinuousClock(),
    issues: IssueReporter = .ambient
  ) {
    self.files = files
    self.clock = clock
    self.issues = issues
  }

  /// The value of a name; it lives as long as this set.
  ///
  /// - Parameters:
  ///   - name: The name, of one type of value.
  ///   - initial: The value to begin with, where nobody asked for the name before.
  public func inMemory<Value: Sendable & Equatable>(
    _ name: String, default initial: @autoclosure () -> Value
  ) -> Shared<Value> {
    if let known: Shared<Value> = known(.memory(name)) { return known }
    return register(SharedReference(initial(), name: name), as: .memory(name)).value
  }

  /// The value kept in a file.
  ///
  /// A missing file means the default. A file that can't be read is given another name beside it, never
  /// overwritten, and reported. After a change the file is replaced as a whole, within the delay; changes in
  /// between are written together. A write that fails is reported, and tried again after the next change
  /// and by ``flush()``.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - format: How the value is written and read.
  ///   - initial: The value where there is no file.
  ///   - delay: How long a change may wait before it is written, at most.
  ///   - limit: The longest file to read, in bytes.
  public nonisolated(nonsending) func file<Value: Sendable & Equatable>(
    _ path: String, as format: SharedFormat<Value>, default initial: @autoclosure () -> Value,
    delay: Duration = .seconds(1), limit: Int = 64 << 20
  ) async -> Shared<Value> {
    if let known: Shared<Value> = known(.file(path)) { return known }
    let (value, isWritable) = await load(path, format, limit)
    let reference = SharedReference(value ?? initial(), name: path)
    // Somebody else may have read the same file meanwhile.
    let (shared, isNew) = register(reference, as: .file(path))
    if isNew, isWritable {
      let file = SharedFile(
        path, delay: delay, files: files, clock: clock, issues: issues,
        content: { [weak reference] in try (reference?.current).map(format.encode) })
      registry.withLock { $0.files.append(file) }
      // A pending write keeps the value; nothing else does, so that the two don't keep each other for ever.
      reference.whenChanged { [weak reference] in file.noteChange(of: reference) }
    }
    return shared
  }

  /// Writes all changes now, and returns when they are written or reported as failed.
  public func flush() async {
    for file in registry.withLock({ $0.files }) { await file.flush() }
  }

  // MARK: - Registry

  private func known<Value>(_ key: Key) -> Shared<Value>? {
    guard let reference = registry.withLock({ $0.references[key] }) else { return nil }
    guard let reference = reference as? SharedReference<Value> else {
      preconditionFailure(
        "The shared value \(reference.name) is asked for as \(Value.self), but is of another type; use one "
          + "type for a name.")
    }
    return Shared(reference)
  }

  private func register<Value>(
    _ reference: SharedReference<Value>, as key: Key
  ) -> (value: Shared<Value>, isNew: Bool) {
    let isNew = registry.withLock { registry in
      guard registry.references[key] == nil else { return false }
      registry.references[key] = reference
      return true
    }
    return (known(key) ?? Shared(reference), isNew)
  }

  // MARK: - Reading

  /// The value of a file, nil where there is none, and whether the file may be written.
  private func load<Value>(
    _ path: String, _ format: SharedFormat<Value>, _ limit: Int
  ) async -> (value: Value?, isWritable: Bool) {
    do {
      return (try format.decode(try await files.read(path, limit)), true)
    } catch let error as FileError where error.reason == .missing {
      return (nil, true)
    } catch {
      return (nil, await keepAside(path, because: error))
    }
  }

  /// Gives an unreadable file another name; false where it must stay, so that it must not be written.
  private func keepAside(_ path: String, because reason: any Error) async -> Bool {
    do {
      let other = try await freePath(beside: path)
      try await files.move(path, other)
      issues.report(
        Issue(
          "The shared value in \(path) can't be read (\(reason)), so the default is used; the file is kept "
            + "as \(other)."))
      return true
    } catch {
      issues.report(
        Issue(
          "The shared value in \(path) can't be read (\(reason)) and the file can't be kept aside "
            + "(\(error)), so the default is used and no change will be written. Move the file away."))
      return false
    }
  }

  private func freePath(beside path: String) async throws -> String {
    for number in 1... {
      let candidate = number == 1 ? "\(path).unreadable" : "\(path).unreadable.\(number)"
      do {
        _ = try await files.read(candidate, 0)
      } catch let error as FileError {
        switch error.reason {
        case .missing: return candidate
        case .tooLong: continue
        case .system: throw error
        }
      }
    }
    preconditionFailure("A list of all numbers has no end.")
  }
}

extension SharedValues: DependencyKey {
  /// What failure texts call it.
  public static let name = "shared"
  /// The values of this program, kept in the files of this machine.
  public static let live = SharedValues()
  /// Reports its use; what it gives out is shared by nobody.
  public static var test: SharedValues {
    reportUnimplemented(name)
    return SharedValues(files: .inMemory())
  }
  /// The values of this demonstration, kept in memory.
  public static let preview = SharedValues(files: .inMemory())
}

extension Dependencies {
  /// Gives out shared values by their names.
  public var shared: SharedValues {
    get { self[SharedValues.self] }
    set { self[SharedValues.self] = newValue }
  }
}
