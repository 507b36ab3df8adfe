import Glibc

/// Writes whole pieces of bytes to a descriptor, on a thread of its own, since a terminal or a pipe may take
/// as long as it likes.
final class DescriptorWriter: Sendable {
  private struct Job: Sendable {
    var bytes: [UInt8]
    var done: @Sendable (SystemFailure?) -> Void
  }

  private let queue = JobQueue<Job>()

  /// Starts writing to a descriptor.
  ///
  /// With `owned` the descriptor is closed at the end, with `synchronized` each piece is on the disk before it
  /// counts as written, and with `torn` what is there already ends in the middle of a line.
  init(
    _ descriptor: Int32, owned: Bool, synchronized: Bool = false, torn: Bool = false
  ) throws(SystemFailure) {
    let queue = self.queue
    try DedicatedThread.start {
      var isTorn = torn
      while let jobs = queue.next() {
        for job in jobs {
          let failure = Self.write(job.bytes, to: descriptor, isTorn: &isTorn)
          if failure == nil, synchronized, fdatasync(descriptor) != 0 {
            job.done(SystemFailure(number: errno))
          } else {
            job.done(failure)
          }
        }
      }
      if owned { close(descriptor) }
    }
  }

  deinit { queue.close() }

  /// Writes bytes that end in a newline, all of them or not; gives why not.
  func write(_ bytes: [UInt8]) async -> SystemFailure? {
    await withCheckedContinuation { continuation in
      let isOpen = queue.add { $0.append(Job(bytes: bytes) { continuation.resume(returning: $0) }) }
      if !isOpen { continuation.resume(returning: SystemFailure(number: EBADF)) }
    }
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
