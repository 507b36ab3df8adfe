import Testing

@testable import Pipeline

@Suite("Taking server-sent events apart")
struct EventStreamParserTests {
  /// What a stream says when it arrives in parts of a size, and the last id behind it.
  private static func items(_ bytes: [UInt8], limit: Int = 64, size: Int = .max) -> [String] {
    var parser = EventStreamParser(maximumBytes: limit)
    var items: [String] = []
    var start = 0
    while start < bytes.count {
      let end = start + min(size, bytes.count - start)
      bytes[start..<end].withUnsafeBytes { piece in
        parser.parse(piece) { item in
          switch item {
          case .event(let name, let data): items.append("\(name)=\(String(decoding: data, as: UTF8.self))")
          case .retry(let wait): items.append("retry \(wait)")
          case .tooLong: items.append("too long")
          case .longID: items.append("long id")
          }
        }
      }
      start = end
    }
    return items + ["#" + parser.lastEventID]
  }

  private static let table: [(String, [String])] = [
    ("", ["#"]),
    ("data: a\n\n", ["message=a", "#"]),
    ("data:a\n\n", ["message=a", "#"]),
    ("data:  a\n\n", ["message= a", "#"]),
    ("data: a\ndata: b\n\n", ["message=a\nb", "#"]),
    ("data\n\n", ["message=", "#"]),
    ("data\ndata\n\n", ["message=\n", "#"]),
    ("data:\n\ndata: b\n\n", ["message=", "message=b", "#"]),
    ("event: trade\ndata: a\n\ndata: b\n\n", ["trade=a", "message=b", "#"]),
    ("event: trade\n\ndata: b\n\n", ["message=b", "#"]),
    ("event: trade\nevent: quote\ndata: b\n\n", ["quote=b", "#"]),
    ("event:\ndata: b\n\n", ["message=b", "#"]),
    // Without its blank line an event is dropped, as is its id.
    ("data: a\n\nid: 7\ndata: b", ["message=a", "#"]),
    ("data: a\n\nid: 7\ndata: b\n", ["message=a", "#"]),
    // All three ends of lines, and mixtures of them.
    ("data: a\r\rdata: b\r\n\r\ndata: c\n\n", ["message=a", "message=b", "message=c", "#"]),
    ("data: a\r\ndata: b\rdata: c\n\r\n", ["message=a\nb\nc", "#"]),
    ("data: a\r\n\n", ["message=a", "#"]),
    ("data: a\n\r", ["message=a", "#"]),
    // Comments and unknown fields.
    (":\n: ping\ndata: a\n:x\n\n", ["message=a", "#"]),
    ("foo: bar\ndatas: x\nDATA: y\n data: z\ndata: a\n\n", ["message=a", "#"]),
    // A mark at the start only, and only one.
    ("\u{feff}data: a\n\n", ["message=a", "#"]),
    ("\u{feff}\u{feff}data: a\n\ndata: b\n\n", ["message=b", "#"]),
    ("\n\u{feff}data: a\n\n", ["#"]),
    ("\u{feff}", ["#"]),
    // Ids stay until another comes; one with NUL is none; an empty one forgets.
    ("id: 1\ndata: a\n\ndata: b\n\n", ["message=a", "message=b", "#1"]),
    ("id: 1\ndata: a\n\nid: 2\n\n", ["message=a", "#2"]),
    ("id: 1\ndata: a\n\nid: 2\u{0}3\ndata: b\n\n", ["message=a", "message=b", "#1"]),
    ("id: 1\ndata: a\n\nid\ndata: b\n\n", ["message=a", "message=b", "#"]),
    // Times to wait are digits alone.
    ("retry: 1500\n", ["retry 1500ms", "#"]),
    ("retry: 1s\nretry:\nretry: -1\nretry: ١\n", ["#"]),
    ("retry: 99999999999999999999\n", ["retry 9223372036854775807ms", "#"]),
    ("data: {\"é\":\"ü€𝄞\"}\n\n", ["message={\"é\":\"ü€𝄞\"}", "#"]),
  ]

  @Test("The items are the same however the stream is cut", arguments: table)
  func cuts(stream: String, expected: [String]) {
    let bytes = Array(stream.utf8)
    for size in [1, 2, 3, 5, 7, Int.max] {
      #expect(Self.items(bytes, size: size) == expected, "in parts of \(size)")
    }
  }

  @Test("A stream cut at any one byte is the same stream")
  func everyCut() {
    let stream = Array(
      "\u{feff}id: 1\r\nevent: t\r\ndata: a\r\ndata: b\r\n\r\n: c\rretry: 5\rdata: c\r\r".utf8)
    let whole = Self.items(stream)
    #expect(whole == ["t=a\nb", "retry 5ms", "message=c", "#1"])
    for cut in 0...stream.count {
      var parser = EventStreamParser(maximumBytes: 64)
      var count = 0
      for part in [stream[..<cut], stream[cut...]] {
        Array(part).withUnsafeBytes { parser.parse($0) { _ in count += 1 } }
      }
      #expect(count == 3 && parser.lastEventID == "1", "cut at \(cut)")
    }
  }

  @Test("An event beyond the bound is passed over and told of, and the next one counts")
  func bound() {
    let fits = String(repeating: "x", count: 64)
    for size in [1, 3, Int.max] {
      #expect(Self.items(Array("data: \(fits)\n\n".utf8), size: size) == ["message=\(fits)", "#"])
      #expect(
        Self.items(Array("id: 4\ndata: \(fits)y\n\ndata: a\n\n".utf8), size: size)
          == ["too long", "message=a", "#4"])
      let lines = String(repeating: "data: 12345678\n", count: 20)
      #expect(Self.items(Array("\(lines)\ndata: a\n\n".utf8), size: size) == ["too long", "message=a", "#"])
      // A line without an end is never kept whole.
      let endless = String(repeating: "y", count: 10_000)
      #expect(
        Self.items(Array("\(endless)\n\ndata: a\n\n".utf8), size: size) == ["too long", "message=a", "#"])
    }
  }

  @Test("An id too long to be stored is told of and is no position")
  func longID() {
    let id = String(repeating: "9", count: EventStreamParser.maximumIDBytes + 1)
    #expect(
      Self.items(Array("id: 1\n\nid: \(id)\ndata: a\n\n".utf8), limit: 1 << 20) == [
        "long id", "message=a", "#1",
      ])
  }

  @Test("The id that was asked for stands until the stream gives another")
  func resumed() {
    var parser = EventStreamParser(maximumBytes: 64, lastEventID: "41")
    Array("data: a\n\n".utf8).withUnsafeBytes { parser.parse($0) { _ in } }
    #expect(parser.lastEventID == "41")
  }
}
