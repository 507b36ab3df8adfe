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
  /// Whether the file can be read again from any position.
  private var isRegular = false
  /// Whether the file may have nothing to read for a while, as pipes and terminals do.
  private var isWatchable = false
  private var offset: Int64 = 0
  private var isReported = false
  private var failure: String?
  private var notice: String?
  private var inode: UInt64 = 0
  private var fingerprint: (value: UInt64, bytes: Int64)?
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

  /// What is always readable, as a file is, can't be watched; see epoll_ctl(2), `EPERM`.
  var descriptor: Int32? { file >= 0 && isWatchable ? file : nil }

  var nextDeadline: UInt64? {
    if failure != nil { return 0 }
    guard file >= 0 else { return nil }
    return isReported && isWatchable ? nil : 0
  }

  func connect(_ connection: Int, position: String?) {
    splitter = LineSplitter(maximumBytes: maximumBytes)
    isReported = false
    failure = nil
    offset = 0
    switch input {
    case .standardInput: file = dup(STDIN_FILENO)
    // A named pipe without a writer would hold up the opening.
    case .file(let path): file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    }
    guard file >= 0 else {
      failure = "can't read \(name): \(SystemFailure(number: errno).description)"
      return
    }
    var status = stat()
    let kind = fstat(file, &status) == 0 ? status.st_mode & S_IFMT : S_IFREG
    isRegular = kind == S_IFREG
    isWatchable = kind == S_IFIFO || kind == S_IFSOCK || isatty(file) == 1
    inode = UInt64(status.st_ino)
    fingerprint = nil
    guard isResumable, let position = position.flatMap(FilePosition.init) else { return }
    guard position.fits(file), lseek(file, off_t(position.offset), SEEK_SET) >= 0 else {
      notice = "\(name) is not the file that was read before, so it is read from its start"
      return
    }
    offset = position.offset
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
    if let notice { output.refused.append(notice) }
    notice = nil
    if !isReported {
      isReported = true
      output.events.append(.opened)
    }
    // The standard input may be shared, so it is not made non-blocking, and a read without data would hang.
    guard !isWatchable || isReady else { return }
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
      output.position = isResumable ? position(offset) : nil
      output.events.append(.ended)
      close(code: 1000, reason: "")
      return
    }
    let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    splitter.split(chunk) { take($0, &output) }
    offset += Int64(count)
    // Behind the last whole line: what is kept of an unfinished one is read again.
    if isResumable, let newline = chunk.lastIndex(of: UInt8(ascii: "\n")) {
      output.position = position(offset - Int64(count - newline - 1))
    }
  }

  private var isResumable: Bool { if case .file = input { isRegular } else { false } }

  private func position(_ offset: Int64) -> String {
    let head = min(offset, Int64(FilePosition.headBytes))
    if fingerprint?.bytes != head {
      fingerprint = (FilePosition.fingerprint(of: file, upTo: offset), head)
    }
    return FilePosition(offset: offset, inode: inode, fingerprint: fingerprint?.value).description
  }

  private var isReady: Bool {
    var request = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) == 1
  }

  private func take(_ line: LineSplitter.Line, _ output: inout SourceOutput) {
    switch line {
    case .text(let bytes): output.add(bytes)
    case .tooLong(let bytes):
      output.refused.append(
        "a line of \(bytes) bytes was skipped: the limit is \(maximumBytes); raise 'max_message_bytes'")
    }
  }
}
