import Glibc

extension RecordingFile {
  /// What the lines of scripts in a whole file tell: nothing in one of plain messages; nil for what can be read but
  /// once, such as a pipe.
  ///
  /// - Throws: ``FileError`` when reading fails.
  package static func outcomes(of path: String) throws(FileError) -> RecordedOutcomes? {
    guard isFile(path) else { return nil }
    let file = try RecordingFile(path: path)
    guard try file.isRecording else { return RecordedOutcomes() }
    var outcomes = RecordedOutcomes()
    do throws(FileError) {
      while let line = try file.next() {
        guard case .text(let bytes) = line, mayBeOfScript(bytes) else { continue }
        // A faulty line is told when it is played.
        guard let happening = (try? RecordedLine(bytes))?.ofScript else { continue }
        outcomes.add(happening)
      }
    } catch {
      // A file that is cut off is played up to there, and says so then.
      return outcomes
    }
    return outcomes
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether a line holds the name of the member that lines of scripts have; looks at every eighth byte or so.
  private static func mayBeOfScript(_ line: UnsafeRawBufferPointer) -> Bool {
    let count = scriptMember.count
    return scriptMember.withUnsafeBytes { member in
      steps.withUnsafeBufferPointer { steps in
        guard let base = line.baseAddress, let memberBase = member.baseAddress else { return false }
        var end = count - 1
        while end < line.count {
          let step = steps[Int(line[end])]
          // A quotation mark ends most names: the one before decides.
          if step == 0, line[end &- 1] == member[count - 2],
            memcmp(base + end - (count - 1), memberBase, count) == 0
          {
            return true
          }
          end &+= max(step, 1)
        }
        return false
      }
    }
  }

  private static let scriptMember = Array("\"script\"".utf8)

  /// How far the next place is that may be the end of the name, by the byte at hand (after Horspool).
  private static let steps: [Int] = {
    var steps = [Int](repeating: scriptMember.count, count: 256)
    for (index, byte) in scriptMember.enumerated() { steps[Int(byte)] = scriptMember.count - 1 - index }
    return steps
  }()
}
