/// A place in a file of recorded messages that moves on line by line.
///
/// Time never goes back: a line whose time is before that of the one before it counts as of that one. Nothing is
/// allocated for a line of a recording.
package final class RecordingCursor {
  /// The file.
  package let file: RecordingFile
  private let sources: [[UInt8]]
  private var form: RecordingForm
  @exclusivity(unchecked) private var time: Int64
  @exclusivity(unchecked) private var lastSource = 0
  @exclusivity(unchecked) private var text: [UInt8] = []
  /// Holds a message that doesn't stand in the file as it is.
  private var kept = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 << 10, alignment: 16)
  /// Lines so far, faulty and unwanted ones included, blank ones not.
  @exclusivity(unchecked) package private(set) var lineCount = 0
  /// Lines of sources that are not known, by name; at most a hundred names.
  package private(set) var unknownSources: [String: Int] = [:]
  /// Lines that are none of the form, and messages that are too long.
  package private(set) var faultyCount = 0
  /// What the cursor stands at; nil before the first ``advance(_:)`` and at the end.
  @exclusivity(unchecked) package private(set) var entry: RecordedEntry?

  /// Makes a cursor before the first line.
  ///
  /// - Parameter sources: the names of the sources in the order of their numbers.
  package init(_ file: RecordingFile, form: RecordingForm, sources: [String]) {
    self.file = file
    self.form = form
    self.sources = sources.map { Array($0.utf8) }
    time =
      if case .messages(_, let start, let interval) = form {
        start.milliseconds - interval.count
      } else {
        .min
      }
  }

  deinit { kept.deallocate() }

  /// Moves on to the next entry, which stays valid until the next call.
  ///
  /// - Parameter fault: is told of lines that are skipped, by their number among those that aren't blank.
  /// - Throws: ``FileError`` when reading fails.
  package func advance(_ fault: (_ line: Int, RecordedLineFault) -> Void) throws(FileError) {
    entry = nil
    while let line = try file.next() {
      lineCount += 1
      do throws(RecordedLineFault) {
        switch line {
        case .tooLong(let count): throw RecordedLineFault("a line of \(count) bytes is too long")
        case .text(let bytes): entry = try read(bytes)
        }
      } catch {
        faultyCount += 1
        fault(lineCount, error)
      }
      if entry != nil { return }
    }
  }

  /// Ends the cursor before the end of its file.
  func finish() { entry = nil }

  private func read(_ bytes: UnsafeRawBufferPointer) throws(RecordedLineFault) -> RecordedEntry? {
    switch form {
    case .recording(let only): return try recorded(bytes, only: only)
    case .messages(let source, _, let interval):
      time = (Timestamp(milliseconds: time) + interval).milliseconds
      return RecordedEntry(time: time, source: source, content: .message(bytes))
    case .dump(let source, var reader):
      // The reader of a table goes on from line to line.
      defer { form = .dump(source: source, reader) }
      guard let (time, message) = try reader.read(bytes, keep: keep) else { return nil }
      self.time = max(self.time, time)
      return RecordedEntry(time: self.time, source: source, content: .message(message))
    }
  }

  private func recorded(
    _ bytes: UnsafeRawBufferPointer, only: Int?
  ) throws(RecordedLineFault) -> RecordedEntry? {
    let line = try RecordedLine(bytes)
    if let happening = line.ofScript {
      // The end of a run is told ahead of its time.
      if case .reply = happening { time = max(time, line.time) }
      return RecordedEntry(time: time, source: 0, content: .happening(happening))
    }
    time = max(time, line.time)
    guard let source = number(of: line.source) else {
      note(unknown: line.source)
      return nil
    }
    guard only == nil || only == source, let content = try content(of: line, source) else { return nil }
    return RecordedEntry(time: time, source: source, content: content, topic: line.topic)
  }

  private func content(
    of line: RecordedLine, _ source: Int
  ) throws(RecordedLineFault) -> RecordedEntry.Content? {
    let time = Timestamp(milliseconds: time)
    switch line.content {
    case .bytes(let bytes): return .message(bytes)
    case .escaped(let content):
      text.removeAll(keepingCapacity: true)
      guard JSONText.unescape(content, into: &text) else {
        throw RecordedLineFault("'text' has an escape that JSON doesn't know")
      }
      return .message(keep(text))
    case .event(let event): return .happening(.event(RecordedEvent(event: event, source: source, time: time)))
    case .gap(let gap): return .happening(.gap(gap, source: source, time: time))
    case .reply, .kill: return nil
    }
  }

  private func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
    if bytes.count > kept.count {
      kept.deallocate()
      kept = .allocate(byteCount: bytes.count * 2, alignment: 16)
    }
    kept.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(rebasing: kept[..<bytes.count])
  }

  private func number(of name: UnsafeRawBufferPointer) -> Int? {
    if lastSource < sources.count, name.elementsEqual(sources[lastSource]) { return lastSource }
    guard let source = sources.firstIndex(where: { name.elementsEqual($0) }) else { return nil }
    lastSource = source
    return source
  }

  private func note(unknown name: UnsafeRawBufferPointer) {
    let name = String(decoding: name.prefix(100), as: UTF8.self)
    if unknownSources[name] != nil || unknownSources.count < 100 { unknownSources[name, default: 0] += 1 }
  }
}
