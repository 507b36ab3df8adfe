import Glibc
import Threads

/// Drives sources that are read line by line to their end: files and the standard input.
final class LineDriver: SourceDriver {
  /// What is read.
  enum Input {
    case file(path: String)
    case standardInput
  }

  private let input: Input
  private let maximumBytes: Int
  private var splitter: LineSplitter
  private var file: Int32 = -1
  private var offset: Int64 = 0
  private var isReported = false
  private var failure: String?
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

  init(_ input: Input, maximumBytes: Int) {
    self.input = input
    self.maximumBytes = maximumBytes
    splitter = LineSplitter(maximumBytes: maximumBytes)
  }

  deinit {
    close(code: 1000, reason: "")
    buffer.deallocate()
  }

  /// A file is always readable and can't be watched; pipes and terminals can.
  var descriptor: Int32? {
    if case .standardInput = input, file >= 0, !isRegular { return file }
    return nil
  }

  var nextDeadline: UInt64? {
    if failure != nil { return 0 }
    guard file >= 0 else { return nil }
    return isReported && descriptor != nil ? nil : 0
  }

  private var isRegular: Bool {
    var status = stat()
    return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  func connect(_ connection: Int, position: String?) {
    splitter = LineSplitter(maximumBytes: maximumBytes)
    isReported = false
    failure = nil
    offset = 0
    switch input {
    case .standardInput: file = dup(STDIN_FILENO)
    case .file(let path): file = open(path, O_RDONLY | O_CLOEXEC)
    }
    guard file >= 0 else {
      failure = "can't read \(name): \(SystemFailure(number: errno).description)"
      return
    }
    if case .file = input, let position, let start = Int64(position) {
      guard lseek(file, off_t(start), SEEK_SET) >= 0 else {
        failure = "can't go to byte \(start) of \(name): \(SystemFailure(number: errno).description)"
        return
      }
      offset = start
    }
  }

  private var name: String {
    if case .file(let path) = input { "\"\(path)\"" } else { "the standard input" }
  }

  func sendOpening() {}

  func close(code: UInt16, reason: String) {
    if file >= 0 { Glibc.close(file) }
    file = -1
    failure = nil
  }

  func process(now: UInt64, into output: inout SourceOutput) {
    if let failure {
      output.events.append(.closed(SourceMachine.End(reason: failure, isPermanent: true)))
      close(code: 1000, reason: "")
      return
    }
    guard file >= 0 else { return }
    if !isReported {
      isReported = true
      output.events.append(.opened)
    }
    let count = read(file, buffer.baseAddress, buffer.count)
    if count < 0 {
      if errno == EINTR || errno == EAGAIN { return }
      let reason = "can't read \(name): \(SystemFailure(number: errno).description)"
      output.events.append(.closed(SourceMachine.End(reason: reason, isPermanent: true)))
      close(code: 1000, reason: "")
      return
    }
    if count == 0 {
      splitter.finish { take($0, &output) }
      output.position = isFile ? String(offset) : nil
      output.events.append(.ended)
      close(code: 1000, reason: "")
      return
    }
    let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    splitter.split(chunk) { take($0, &output) }
    offset += Int64(count)
    // Behind the last whole line: what is kept of an unfinished one is read again.
    if isFile, let newline = chunk.lastIndex(of: UInt8(ascii: "\n")) {
      output.position = String(offset - Int64(count - newline - 1))
    }
  }

  private var isFile: Bool { if case .file = input { true } else { false } }

  private func take(_ line: LineSplitter.Line, _ output: inout SourceOutput) {
    switch line {
    case .text(let bytes): output.add(bytes)
    case .tooLong(let bytes):
      output.refused.append(
        "a line of \(bytes) bytes was skipped: the limit is \(maximumBytes); raise 'max_message_bytes'")
    }
  }
}
