import Glibc
import Scripting

/// A place in a file of recorded messages that moves on line by line.
///
/// Time never goes back: a line whose time is before that of the one before it counts as of that one. Nothing is
/// allocated for a line of a recording.
package final class RecordingCursor {
  /// The file.
  package let file: RecordingFile
  private let sources: [[UInt8]]
  private var form: RecordingForm
  /// The source and the distance in time of plain messages.
  private let plain: (source: Int, interval: Milliseconds)?
  @exclusivity(unchecked) private var time: Int64
  @exclusivity(unchecked) private var lastSource = 0
  @exclusivity(unchecked) private var text: [UInt8] = []
  /// Hold a message and a topic that don't stand in the file as they are.
  private var kept = UnsafeMutableRawBufferPointer.allocate(byteCount: 4 << 10, alignment: 16)
  private var keptTopic = UnsafeMutableRawBufferPointer.allocate(byteCount: 128, alignment: 16)
  /// Lines so far, faulty and unwanted ones included, blank ones not.
  @exclusivity(unchecked) package private(set) var lineCount = 0
  /// Lines of sources that are not known, by name; at most a hundred names.
  package private(set) var unknownSources: [String: Int] = [:]
  /// Lines that are none of the form, and messages that are too long.
  package private(set) var faultyCount = 0
  /// What the cursor stands at; nil before the first ``advance(_:)`` and at the end.
  @exclusivity(unchecked) package private(set) var entry: RecordedEntry?
  /// What happened where the cursor stands, if that is no message.
  private(set) var happening: RecordedHappening?

  /// Makes a cursor before the first line.
  ///
  /// - Parameter sources: the names of the sources in the order of their numbers.
  package init(_ file: RecordingFile, form: RecordingForm, sources: [String]) {
    self.file = file
    self.form = form
    self.sources = sources.map { Array($0.utf8) }
    if case .messages(let source, let start, let interval) = form {
      plain = (source, interval)
      time = start.milliseconds - interval.count
    } else {
      plain = nil
      time = .min
    }
  }

  deinit {
    kept.deallocate()
    keptTopic.deallocate()
  }

  /// Moves on to the next entry, which stays valid until the next call.
  ///
  /// - Parameter fault: is told of lines that are skipped, by their number among those that aren't blank.
  /// - Throws: ``FileError`` when reading fails.
  @inline(__always)
  package func advance(_ fault: (_ line: Int, RecordedLineFault) -> Void) throws(FileError) {
    if let plain, let bytes = file.nextPlain() {
      lineCount += 1
      time = (Timestamp(milliseconds: time) + plain.interval).milliseconds
      entry = RecordedEntry(time: time, source: plain.source, message: bytes)
      return
    }
    try advanceFully(fault)
  }

  /// Whether ``gather(into:through:room:)`` may find any.
  @inline(__always)
  func mayGather(through last: Int64) -> Bool {
    guard let plain else { return false }
    let (next, overflow) = time.addingReportingOverflow(plain.interval.count)
    return !overflow && next <= last
  }

  /// Copies plain messages behind the one where the cursor stands into a batch; returns their number.
  ///
  /// - Parameters:
  ///   - last: none of a later time is taken.
  ///   - room: none is taken that would make the batch larger than so many bytes.
  func gather(into batch: MessageBatch, through last: Int64, room: Int) -> Int {
    guard let plain else { return 0 }
    let count = file.gatherPlain(
      into: batch, after: time, step: plain.interval.count, through: last, room: room)
    lineCount += count
    time += Int64(count) * plain.interval.count
    return count
  }

  private func advanceFully(_ fault: (_ line: Int, RecordedLineFault) -> Void) throws(FileError) {
    entry = nil
    if happening != nil { happening = nil }
    while let line = try nextLine() {
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

  private func nextLine() throws(FileError) -> LineSplitter.Line? {
    if let bytes = file.nextPlain() { return .text(bytes) }
    return try file.next()
  }

  /// Ends the cursor before the end of its file.
  func finish() {
    entry = nil
    happening = nil
  }

  private func read(_ bytes: UnsafeRawBufferPointer) throws(RecordedLineFault) -> RecordedEntry? {
    switch form {
    case .recording(let only): return try recorded(bytes, only: only)
    case .messages(let source, _, let interval):
      time = (Timestamp(milliseconds: time) + interval).milliseconds
      return RecordedEntry(time: time, source: source, message: bytes)
    case .dump(let source, var reader):
      // The reader of a table goes on from line to line.
      defer { form = .dump(source: source, reader) }
      guard let (time, message) = try reader.read(bytes, keep: keep) else { return nil }
      self.time = max(self.time, time)
      return RecordedEntry(time: self.time, source: source, message: message)
    }
  }

  private func recorded(
    _ bytes: UnsafeRawBufferPointer, only: Int?
  ) throws(RecordedLineFault) -> RecordedEntry? {
    let line = try RecordedLine(bytes)
    if let happening = line.ofScript {
      // The end of a run is told ahead of its time.
      switch happening {
      case .reply, .version: time = max(time, line.time)
      default: break
      }
      self.happening = happening
      return RecordedEntry(time: time, source: 0)
    }
    time = max(time, line.time)
    guard let source = number(of: line.source) else {
      note(unknown: line.source)
      return nil
    }
    guard only == nil || only == source else { return nil }
    var entry = RecordedEntry(time: time, source: source)
    if !line.rawTopic.isEmpty { entry.topic = try topic(of: line) }
    switch line.content {
    case .bytes(let bytes): entry.message = bytes
    case .escaped(let content): entry.message = try unescaped(content)
    case .event(let event):
      happening = .event(
        RecordedEvent(event: event, source: source, time: Timestamp(milliseconds: time)))
    case .gap(let gap): happening = .gap(gap, source: source, time: Timestamp(milliseconds: time))
    case .reply, .kill, .history, .version: return nil
    }
    return entry
  }

  private func unescaped(
    _ content: UnsafeRawBufferPointer
  ) throws(RecordedLineFault) -> UnsafeRawBufferPointer {
    text.removeAll(keepingCapacity: true)
    guard JSONText.unescape(content, into: &text) else {
      throw RecordedLineFault("'text' has an escape that JSON doesn't know")
    }
    return keep(text)
  }

  private func topic(of line: RecordedLine) throws(RecordedLineFault) -> UnsafeRawBufferPointer {
    if line.rawTopic.allSatisfy({ $0 < 0x80 && $0 != UInt8(ascii: "\\") }) { return line.rawTopic }
    let topic = Array(try line.topic().utf8)
    return Self.keep(topic, in: &keptTopic)
  }

  private func keep(_ bytes: [UInt8]) -> UnsafeRawBufferPointer { Self.keep(bytes, in: &kept) }

  private static func keep(
    _ bytes: [UInt8], in kept: inout UnsafeMutableRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    if bytes.count > kept.count {
      kept.deallocate()
      kept = .allocate(byteCount: bytes.count * 2, alignment: 16)
    }
    kept.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(rebasing: kept[..<bytes.count])
  }

  private func number(of name: UnsafeRawBufferPointer) -> Int? {
    if lastSource < sources.count, Self.equal(name, sources[lastSource]) { return lastSource }
    guard let source = sources.firstIndex(where: { Self.equal(name, $0) }) else { return nil }
    lastSource = source
    return source
  }

  private static func equal(_ name: UnsafeRawBufferPointer, _ other: [UInt8]) -> Bool {
    other.withUnsafeBytes { other in
      guard let base = name.baseAddress, let otherBase = other.baseAddress else {
        return name.count == other.count
      }
      return name.count == other.count && memcmp(base, otherBase, name.count) == 0
    }
  }

  private func note(unknown name: UnsafeRawBufferPointer) {
    let name = String(decoding: name.prefix(100), as: UTF8.self)
    if unknownSources[name] != nil || unknownSources.count < 100 { unknownSources[name, default: 0] += 1 }
  }
}
