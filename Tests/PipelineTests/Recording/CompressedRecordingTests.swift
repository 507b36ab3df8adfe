import Glibc
import Testing

@testable import Pipeline

@Suite("Compressed recordings")
struct CompressedRecordingTests {
  private let folder = StorageFolder()

  private static let time = Timestamp(milliseconds: 1_767_225_600_000)

  private func lines(of path: String) throws -> [String] {
    let file = try RecordingFile(path: path)
    var lines: [String] = []
    while let line = try file.next() {
      if case .text(let bytes) = line { lines.append(String(decoding: bytes, as: UTF8.self)) }
    }
    return lines
  }

  private static func bytes(of path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = read(descriptor, &bytes, bytes.count)
    try #require(count > 0)
    return Array(bytes[..<count])
  }

  private static func write(_ bytes: [UInt8], to path: String) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    defer { close(descriptor) }
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }

  private func record(_ path: String, _ count: Int, maximumBytes: Int64? = nil) throws -> [String] {
    let lines = (0..<count).map { "{\"number\":\($0),\"noise\":\(($0 &* 7_919) % 10_007)}" }
    let writer = try RecordingWriter(
      path: path, maximumBytes: maximumBytes, isCompressed: true, at: Self.time)
    for (index, line) in lines.enumerated() {
      try writer.write(Array("\(line)\n".utf8), at: Self.time + Milliseconds(Int64(index) * 10))
    }
    try writer.finish()
    return lines
  }

  @Test("what is written is read back, in less room, whatever the file is called")
  func roundTrip() throws {
    let path = folder.file("day.ndjson.gz")
    let lines = try record(path, 5_000)
    #expect(try self.lines(of: path) == lines)
    #expect(try Self.bytes(of: path).count < 100_000)
    let other = folder.file("plain")
    rename(path, other)
    #expect(try self.lines(of: other) == lines)
  }

  @Test("members one behind the other are one file")
  func members() throws {
    let (first, second) = (folder.file("1.gz"), folder.file("2.gz"))
    let lines = try record(first, 10) + record(second, 20)
    let both = folder.file("both.gz")
    Self.write(try Self.bytes(of: first) + Self.bytes(of: second), to: both)
    #expect(try self.lines(of: both) == lines)
  }

  @Test(
    "of a file that is cut off everything before is read, and then that is said", arguments: [0.3, 0.8, 0.99])
  func cutOff(part: Double) throws {
    let path = folder.file("day.gz")
    let lines = try record(path, 2_000)
    let bytes = try Self.bytes(of: path)
    Self.write(Array(bytes[..<Int(Double(bytes.count) * part)]), to: path)
    let file = try RecordingFile(path: path)
    var found: [String] = []
    let failure = #expect(throws: FileError.self) {
      while let line = try file.next() {
        if case .text(let bytes) = line { found.append(String(decoding: bytes, as: UTF8.self)) }
      }
    }
    #expect(failure?.description.contains("is cut off in the middle of its gzip data") == true)
    #expect(found.count > Int(Double(lines.count) * part * 0.7))
    #expect(lines.starts(with: found))
  }

  @Test("damaged data are said")
  func damaged() throws {
    let path = folder.file("day.gz")
    _ = try record(path, 2_000)
    var bytes = try Self.bytes(of: path)
    for index in 200..<260 { bytes[index] ^= 0x5a }
    Self.write(bytes, to: path)
    let failure = #expect(throws: FileError.self) { try lines(of: path) }
    #expect(failure?.description.contains("damaged gzip data near byte") == true)
  }

  @Test("after a crash all that was flushed is there, and the next recording doesn't hide it")
  func crash() throws {
    let path = folder.file("day.ndjson.gz")
    var writer: RecordingWriter? = try RecordingWriter(path: path, isCompressed: true, at: Self.time)
    try writer?.write(Array("1\n".utf8), at: Self.time)
    try writer?.write(Array("2\n".utf8), at: Self.time + .seconds(2))
    // Left as it is, without an end.
    writer = nil
    let next = try RecordingWriter(path: path, isCompressed: true, at: Self.time)
    try next.write(Array("3\n".utf8), at: Self.time)
    try next.finish()
    #expect(try lines(of: path) == ["3"])
    let aside = try RecordingFile(path: folder.file("day.ndjson.20260101T000000Z.gz"))
    #expect(try aside.next() != nil)
    #expect(try aside.next() != nil)
    #expect(throws: FileError.self) { try aside.next() }
  }

  @Test("a full file is put aside whole, and each can be read")
  func rotation() throws {
    let path = folder.file("day.ndjson.gz")
    let lines = try record(path, 5_000, maximumBytes: 10_000)
    let names = TextFile.names(in: folder.file("")).filter { $0.hasSuffix(".gz") }
    #expect(names.count > 2)
    let all = try names.sorted { ($0 == "day.ndjson.gz" ? 1 : 0, $0) < ($1 == "day.ndjson.gz" ? 1 : 0, $1) }
      .flatMap { try self.lines(of: folder.file($0)) }
    #expect(all == lines)
  }
}
