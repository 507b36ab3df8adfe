import Glibc
import Threads

/// When a file that grows makes room for a new one, and how many of the old ones are kept.
package struct FileRotation: Sendable, Hashable {
  /// The bytes beyond which no line is added, unless the file is empty.
  package var maximumBytes: Int
  /// How many old files are kept, as `path.1`, the latest, to `path.keep`.
  package var keep: Int

  /// Makes a rotation that keeps at least one old file.
  package init(maximumBytes: Int, keep: Int) {
    self.maximumBytes = maximumBytes
    self.keep = keep
  }

  /// Moves the file and its old ones one number up; the oldest is overwritten.
  ///
  /// Where a move fails, those before it have happened: nothing is lost, and the next attempt goes on.
  func rotate(_ path: String) throws(SystemFailure) {
    for number in stride(from: keep - 1, through: 0, by: -1) {
      let old = number == 0 ? path : "\(path).\(number)"
      guard rename(old, "\(path).\(number + 1)") != 0 else { continue }
      let failure = SystemFailure.last
      // There may be fewer old files than are kept.
      if failure.number != ENOENT || number == 0 { throw failure }
    }
  }
}
