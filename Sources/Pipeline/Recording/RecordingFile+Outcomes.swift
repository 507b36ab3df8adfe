extension RecordingFile {
  /// What the lines of scripts in the whole file tell; nil for plain messages and for what can be read but once, such
  /// as a pipe.
  ///
  /// - Throws: ``FileError`` when reading fails.
  package func outcomes() throws(FileError) -> RecordedOutcomes? {
    guard isRecording, canReadTwice else { return nil }
    var outcomes = RecordedOutcomes()
    var splitter = LineSplitter(maximumBytes: Self.maximumLineBytes)
    func take(_ line: LineSplitter.Line) {
      guard case .text(let bytes) = line, Self.mayBeOfScript(bytes) else { return }
      // A faulty line is told when it is played.
      guard let happening = (try? RecordedLine(bytes))?.ofScript else { return }
      outcomes.add(happening)
    }
    try forEachPiece { splitter.split($0, take) }
    splitter.finish(take)
    return outcomes
  }

  /// Whether a line holds the name of the member that lines of scripts have; looks at every eighth byte or so.
  private static func mayBeOfScript(_ line: UnsafeRawBufferPointer) -> Bool {
    var end = scriptMember.count - 1
    while end < line.count {
      let step = steps[Int(line[end])]
      if step == 0 {
        let start = end - (scriptMember.count - 1)
        if line[start...end].elementsEqual(scriptMember) { return true }
      }
      end += max(step, 1)
    }
    return false
  }

  private static let scriptMember = Array("\"script\"".utf8)

  /// How far the next place is that may be the end of the name, by the byte at hand (after Horspool).
  private static let steps: [Int] = {
    var steps = [Int](repeating: scriptMember.count, count: 256)
    for (index, byte) in scriptMember.enumerated() { steps[Int(byte)] = scriptMember.count - 1 - index }
    return steps
  }()
}
