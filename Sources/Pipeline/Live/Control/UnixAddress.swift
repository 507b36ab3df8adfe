import Glibc
import Threads

/// A path as the address of a Unix domain socket, of which the kernel takes few bytes.
///
/// A longer path is reached through its folder's descriptor, as `/proc/self/fd/7/name`, so it is open as long as the
/// address is.
struct UnixAddress: ~Copyable {
  private let raw: sockaddr_un
  private let folder: Int32

  /// Makes the address of a path.
  ///
  /// - Throws: ``FileError`` for a folder that can't be opened, or a file name that is too long by itself.
  init(path: String) throws(FileError) {
    var (text, folder) = (path, Int32(-1))
    if path.utf8.count >= Self.capacity {
      let slash = path.lastIndex(of: "/")
      let parent = slash.map { String(path[..<$0]) } ?? "."
      folder = open(parent.isEmpty ? "/" : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0 else {
        throw FileError("can't open the folder \"\(parent)\": \(SystemFailure.last.description)")
      }
      text = "/proc/self/fd/\(folder)/" + (slash.map { String(path[path.index(after: $0)...]) } ?? path)
      guard text.utf8.count < Self.capacity else {
        close(folder)
        throw FileError(
          "the name of the socket \"\(path)\" is too long; use a shorter name for the storage file")
      }
    }
    var raw = sockaddr_un()
    raw.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &raw.sun_path) { $0.copyBytes(from: text.utf8) }
    self.raw = raw
    self.folder = folder
  }

  deinit { if folder >= 0 { close(folder) } }

  /// The bytes of a path with the zero at its end.
  private static var capacity: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) }

  /// Calls connect(2) or bind(2) with the address.
  func with(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    withUnsafePointer(to: raw) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// A new socket that waits for nobody; -1 if there can be none.
  static func makeSocket(waits: Bool) -> Int32 {
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    return socket(AF_UNIX, waits ? flags : flags | Int32(SOCK_NONBLOCK.rawValue), 0)
  }
}
