package import Scripting

/// Gathers the lines of a recording into batches of one source each, in the order of the file.
///
/// Time never goes back: a line whose time is before that of the one before it counts as of that one. Nothing is
/// allocated for a line.
package struct RecordingBatches {
  /// What lines are.
  package enum Form: Sendable, Hashable {
    /// Lines with time and source; see ``RecordedLine``.
    case recording
    /// Plain messages, which get a source and times at even distances.
    case messages(source: Int, interval: Milliseconds)
  }

  /// The most bytes of a batch, unless a single message is larger.
  package static let batchBytes = 256 << 10
  /// When the first of plain messages was received if nobody says: 2026-01-01, 00:00 UTC.
  package static let firstTime = Timestamp(milliseconds: 1_767_225_600_000)

  private let form: Form
  private let sources: [[UInt8]]
  /// The only source whose messages are wanted, nil for all.
  private let only: Int?
  private let batch = MessageBatch()
  private var source = 0
  private var time: Int64
  private var text: [UInt8] = []
  /// Lines so far, faulty and unwanted ones included.
  package private(set) var lineCount = 0
  /// Messages handed on.
  package private(set) var messageCount = 0
  /// Lines of sources that are not known, by name; at most a hundred names.
  package private(set) var unknownSources: [String: Int] = [:]
  /// Lines that are none of a recording, and messages that are too long.
  package private(set) var faultyCount = 0

  /// Makes an empty gathering.
  ///
  /// - Parameters:
  ///   - sources: the names of the sources in the order of their numbers.
  ///   - only: the number of the source whose lines of a recording count, nil for all.
  ///   - start: the time of the first of plain messages.
  package init(
    form: Form, sources: [String], only: Int? = nil, start: Timestamp = RecordingBatches.firstTime
  ) {
    self.form = form
    self.sources = sources.map { Array($0.utf8) }
    self.only = only
    time =
      if case .messages(_, let interval) = form { start.milliseconds - interval.count } else { .min }
  }

  /// Takes the next line. A batch that is full, or that an event follows, is handed on first, to be used up
  /// before the call returns.
  ///
  /// - Throws: ``RecordedLineFault``; the line is skipped and counted.
  package mutating func add(
    _ line: LineSplitter.Line, _ deliver: (MessageBatch, _ source: Int) -> Void,
    tell: (RecordedHappening) -> Void = { _ in }
  ) throws(RecordedLineFault) {
    lineCount += 1
    guard case .text(let bytes) = line else {
      faultyCount += 1
      guard case .tooLong(let count) = line else { return }
      throw RecordedLineFault("a line of \(count) bytes is too long")
    }
    switch form {
    case .messages(let source, let interval):
      time = (Timestamp(milliseconds: time) + interval).milliseconds
      append(bytes, of: source, deliver)
    case .recording:
      let line: RecordedLine
      do throws(RecordedLineFault) {
        line = try RecordedLine(bytes)
      } catch {
        faultyCount += 1
        throw error
      }
      if let happening = line.ofScript {
        // The end of a run is told ahead of its time.
        if case .reply = happening { time = max(time, line.time) }
        finish(deliver)
        return tell(happening)
      }
      time = max(time, line.time)
      guard let source = number(of: line.source) else { return note(unknown: line.source) }
      guard only == nil || only == source else { return }
      switch line.content {
      case .bytes(let bytes): append(bytes, of: source, deliver)
      case .event(let event):
        finish(deliver)
        tell(.event(RecordedEvent(event: event, source: source, time: Timestamp(milliseconds: time))))
      case .gap(let gap):
        finish(deliver)
        tell(.gap(gap, source: source, time: Timestamp(milliseconds: time)))
      case .reply, .kill: break
      case .escaped(let content):
        text.removeAll(keepingCapacity: true)
        guard JSONText.unescape(content, into: &text) else {
          faultyCount += 1
          throw RecordedLineFault("'text' has an escape that JSON doesn't know")
        }
        // Swapped out and back, since the gathering can't change while its text is lent.
        var text: [UInt8] = []
        swap(&text, &self.text)
        text.withUnsafeBytes { append($0, of: source, deliver) }
        swap(&text, &self.text)
      }
    }
  }

  /// Hands on what is left at the end.
  package mutating func finish(_ deliver: (MessageBatch, _ source: Int) -> Void) {
    guard batch.count > 0 else { return }
    deliver(batch, source)
    batch.removeAll()
  }

  private mutating func append(
    _ bytes: UnsafeRawBufferPointer, of source: Int, _ deliver: (MessageBatch, Int) -> Void
  ) {
    if source != self.source || batch.byteCount + bytes.count > Self.batchBytes { finish(deliver) }
    self.source = source
    messageCount += 1
    batch.append(bytes, time: time, received: time, epoch: 1)
  }

  private func number(of name: UnsafeRawBufferPointer) -> Int? {
    if source < sources.count, name.elementsEqual(sources[source]) { return source }
    return sources.firstIndex { name.elementsEqual($0) }
  }

  private mutating func note(unknown name: UnsafeRawBufferPointer) {
    let name = String(decoding: name.prefix(100), as: UTF8.self)
    if unknownSources[name] != nil || unknownSources.count < 100 { unknownSources[name, default: 0] += 1 }
  }
}
