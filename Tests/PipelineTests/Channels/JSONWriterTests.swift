import Testing

@testable import Pipeline

@Suite("JSON writer")
struct JSONWriterTests {
  /// What SQLite's own reader of JSON makes of a document's only value.
  private func read(_ bytes: [UInt8]) throws -> String? {
    let connection = try SQLiteConnection(path: ":memory:", patience: StoragePatience(0))
    let statement = try connection.prepare("SELECT json_valid(?1), json_extract(?1, '$[0]')")
    try statement.bind(1, String(decoding: bytes, as: UTF8.self))
    guard try statement.step(), statement.integer(0) == 1 else { return nil }
    return statement.text(1)
  }

  private func text(_ write: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    write(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test("Elements are set apart by commas, keys and values by colons, at every depth")
  func structure() {
    let document = text { writer in
      writer.beginObject()
      writer.key("a")
      writer.beginArray()
      writer.integer(1)
      writer.beginObject()
      writer.endObject()
      writer.beginArray()
      writer.endArray()
      writer.bool(true)
      writer.endArray()
      writer.key("b")
      writer.null()
      writer.key("c")
      writer.beginObject()
      writer.key("d")
      writer.text("")
      writer.endObject()
      writer.endObject()
    }
    #expect(document == #"{"a":[1,{},[],true],"b":null,"c":{"d":""}}"#)
  }

  @Test(
    "Texts come back as they were",
    arguments: [
      "", "plain", "\"quoted\" \\ back/slash", "line\nfeed\r\ttab", "\u{1}\u{1f}\u{7f}", "ключ 🐈 \u{2028}",
    ])
  func texts(text: String) throws {
    var writer = JSONWriter()
    writer.beginArray()
    writer.text(text)
    writer.endArray()
    #expect(try read(writer.bytes) == text)
    #expect(!writer.bytes.contains { $0 < 0x20 || $0 == 0x7f })
  }

  @Test("A nul is escaped")
  func nul() { #expect(text { $0.text("a\0b") } == #""a\u0000b""#) }

  @Test(
    "Numbers keep their value and kind",
    arguments: [
      (0.1, "0.1"), (1, "1.0"), (-0.0, "-0.0"), (1e20, "1e+20"), (.leastNonzeroMagnitude, "5e-324"),
      (67123.45, "67123.45"),
      (1.7976931348623157e308, "1.7976931348623157e+308"), (.infinity, "null"), (-.infinity, "null"),
      (.nan, "null"),
    ] as [(Double, String)])
  func numbers(number: Double, written: String) throws {
    #expect(text { $0.number(number) } == written)
    #expect(try read(Array("[\(written)]".utf8)) != nil)
    if number.isFinite { #expect(Double(written)?.bitPattern == number.bitPattern) }
  }

  @Test("Integers are written exactly")
  func integers() {
    #expect(text { $0.integer(.min) } == "-9223372036854775808")
    #expect(text { $0.integer(9_007_199_254_740_993) } == "9007199254740993")
  }
}
