import Glibc
import Scripting
import Synchronization
import Threads

/// Writes whole pieces of bytes to a descriptor, on a thread of its own, since a terminal or a pipe may take
/// as long as it likes.
final class DescriptorWriter: Sendable {
  private struct Job: Sendable {
    var bytes: [UInt8]
    var done: @Sendable (SystemFailure?) -> Void
  }

  private let queue = JobQueue<Job>()

  /// Starts writing to a descriptor, which stays the caller's and open.
  init(_ descriptor: Int32) throws(SystemFailure) {
    let queue = self.queue
    try DedicatedThread.start {
      var isTorn = false
      while let jobs = queue.next() {
        for job in jobs { job.done(Self.write(job.bytes, to: descriptor, isTorn: &isTorn)) }
      }
    }
  }

  /// Starts appending to a file, which is made if it is missing and made anew if it was moved away.
  ///
  /// With `synchronized` each piece is on the disk before it counts as written. With a rotation the file makes room
  /// for a new one before it grows beyond its bound.
  init(
    appendingTo path: String, synchronized: Bool, rotation: FileRotation? = nil
  ) throws(SystemFailure) {
    let queue = self.queue
    let first = try AppendedFile(path: path)
    try DedicatedThread.start {
      var file = first
      while let jobs = queue.next() {
        for job in jobs {
          job.done(
            Self.append(job.bytes, to: &file, path: path, synchronized: synchronized, rotation: rotation))
        }
      }
      close(file.descriptor)
    }
  }

  deinit { queue.close() }

  /// Writes bytes that end in a newline, all of them or not; gives why not.
  ///
  /// A task that is cancelled waits no longer, `ECANCELED`; the bytes may be written all the same.
  func write(_ bytes: [UInt8]) async -> SystemFailure? {
    let answer = Answer()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        answer.await(continuation)
        let isOpen = queue.add { $0.append(Job(bytes: bytes) { answer.give($0) }) }
        if !isOpen { answer.give(SystemFailure(number: EBADF)) }
        if Task.isCancelled { answer.give(SystemFailure(number: ECANCELED)) }
      }
    } onCancel: {
      answer.give(SystemFailure(number: ECANCELED))
    }
  }

  /// What became of a piece: the first answer counts.
  private final class Answer: Sendable {
    private let continuation = Mutex<CheckedContinuation<SystemFailure?, Never>?>(nil)

    func await(_ continuation: CheckedContinuation<SystemFailure?, Never>) {
      self.continuation.withLock { $0 = continuation }
    }

    func give(_ failure: SystemFailure?) { continuation.withLock { $0.take() }?.resume(returning: failure) }
  }

  private static func append(
    _ bytes: [UInt8], to file: inout AppendedFile, path: String, synchronized: Bool, rotation: FileRotation?
  ) -> SystemFailure? {
    do throws(SystemFailure) {
      if let rotation, file.size > 0, file.size + bytes.count > rotation.maximumBytes, file.isStill(at: path)
      {
        try rotation.rotate(path)
      }
      if !file.isStill(at: path) {
        let new = try AppendedFile(path: path)
        close(file.descriptor)
        file = new
      }
    } catch {
      return error
    }
    file.cutRemains()
    if let failure = write(bytes, to: file.descriptor, isTorn: &file.isTorn) { return failure }
    return synchronized && fdatasync(file.descriptor) != 0 ? SystemFailure(number: errno) : nil
  }

  private static func write(
    _ bytes: [UInt8], to descriptor: Int32, isTorn: inout Bool
  ) -> SystemFailure? {
    // A line that was cut short is ended first, so that it spoils none but itself.
    let line = isTorn ? [UInt8(ascii: "\n")] + bytes : bytes
    var written = 0
    while written < line.count {
      let count = line[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 {
        written += count
        isTorn = line[written - 1] != UInt8(ascii: "\n")
      } else if count < 0 && errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
      } else if count < 0 && errno == EINTR {
        continue
      } else {
        return SystemFailure(number: count == 0 ? EIO : errno)
      }
    }
    return nil
  }
}

/// A file that is open for appending, owned by the thread that writes it.
private struct AppendedFile: Sendable {
  var descriptor: Int32
  /// Whether the file ends in the middle of a line.
  var isTorn = false
  /// Where the beginning of an alert stands that a crash cut off, and where the file ended then.
  private var remains: Range<Int>?

  init(path: String) throws(SystemFailure) {
    descriptor = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw SystemFailure(number: errno) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_size > 0 else { return }
    let line = Self.unfinishedLine(descriptor, end: Int(info.st_size))
    isTorn = !line.isEmpty
    // What is whole but for its newline may be somebody's work, and what isn't an alert surely is.
    guard line.starts(with: "{\"time\":".utf8),
      (try? Value(json: String(decoding: line, as: UTF8.self))) == nil
    else { return }
    remains = (Int(info.st_size) - line.count)..<Int(info.st_size)
  }

  /// The bytes behind the last newline, as far as an alert can be long.
  private static func unfinishedLine(_ descriptor: Int32, end: Int) -> [UInt8] {
    let start = max(0, end - (1 << 20))
    var bytes = [UInt8](repeating: 0, count: end - start)
    let count = pread(descriptor, &bytes, bytes.count, off_t(start))
    guard count == bytes.count else { return [] }
    return Array(bytes[((bytes.lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)...])
  }

  /// Takes away what a crash left of an alert, which is told again, unless somebody has written behind it.
  mutating func cutRemains() {
    guard let remains else { return }
    self.remains = nil
    if size == remains.upperBound, ftruncate(descriptor, off_t(remains.lowerBound)) == 0 { isTorn = false }
  }

  /// How many bytes it has.
  var size: Int {
    var info = stat()
    return fstat(descriptor, &info) == 0 ? Int(info.st_size) : 0
  }

  /// Whether the path still leads to this file.
  func isStill(at path: String) -> Bool {
    var held = stat()
    var named = stat()
    return fstat(descriptor, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino
      && held.st_dev == named.st_dev
  }
}
