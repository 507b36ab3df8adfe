import Glibc
package import Scripting
import Threads

/// A file of recorded messages, read piece by piece, however long it is.
package struct RecordingFile: ~Copyable, Sendable {
  /// The most bytes of a line.
  package static let maximumLineBytes = 64 << 20
  private static let chunkBytes = 256 << 10

  private let descriptor: Int32
  private let path: String
  /// What was read to look at the first line.
  private var head: [UInt8] = []
  /// Whether the first line is one of a recording; otherwise lines are plain messages.
  package private(set) var isRecording = false
  /// The time of a recording's first line, nil for plain messages.
  package private(set) var firstTime: Timestamp?

  /// Opens a file and looks at its first line; `-` is the standard input.
  ///
  /// - Throws: ``FileError`` when it can't be read.
  package init(path: String) throws(FileError) {
    self.path = path == "-" ? "the standard input" : "\"\(path.printable)\""
    descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw FileError("can't read \(self.path): \(SystemFailure(number: errno).description)")
    }
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    try readHead()
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private mutating func readHead() throws(FileError) {
    var splitter = LineSplitter(maximumBytes: Self.maximumLineBytes)
    var isFound = false
    var time: Timestamp?
    let look: (LineSplitter.Line) -> Void = { candidate in
      guard !isFound else { return }
      isFound = true
      guard case .text(let bytes) = candidate else { return }
      do throws(RecordedLineFault) {
        time = Timestamp(milliseconds: try RecordedLine(bytes).time)
      } catch {
        // Whatever is no line of a recording is a plain message.
        time = nil
      }
    }
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 16)
    defer { chunk.deallocate() }
    while !isFound, head.count <= Self.maximumLineBytes {
      let count = try read(into: chunk)
      if count == 0 {
        splitter.finish(look)
        break
      }
      splitter.split(UnsafeRawBufferPointer(rebasing: chunk[..<count]), look)
      head.append(contentsOf: chunk[..<count])
    }
    isRecording = time != nil
    firstTime = time
  }

  /// Reads all lines into batches and hands these on, until the end or until `isStopped` says so.
  ///
  /// - Parameters:
  ///   - fault: is told of lines that were skipped, by their number among those that aren't blank.
  ///   - tell: is told what happened beside the messages, in order with them.
  /// - Throws: ``FileError`` when reading fails on the way; what came before has been handed on.
  package consuming func read(
    into batches: inout RecordingBatches, isStopped: () -> Bool,
    fault: (_ line: Int, RecordedLineFault) -> Void,
    tell: (RecordedHappening) -> Void = { _ in }, deliver: (MessageBatch, _ source: Int) -> Void
  ) throws(FileError) {
    var splitter = LineSplitter(maximumBytes: Self.maximumLineBytes)
    // Asked where something left this file, not for each line.
    var isOver = isStopped()
    func handOn(_ batch: MessageBatch, _ source: Int) {
      deliver(batch, source)
      isOver = isStopped()
    }
    func take(_ line: LineSplitter.Line) {
      guard !isOver else { return }
      do throws(RecordedLineFault) {
        try batches.add(line, handOn, tell: tell)
      } catch {
        fault(batches.lineCount, error)
        isOver = isStopped()
      }
    }
    head.withUnsafeBytes { splitter.split($0, take) }
    head = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 16)
    defer { chunk.deallocate() }
    while !isOver, !isStopped() {
      let count = try read(into: chunk)
      if count == 0 { break }
      splitter.split(UnsafeRawBufferPointer(rebasing: chunk[..<count]), take)
    }
    splitter.finish(take)
    if !isOver, !isStopped() { batches.finish(deliver) }
  }

  /// Whether the file is one that can be read from its beginning again.
  var canReadTwice: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Hands out the whole file piece by piece, and leaves the place alone from where it is read on.
  ///
  /// - Throws: ``FileError`` when reading fails.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) throws(FileError) {
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 16)
    defer { chunk.deallocate() }
    var offset: off_t = 0
    while true {
      let count = pread(descriptor, chunk.baseAddress, chunk.count, offset)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw FileError("can't read \(path): \(SystemFailure(number: errno).description)")
      }
      if count == 0 { return }
      body(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
      offset += off_t(count)
    }
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      if errno == EINTR { continue }
      throw FileError("can't read \(path): \(SystemFailure(number: errno).description)")
    }
  }
}
