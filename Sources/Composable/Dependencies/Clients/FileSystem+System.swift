internal import Glibc

extension FileSystem {
  /// The files of this machine. Its calls block the thread they run on, so use them on
  /// one of their own: ``on(_:)``.
  public static var system: Self {
    Self(
      read: { try readFile($0, limit: $1) }, write: { try replaceFile($0, with: $1) },
      move: { path, destination in
        guard rename(path, destination) == 0 else { throw systemError(path) }
      },
      remove: { path in
        guard unlink(path) == 0 else { throw systemError(path) }
      })
  }
}

/// The error of the last system call.
private func systemError(_ path: String) -> FileError {
  let number = errno
  return FileError(
    path, number == ENOENT ? .missing : .system(number: number, text: String(cString: strerror(number))))
}

private func readFile(_ path: String, limit: Int) throws -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC)
  guard file >= 0 else { throw systemError(path) }
  defer { close(file) }
  var content: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = Glibc.read(file, &buffer, buffer.count)
    if count < 0 {
      if errno == EINTR { continue }
      throw systemError(path)
    }
    if count == 0 { return content }
    guard content.count + count <= limit else { throw FileError(path, .tooLong(limit: limit)) }
    content += buffer[..<count]
  }
}

/// Writes beside the file, brings it to the disk, then takes the file's place (rename(2)).
private func replaceFile(_ path: String, with content: [UInt8]) throws {
  // mkstemp(3) puts characters of its own in the place of the last six.
  var temporary = Array("\(path).XXXXXX".utf8CString)
  let file = mkstemp(&temporary)
  guard file >= 0 else { throw systemError(path) }
  do {
    defer { close(file) }
    guard fcntl(file, F_SETFD, FD_CLOEXEC) == 0 else { throw systemError(path) }
    try writeAll(content, to: file, path)
    guard fsync(file) == 0 else { throw systemError(path) }
    guard rename(temporary, path) == 0 else { throw systemError(path) }
  } catch {
    unlink(temporary)
    throw error
  }
  try syncFolder(of: path)
}

private func writeAll(_ content: [UInt8], to file: Int32, _ path: String) throws {
  var rest = content[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    if count < 0 {
      if errno == EINTR { continue }
      throw systemError(path)
    }
    rest = rest.dropFirst(count)
  }
}

/// Brings the name of a file to the disk, too.
private func syncFolder(of path: String) throws {
  let end = path.lastIndex(of: "/")
  let folder = end.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
  let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard file >= 0 else { throw systemError(folder) }
  defer { close(file) }
  guard fsync(file) == 0 else { throw systemError(folder) }
}
