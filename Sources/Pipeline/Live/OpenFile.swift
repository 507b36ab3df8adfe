import Glibc
import Threads

/// A regular file that is read from some place on, and which place that is.
final class OpenFile {
  let descriptor: Int32
  let device: UInt64
  let inode: UInt64
  private(set) var offset: Int64 = 0
  private var fingerprint: (value: UInt64, bytes: Int64)?

  /// Opens a file for reading.
  ///
  /// - Throws: ``SystemFailure``.
  init(_ path: String) throws(SystemFailure) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .last }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let failure = SystemFailure.last
      close(descriptor)
      throw failure
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw SystemFailure(number: status.st_mode & S_IFMT == S_IFDIR ? EISDIR : ESPIPE)
    }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  deinit { close(descriptor) }

  /// Goes to a place; false beyond what a file can have.
  func seek(to offset: Int64) -> Bool {
    guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { return false }
    self.offset = offset
    return true
  }

  /// Goes behind the last byte.
  func seekToEnd() { offset = max(Int64(lseek(descriptor, 0, SEEK_END)), 0) }

  /// Reads what fits the buffer; zero at the end of what there is.
  ///
  /// - Throws: ``SystemFailure``.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SystemFailure) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .last }
      offset += Int64(count)
      return count
    }
  }

  /// Whether the file has become shorter than what was read of it.
  var isTruncated: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && Int64(status.st_size) < offset
  }

  /// Whether a path leads to another file than this one; nil where it leads to none.
  func isReplaced(at path: String) -> Bool? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return UInt64(status.st_ino) != inode || UInt64(status.st_dev) != device
  }

  /// The position so many bytes before what was read.
  func position(before bytes: Int = 0) -> FilePosition {
    let end = offset - Int64(bytes)
    let head = min(end, Int64(FilePosition.headBytes))
    if fingerprint?.bytes != head {
      fingerprint = (FilePosition.fingerprint(of: descriptor, upTo: end), head)
    }
    return FilePosition(offset: end, inode: inode, fingerprint: fingerprint?.value)
  }
}
