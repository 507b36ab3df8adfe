import Glibc
import Threads

@testable import Pipeline

/// Both ends of a pipe, closed with the object.
final class Pipe: Sendable {
  let reading: Int32
  let writing: Int32

  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw SystemFailure(number: errno) }
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  /// Makes the pipe one that nobody reads, by turning the reading end into the writing one.
  func closeReading() { dup2(writing, reading) }

  /// What there is to read, at least one byte.
  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(reading, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  /// Everything up to the first newline.
  func readLine() -> String {
    var line = ""
    while !line.hasSuffix("\n") {
      let part = read()
      if part.isEmpty { break }
      line += part
    }
    return line
  }
}
