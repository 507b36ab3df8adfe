import Testing

@testable import Pipeline

@Suite("Splitting a stream into lines")
struct LineSplitterTests {
  /// The lines of a stream that arrives in parts of a size, too long ones as `<length>`.
  private static func lines(_ text: String, limit: Int = 16, size: Int = .max) -> [String] {
    var splitter = LineSplitter(maximumBytes: limit)
    var lines: [String] = []
    func take(_ line: LineSplitter.Line) {
      switch line {
      case .text(let bytes): lines.append(String(decoding: bytes, as: UTF8.self))
      case .tooLong(let count): lines.append("<\(count)>")
      }
    }
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      let end = start + min(size, bytes.count - start)
      bytes[start..<end].withUnsafeBytes { splitter.split($0, take) }
      start = end
    }
    splitter.finish(take)
    return lines
  }

  @Test(
    "The lines are the same however the stream is cut",
    arguments: [
      ("", []),
      ("\n\n\r\n", []),
      ("a", ["a"]),
      ("a\n", ["a"]),
      ("a\nb", ["a", "b"]),
      ("a\r\nb\r\n", ["a", "b"]),
      ("a\rb\n", ["a\rb"]),
      ("a\r", ["a"]),
      ("\n  \n\t\na\n", ["a"]),
      (" a \n", [" a "]),
      ("\u{feff}a\n\u{feff}b\n", ["a", "\u{feff}b"]),
      ("\u{feff}\n\u{feff}b", ["\u{feff}b"]),
      ("ä€😀\nü\n", ["ä€😀", "ü"]),
      ("0123456789abcdef\n", ["0123456789abcdef"]),
      ("0123456789abcdef\r\n", ["0123456789abcdef"]),
      ("\u{feff}0123456789abcdef\r\nb\n", ["0123456789abcdef", "b"]),
      ("0123456789abcdefg\nb\n", ["<17>", "b"]),
      ("0123456789abcdefg\r\nb\n", ["<17>", "b"]),
      ("0123456789abcdefghijklmnopqrstuvwxyz\r\nb\n", ["<36>", "b"]),
      ("0123456789abcdefghijklmnopqrstuvwxyz", ["<36>"]),
      ("a\n0123456789abcdefghijklmnopqrstuvwxyz\n\nb", ["a", "<36>", "b"]),
    ] as [(String, [String])])
  func lines(text: String, expected: [String]) {
    for size in [1, 2, 3, 5, 7, 16, 17, 21, .max] {
      #expect(Self.lines(text, size: size) == expected, "cut into parts of \(size)")
    }
  }

  @Test("A line without end takes no more memory than the limit allows")
  func endlessLine() {
    var splitter = LineSplitter(maximumBytes: 100)
    let part = [UInt8](repeating: UInt8(ascii: "x"), count: 60)
    for _ in 0..<1_000 {
      part.withUnsafeBytes { splitter.split($0) { _ in Issue.record("no line has ended") } }
    }
    #expect(splitter.keptBytes <= 104)
    var lengths: [Int] = []
    splitter.finish { line in
      if case .tooLong(let bytes) = line { lengths.append(bytes) }
    }
    #expect(lengths == [60_000])
  }

  @Test("A splitter that has finished begins anew")
  func again() {
    var splitter = LineSplitter(maximumBytes: 100)
    var lines: [String] = []
    for _ in 0..<2 {
      Array("\u{feff}a".utf8).withUnsafeBytes { splitter.split($0) { _ in } }
      splitter.finish { line in
        if case .text(let bytes) = line { lines.append(String(decoding: bytes, as: UTF8.self)) }
      }
    }
    #expect(lines == ["a", "a"])
  }
}
