import CEvents
import Glibc
import Threads

/// Watches folders for files that were written or moved into place, through inotify(7).
///
/// Folders and not files: an editor that writes a new file and renames it leaves the old one's watch behind.
final class FileWatch {
  let descriptor: Int32
  private var folders: [Int32: String] = [:]

  /// Makes a watch of nothing yet.
  ///
  /// - Throws: ``FileError`` when the user has too many.
  init() throws(FileError) {
    descriptor = inotify_init1(O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileError("\(SystemFailure.last.description)") }
  }

  deinit { close(descriptor) }

  private static let events =
    UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE) | UInt32(IN_DELETE_SELF)
    | UInt32(IN_MOVE_SELF)

  /// Watches exactly these folders; gives those that can't be watched, with why.
  func watch(_ wanted: Set<String>) -> [(folder: String, failure: SystemFailure)] {
    for (number, folder) in folders where !wanted.contains(folder) {
      inotify_rm_watch(descriptor, number)
      folders[number] = nil
    }
    var failures: [(folder: String, failure: SystemFailure)] = []
    for folder in wanted.sorted() {
      let number = inotify_add_watch(descriptor, folder, Self.events)
      if number >= 0 { folders[number] = folder } else { failures.append((folder, .last)) }
    }
    return failures
  }

  /// Whether a file of a folder was written, or moved there, at a time or later; by the clock of its file system, which
  /// may be a little behind.
  static func hasChanges(in folder: String, since time: Timestamp, of counts: (String) -> Bool) -> Bool {
    TextFile.names(in: folder).contains { name in
      var status = stat()
      guard counts(name), stat("\(folder)/\(name)", &status) == 0 else { return false }
      let changed = Int64(status.st_ctim.tv_sec) * 1_000 + Int64(status.st_ctim.tv_nsec) / 1_000_000
      return changed + clockLag >= time.milliseconds
    }
  }

  /// Milliseconds by which times of files may be behind the clock.
  private static let clockLag: Int64 = 20

  /// What happened since the last call.
  struct News {
    /// The names of files that changed, in any of the folders.
    var names: Set<String> = []
    /// Whether a folder went away, or events were lost: anything may have changed.
    var isLost = false
  }

  /// Takes what happened.
  func read() -> News {
    var news = News()
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return news }
      buffer.withUnsafeBytes { take($0.prefix(count), into: &news) }
    }
  }

  private func take(_ bytes: Slice<UnsafeRawBufferPointer>, into news: inout News) {
    let bytes = UnsafeRawBufferPointer(rebasing: bytes)
    let header = MemoryLayout<inotify_event>.size
    var start = 0
    while start + header <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
      let name = bytes[(start + header)..<(start + header + Int(event.len))].prefix { $0 != 0 }
      if !name.isEmpty { news.names.insert(String(decoding: name, as: UTF8.self)) }
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { news.isLost = true }
      // What is no longer watched says so as well.
      if folders[event.wd] != nil, event.mask & UInt32(IN_IGNORED | IN_DELETE_SELF | IN_MOVE_SELF) != 0 {
        news.isLost = true
        if event.mask & UInt32(IN_IGNORED) != 0 { folders[event.wd] = nil }
      }
      start += header + Int(event.len)
    }
  }
}
