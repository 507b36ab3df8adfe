internal import Glibc

/// What a process holds of the system.
package struct Footprint {
  package var descriptors: Int
  package var threads: Int
  package var residentBytes: Int

  /// Counts what a process holds now.
  package init(of process: Int32 = getpid()) {
    descriptors = Self.entries("/proc/\(process)/fd")
    threads = Self.entries("/proc/\(process)/task")
    var text = [UInt8](repeating: 0, count: 100)
    let file = open("/proc/\(process)/statm", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let count = read(file, &text, text.count)
    let words = String(decoding: text.prefix(max(count, 0)), as: UTF8.self).split(separator: " ")
    guard words.count > 1, let pages = Int(words[1]) else { preconditionFailure("no process \(process)") }
    residentBytes = pages * 4096
  }

  private static func entries(_ folder: String) -> Int {
    guard let handle = opendir(folder) else { preconditionFailure("can't read \(folder)") }
    defer { closedir(handle) }
    var count = 0
    while readdir(handle) != nil { count += 1 }
    return count
  }
}
