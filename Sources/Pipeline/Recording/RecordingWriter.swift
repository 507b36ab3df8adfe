import Glibc
import Threads

/// Appends the lines of a recording to a file, and begins a new one when it is full.
///
/// What is written in one call is whole in one file. Confined to one thread at a time, which waits for the disk.
package final class RecordingWriter {
  /// How long what was written may stay with the compressor, if more comes.
  static let flushInterval = Milliseconds.seconds(1)

  private let path: String
  private let maximumBytes: Int64?
  private var descriptor: Int32
  private var bytes: Int64 = 0
  private var deflater: GzipDeflater?
  private var lastFlush = Timestamp(milliseconds: .min)

  /// Opens a file, and makes it if it is missing.
  ///
  /// A plain file that ends in the middle of a line, as after a crash, gets an end of line first. A compressed one
  /// isn't continued, since nothing could be read behind a torn end: one that is there is put aside.
  ///
  /// - Parameters:
  ///   - maximumBytes: the size from which on the file is put aside under the time of the change, as in
  ///     `day.ndjson.20261130T042000Z` or `day.ndjson.20261130T042000Z.gz`, and a new one begun; nil for never.
  ///   - isCompressed: whether gzip data are written.
  /// - Throws: ``FileError`` when it can't be written.
  package init(
    path: String, maximumBytes: Int64? = nil, isCompressed: Bool = false, at time: Timestamp = .systemClock()
  ) throws(FileError) {
    self.path = path
    self.maximumBytes = maximumBytes
    descriptor = -1
    if isCompressed {
      deflater = GzipDeflater()
      guard deflater != nil else { throw FileError("can't write the recording \"\(path)\": no memory") }
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
        try rename(at: time)
      }
    }
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
    guard deflater == nil, status.st_mode & S_IFMT == S_IFREG, bytes > 0,
      pread(descriptor, &last, 1, off_t(bytes - 1)) == 1, last != UInt8(ascii: "\n")
    else { return }
    try put([UInt8(ascii: "\n")])
  }

  /// Appends lines.
  ///
  /// - Throws: ``FileError`` when they can't be written as a whole.
  package func write(_ lines: [UInt8], at time: Timestamp) throws(FileError) {
    guard deflater != nil else {
      if let maximumBytes, bytes > 0, bytes + Int64(lines.count) > maximumBytes { try putAside(at: time) }
      return try put(lines)
    }
    // How much the lines will take isn't known before.
    if let maximumBytes, bytes >= maximumBytes { try putAside(at: time) }
    let mustFlush = time >= lastFlush + Self.flushInterval || time < lastFlush
    if mustFlush { lastFlush = time }
    try deflate(lines, mustFlush ? .now : .none)
  }

  private func putAside(at time: Timestamp) throws(FileError) {
    if deflater != nil { try deflate([], .end) }
    try rename(at: time)
    close(descriptor)
    descriptor = -1
    try begin()
  }

  private func rename(at time: Timestamp) throws(FileError) {
    let stamp = time.rfc3339(fraction: false).filter { $0 != "-" && $0 != ":" }
    let ending = path.hasSuffix(".gz") ? ".gz" : ""
    let stem = path.dropLast(ending.count)
    var name = "\(stem).\(stamp)\(ending)"
    var number = 2
    while access(name, F_OK) == 0 {
      name = "\(stem).\(stamp)-\(number)\(ending)"
      number += 1
    }
    guard Glibc.rename(path, name) == 0 else { throw failure() }
  }

  private func deflate(_ lines: [UInt8], _ flush: GzipDeflater.Flush) throws(FileError) {
    if let deflated = deflater?.deflate(lines, flush) { try put(deflated) }
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

  /// Ends the recording and brings it to the disk.
  ///
  /// - Throws: ``FileError`` when that fails.
  package func finish() throws(FileError) {
    if deflater != nil { try deflate([], .end) }
    guard fsync(descriptor) != 0, errno != EINVAL, errno != EROFS else { return }
    throw failure()
  }

  private func failure() -> FileError {
    FileError("can't write the recording \"\(path)\": \(SystemFailure(number: errno).description)")
  }
}
