import Glibc

/// The files that hold what follows a position: the one at a path, and those that were it before a rotation.
enum FileTrail {
  /// A file to read, with the place to begin at.
  struct Step: Hashable {
    var path: String
    var offset: Int64
  }

  private struct Candidate {
    var path: String
    var inode: UInt64
    var modified: (Int, Int)
  }

  private static let packed = [".gz", ".xz", ".zst", ".bz2", ".lz4", ".zip"]

  /// What to read to go on behind a position, in order; nil if the file that was read can't be found.
  static func behind(_ position: FilePosition, at path: String) -> [Step]? {
    let current = Step(path: path, offset: position.offset)
    if let file = try? OpenFile(path), position.fits(file.descriptor),
      position.inode == nil || position.inode == file.inode
    {
      return [current]
    }
    let rotated = candidates(beside: path)
    let fitting = rotated.filter { candidate in
      guard let file = try? OpenFile(candidate.path) else { return false }
      return position.fits(file.descriptor)
    }
    if let found = fitting.first(where: { $0.inode == position.inode }) ?? fitting.last {
      let later = rotated.filter { $0.modified > found.modified && $0.path != found.path }
      return [Step(path: found.path, offset: position.offset)]
        + later.map { Step(path: $0.path, offset: 0) } + [Step(path: path, offset: 0)]
    }
    // The same file in another place, as a copy of a disk is.
    if let file = try? OpenFile(path), position.fits(file.descriptor) { return [current] }
    return nil
  }

  /// The files whose names say that they were the one at the path, from the oldest on.
  private static func candidates(beside path: String) -> [Candidate] {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? "./"
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    var candidates: [Candidate] = []
    for other in TextFile.names(in: folder) {
      guard other.hasPrefix(name), let next = other.dropFirst(name.count).first, next == "." || next == "-",
        !packed.contains(where: other.hasSuffix)
      else { continue }
      var status = stat()
      guard stat(folder + other, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      candidates.append(
        Candidate(
          path: folder + other, inode: UInt64(status.st_ino),
          modified: (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)))
    }
    return candidates.sorted { $0.modified < $1.modified }
  }
}
