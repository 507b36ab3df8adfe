import Glibc

/// Where a file was read to, in a form that tells the file itself again after it was renamed or rewritten.
///
/// As a text it is `OFFSET:INODE:FINGERPRINT`; a bare offset, as earlier versions stored it, fits any file.
struct FilePosition: Hashable, CustomStringConvertible {
  /// The bytes at the start of a file that tell it from others.
  static let headBytes = 1_024

  var offset: Int64
  var inode: UInt64?
  /// A hash of the file's first bytes, as many as were read and at most ``headBytes``.
  var fingerprint: UInt64?

  init(offset: Int64, inode: UInt64? = nil, fingerprint: UInt64? = nil) {
    self.offset = offset
    self.inode = inode
    self.fingerprint = fingerprint
  }

  /// Reads a stored position; nil for a text that is none.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard let offset = Int64(parts[0]), offset >= 0 else { return nil }
    if parts.count == 1 {
      self.init(offset: offset)
    } else if parts.count == 3, let inode = UInt64(parts[1]), let print = UInt64(parts[2], radix: 16) {
      self.init(offset: offset, inode: inode, fingerprint: print)
    } else {
      return nil
    }
  }

  var description: String {
    guard let inode, let fingerprint else { return "\(offset)" }
    return "\(offset):\(inode):\(String(fingerprint, radix: 16))"
  }

  /// Whether an open file still begins as the one that was read, and goes as far.
  func fits(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= off_t(offset) else { return false }
    guard let fingerprint else { return true }
    return Self.fingerprint(of: descriptor, upTo: offset) == fingerprint
  }

  /// The hash of an open file's first bytes, up to an offset (FNV-1a).
  static func fingerprint(of descriptor: Int32, upTo offset: Int64) -> UInt64 {
    var head = [UInt8](repeating: 0, count: Int(min(offset, Int64(headBytes))))
    var count = 0
    while count < head.count {
      let read = head.withUnsafeMutableBytes {
        pread(descriptor, $0.baseAddress.map { $0 + count }, $0.count - count, off_t(count))
      }
      if read < 0, errno == EINTR { continue }
      guard read > 0 else { break }
      count += read
    }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in head[..<count] { hash = (hash ^ UInt64(byte)) &* 0x0100_0000_01b3 }
    return hash
  }
}
