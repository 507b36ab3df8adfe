import Glibc
import Scripting

/// A file of lines, read one at a time, however long it is; gzip data are inflated on the way.
///
/// Confined to one thread at a time.
package final class RecordingFile {
  /// The most bytes of a line.
  package static let maximumLineBytes = 64 << 20

  private let input: RecordingInput
  private let maximumBytes: Int
  @exclusivity(unchecked) private var buffer: UnsafeMutableRawBufferPointer
  /// What was read and not handed on: from `start` to `end`, of which the bytes before `seen` have no newline.
  @exclusivity(unchecked) private var start = 0
  @exclusivity(unchecked) private var seen = 0
  @exclusivity(unchecked) private var end = 0
  private var isAtEnd = false
  @exclusivity(unchecked) private var isAtStart = true
  /// The bytes of a line that is being skipped, since it is too long; nil while none is.
  private var skippedBytes: Int?
  /// A line that was looked at before its turn.
  private var peeked: LineSplitter.Line?
  /// Whether what stands at `start` is the beginning of a line in the midst of the file.
  @exclusivity(unchecked) private var isAtLine = false

  /// Opens a file; `-` is the standard input.
  ///
  /// - Throws: ``FileError`` when it can't be read.
  package init(path: String, maximumBytes: Int = RecordingFile.maximumLineBytes) throws(FileError) {
    self.maximumBytes = maximumBytes
    buffer = .allocate(byteCount: 512 << 10, alignment: 16)
    input = try RecordingInput(path: path)
  }

  deinit { buffer.deallocate() }

  /// The file as errors name it.
  package var name: String { input.name }

  /// The size of the file on disk, nil for what has none, such as a pipe.
  package var fileBytes: Int64? { input.fileBytes }

  /// Bytes read from the disk so far.
  package var readBytes: Int64 { input.readBytes }

  /// Whether the first line is one of a recording; otherwise lines are plain messages.
  ///
  /// - Throws: ``FileError`` when reading fails.
  package var isRecording: Bool {
    get throws(FileError) {
      guard case .text(let bytes) = try peek() else { return false }
      do throws(RecordedLineFault) {
        _ = try RecordedLine(bytes)
        return true
      } catch {
        // Whatever is no line of a recording is a plain message.
        return false
      }
    }
  }

  /// The next line without taking it; nil at the end.
  ///
  /// - Throws: ``FileError`` when reading fails.
  package func peek() throws(FileError) -> LineSplitter.Line? {
    if peeked == nil {
      peeked = try read()
      isAtLine = false
    }
    return peeked
  }

  /// Takes the next line that isn't blank, valid until the next call; nil at the end.
  ///
  /// - Throws: ``FileError`` when reading fails; what came before has been handed on.
  package func next() throws(FileError) -> LineSplitter.Line? {
    guard let line = peeked else { return try read() }
    peeked = nil
    isAtLine = true
    return line
  }

  /// Takes the next line if nothing is special about it and all of it was read; nil says nothing.
  @inline(__always)
  func nextPlain() -> UnsafeRawBufferPointer? {
    guard isAtLine, let base = buffer.baseAddress, start < end else { return nil }
    let first = (base + start).loadUnaligned(as: UInt8.self)
    // It may be blank.
    guard first > UInt8(ascii: " "),
      let newline = memchr(base + start, Int32(UInt8(ascii: "\n")), end - start)
    else { return nil }
    let count = UnsafeRawPointer(newline) - UnsafeRawPointer(base + start)
    guard count <= maximumBytes, (newline - 1).loadUnaligned(as: UInt8.self) != UInt8(ascii: "\r") else {
      return nil
    }
    let line = UnsafeRawBufferPointer(start: base + start, count: count)
    start += count + 1
    seen = start
    return line
  }

  /// Copies the lines at hand into a batch, up to the first that ``nextPlain()`` would not take; returns their number.
  func gatherPlain(
    into batch: MessageBatch, after time: Int64, step: Int64, through last: Int64, room: Int
  ) -> Int {
    guard isAtLine, start < end else { return 0 }
    let (bytes, count) = batch.append(
      MessageBatch.Lines(after: time, step: step, through: last, longest: maximumBytes, room: room),
      of: UnsafeRawBufferPointer(rebasing: buffer[start..<end]), epoch: 1)
    start += bytes
    seen = start
    return count
  }

  private func read() throws(FileError) -> LineSplitter.Line? {
    let line = try readFully()
    isAtLine = skippedBytes == nil && !isAtStart
    return line
  }

  private func readFully() throws(FileError) -> LineSplitter.Line? {
    while true {
      if seen < end, let base = buffer.baseAddress,
        let newline = memchr(base + seen, Int32(UInt8(ascii: "\n")), end - seen)
      {
        let stop = UnsafeRawPointer(newline) - UnsafeRawPointer(base)
        if let line = take(upTo: stop, next: stop + 1) { return line }
        continue
      }
      seen = end
      if isAtEnd {
        guard start < end || skippedBytes != nil else { return nil }
        if let line = take(upTo: end, next: end) { return line }
        return nil
      }
      // Room for a byte order mark and a CR, which don't count.
      if end - start > maximumBytes + 4 {
        // The last byte stays: it decides whether a CR belongs to the line's end.
        skippedBytes = (skippedBytes ?? 0) + end - start - 1
        buffer[0] = buffer[end - 1]
        (start, seen, end) = (0, 1, 1)
      }
      try fill()
    }
  }

  /// Ends a line at a place of the buffer; nil for a blank one.
  private func take(upTo stop: Int, next: Int) -> LineSplitter.Line? {
    let line = UnsafeRawBufferPointer(rebasing: buffer[start..<stop])
    start = next
    seen = next
    if let skipped = skippedBytes {
      skippedBytes = nil
      isAtStart = false
      return .tooLong(bytes: skipped + line.count - (line.last == UInt8(ascii: "\r") ? 1 : 0))
    }
    defer { isAtStart = false }
    return LineSplitter.trimmed(line, isFirst: isAtStart, maximumBytes: maximumBytes)
  }

  private func fill() throws(FileError) {
    if start > 0 {
      if end > start, let base = buffer.baseAddress { memmove(base, base + start, end - start) }
      (start, seen, end) = (0, seen - start, end - start)
    }
    if buffer.count - end < buffer.count / 2 {
      let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: buffer.count * 2, alignment: 16)
      larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<end]))
      buffer.deallocate()
      buffer = larger
    }
    let count = try input.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[end...]))
    end += count
    isAtEnd = count == 0
  }
}
