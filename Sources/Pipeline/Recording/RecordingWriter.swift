import Glibc
import Threads

/// Appends the lines of a recording to a file, and begins a new one when it is full.
///
/// What is written in one call is whole in one file. Confined to one thread at a time, which waits for the disk.
package final class RecordingWriter {
  private let path: String
  private let maximumBytes: Int64?
  private var descriptor: Int32
  private var bytes: Int64 = 0

  /// Opens a file, and makes it if it is missing; one that ends in the middle of a line, as after a crash, gets an
  /// end of line first.
  ///
  /// - Parameter maximumBytes: the size from which on the file is put aside under the time of the change, as in
  ///   `day.ndjson.20261130T042000Z`, and a new one begun; nil for never.
  /// - Throws: ``FileError`` when it can't be written.
  package init(path: String, maximumBytes: Int64? = nil) throws(FileError) {
    self.path = path
    self.maximumBytes = maximumBytes
    descriptor = -1
    try begin()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private func begin() throws(FileError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure() }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure() }
    bytes = Int64(status.st_size)
    var last: UInt8 = 0
    guard status.st_mode & S_IFMT == S_IFREG, bytes > 0, pread(descriptor, &last, 1, off_t(bytes - 1)) == 1,
      last != UInt8(ascii: "\n")
    else { return }
    try put([UInt8(ascii: "\n")])
  }

  /// Appends lines.
  ///
  /// - Throws: ``FileError`` when they can't be written as a whole.
  package func write(_ lines: [UInt8], at time: Timestamp) throws(FileError) {
    if let maximumBytes, bytes > 0, bytes + Int64(lines.count) > maximumBytes { try putAside(at: time) }
    try put(lines)
  }

  private func putAside(at time: Timestamp) throws(FileError) {
    let stamp = time.rfc3339(fraction: false).filter { $0 != "-" && $0 != ":" }
    var name = "\(path).\(stamp)"
    var number = 2
    while access(name, F_OK) == 0 {
      name = "\(path).\(stamp)-\(number)"
      number += 1
    }
    guard rename(path, name) == 0 else { throw failure() }
    close(descriptor)
    try begin()
  }

  private func put(_ lines: [UInt8]) throws(FileError) {
    var rest = lines[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure() }
      bytes += Int64(count)
      rest = rest.dropFirst(count)
    }
  }

  /// Brings what was written to the disk.
  ///
  /// - Throws: ``FileError`` when that fails.
  package func synchronize() throws(FileError) {
    guard fsync(descriptor) != 0, errno != EINVAL, errno != EROFS else { return }
    throw failure()
  }

  private func failure() -> FileError {
    FileError("can't write the recording \"\(path)\": \(SystemFailure(number: errno).description)")
  }
}
