import Glibc

/// An empty folder of a test's own, removed with everything in it when the test lets go of it.
final class StorageFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/pipeline-test-XXXXXX\0".utf8CString.dropLast())
    guard let made = mkdtemp(&template) else {
      preconditionFailure("no folder for a test can be made in /tmp")
    }
    path = String(cString: made)
  }

  deinit {
    for name in names() { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// The path of a file in the folder.
  func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names of the files in the folder, sorted.
  func names() -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// The content of a file in the folder, empty if there is none.
  func read(_ name: String) -> [UInt8] {
    let descriptor = open(file(name), O_RDONLY)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      guard count > 0 else { return content }
      content.append(contentsOf: chunk.prefix(count))
    }
  }

  /// Writes a file in the folder.
  func write(_ name: String, _ content: some Sequence<UInt8>) {
    let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    defer { close(descriptor) }
    let bytes = Array(content)
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      precondition(count > 0, "a test's file can't be written")
      written += count
    }
  }
}
