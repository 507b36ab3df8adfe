import Glibc
import Threads

/// The bytes of a file or of the standard input, inflated on the way if they are gzip data.
final class RecordingInput {
  private static let chunkBytes = 256 << 10

  /// The file as errors name it.
  let name: String
  /// The size of the file on disk, nil for what has none, such as a pipe.
  let fileBytes: Int64?
  /// Bytes read from the disk so far.
  private(set) var readBytes: Int64 = 0
  private let descriptor: Int32
  private var inflater: GzipInflater?
  private let chunk: UnsafeMutableRawBufferPointer
  private var rest: UnsafeRawBufferPointer
  private var isAtEnd = false

  /// Opens a file; `-` is the standard input.
  ///
  /// - Throws: ``FileError`` when it can't be read.
  init(path: String) throws(FileError) {
    name = path == "-" ? "the standard input" : "\"\(path.printable)\""
    chunk = .allocate(byteCount: Self.chunkBytes, alignment: 16)
    rest = UnsafeRawBufferPointer(start: nil, count: 0)
    descriptor = path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    let isKnown = descriptor >= 0 && fstat(descriptor, &status) == 0
    fileBytes = isKnown && status.st_mode & S_IFMT == S_IFREG ? Int64(status.st_size) : nil
    guard descriptor >= 0 else {
      throw FileError("can't read \(name): \(SystemFailure(number: errno).description)")
    }
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    try fill()
    // What gzip data begin with (RFC 1952, 2.3.1); no text does.
    guard rest.starts(with: [0x1f, 0x8b]) else { return }
    inflater = GzipInflater()
    guard inflater != nil else { throw FileError("can't read \(name): no memory to inflate it") }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    chunk.deallocate()
  }

  /// Reads some bytes; 0 at the end.
  ///
  /// - Throws: ``FileError`` when reading fails, or gzip data are damaged or end too early.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    while true {
      // Nothing is to be inflated: it goes where it is wanted.
      if inflater == nil, rest.isEmpty { return isAtEnd ? 0 : try readFile(into: buffer) }
      if rest.isEmpty, !isAtEnd { try fill() }
      if rest.isEmpty {
        guard inflater == nil || inflater?.isBetweenMembers == true else {
          throw FileError("\(name) is cut off in the middle of its gzip data; all before that was read")
        }
        return 0
      }
      guard inflater != nil else {
        let count = min(rest.count, buffer.count)
        buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest[..<count]))
        take(count)
        return count
      }
      guard let step = inflater?.inflate(rest, into: buffer) else {
        throw FileError("\(name) has damaged gzip data near byte \(readBytes - Int64(rest.count))")
      }
      take(step.taken)
      if step.given > 0 { return step.given }
    }
  }

  private func take(_ count: Int) { rest = UnsafeRawBufferPointer(rebasing: rest[count...]) }

  private func fill() throws(FileError) {
    let count = try readFile(into: chunk)
    rest = UnsafeRawBufferPointer(rebasing: chunk[..<count])
  }

  private func readFile(into buffer: UnsafeMutableRawBufferPointer) throws(FileError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, min(buffer.count, Self.chunkBytes))
      if count >= 0 {
        isAtEnd = count == 0
        readBytes += Int64(count)
        return count
      }
      if errno == EINTR { continue }
      throw FileError("can't read \(name): \(SystemFailure(number: errno).description)")
    }
  }
}
