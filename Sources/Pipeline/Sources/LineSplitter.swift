import Glibc

/// Splits a stream of bytes into the lines of NDJSON, however the stream is cut into reads.
///
/// Lines end with LF or CR LF; the last one needs no end. Lines of blanks alone are skipped, and so is a byte
/// order mark at the start of the stream. It keeps at most one unfinished line, never longer than the limit.
package struct LineSplitter: Sendable {
  /// A line, valid until the call it was handed to returns.
  package enum Line {
    case text(UnsafeRawBufferPointer)
    /// A line beyond the limit, which was skipped; its length in bytes without its end.
    case tooLong(bytes: Int)
  }

  /// The most bytes of a line, without its end.
  package let maximumBytes: Int
  private var unfinished: [UInt8] = []
  /// The bytes of a line that is being skipped; nil while none is.
  private var skippedBytes: Int?
  private var isAtStart = true

  /// The bytes kept of the line that has not ended.
  var keptBytes: Int { unfinished.count }

  /// Makes a splitter at the start of a stream.
  package init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Hands on each line that ends within the bytes.
  package mutating func split(_ bytes: UnsafeRawBufferPointer, _ body: (Line) -> Void) {
    var rest = bytes
    while let start = rest.baseAddress, !rest.isEmpty,
      let newline = memchr(start, Int32(UInt8(ascii: "\n")), rest.count)
    {
      let count = UnsafeRawPointer(newline) - start
      let head = UnsafeRawBufferPointer(rebasing: rest[..<count])
      if unfinished.isEmpty, skippedBytes == nil {
        emit(head, body)
      } else {
        keep(head)
        emitUnfinished(body)
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[(count + 1)...])
    }
    keep(rest)
  }

  /// Hands on the last line of a stream that has ended.
  package mutating func finish(_ body: (Line) -> Void) {
    if !unfinished.isEmpty || skippedBytes != nil { emitUnfinished(body) }
    isAtStart = true
  }

  private mutating func keep(_ bytes: UnsafeRawBufferPointer) {
    if let skipped = skippedBytes {
      skippedBytes = skipped + bytes.count
      // The last byte decides whether a CR belongs to the line's end.
      if let last = bytes.last { unfinished = [last] }
      return
    }
    // Room for a byte order mark and a CR, which don't count.
    guard unfinished.count + bytes.count <= maximumBytes + 4 else {
      skippedBytes = unfinished.count + bytes.count
      unfinished = bytes.last.map { [$0] } ?? []
      return
    }
    unfinished.append(contentsOf: bytes)
  }

  private mutating func emitUnfinished(_ body: (Line) -> Void) {
    // Swapped out and back, so that a stream cut into small reads doesn't allocate for each line.
    var line: [UInt8] = []
    swap(&line, &unfinished)
    if let skipped = skippedBytes {
      skippedBytes = nil
      isAtStart = false
      body(.tooLong(bytes: line.last == UInt8(ascii: "\r") ? skipped - 1 : skipped))
    } else {
      line.withUnsafeBytes { emit($0, body) }
    }
    line.removeAll(keepingCapacity: true)
    swap(&line, &unfinished)
  }

  private mutating func emit(_ bytes: UnsafeRawBufferPointer, _ body: (Line) -> Void) {
    let line = Self.trimmed(bytes, isFirst: isAtStart, maximumBytes: maximumBytes)
    isAtStart = false
    if let line { body(line) }
  }

  /// A line without its CR and, as the first of a stream, without a byte order mark; nil for a blank one.
  static func trimmed(_ bytes: UnsafeRawBufferPointer, isFirst: Bool, maximumBytes: Int) -> Line? {
    var line = bytes[...]
    if isFirst, line.starts(with: [0xef, 0xbb, 0xbf]) { line = line.dropFirst(3) }
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    if line.count > maximumBytes { return .tooLong(bytes: line.count) }
    let isBlank = line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    return isBlank ? nil : .text(UnsafeRawBufferPointer(rebasing: line))
  }
}
