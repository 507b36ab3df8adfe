import Scripting
import Testing

@testable import Pipeline

@Suite("Dumps of exchanges")
struct DumpTests {
  private let folder = StorageFolder()

  private func play(_ text: String, time: DumpTime, table: TableReader? = nil) throws -> [String] {
    let path = folder.file("dump")
    try TextFile.replace(path, text)
    let cursor = RecordingCursor(
      try RecordingFile(path: path), form: .dump(source: 0, DumpReader(time: time, table: table)),
      sources: ["a"])
    var played: [String] = []
    let reader = RecordingReader([cursor]) { played.append("line \($1): \($2)") }
    while let piece = try reader.next() {
      guard case .messages(let batch, _) = piece else { continue }
      for index in 0..<batch.count {
        played.append("\(batch.time(at: index)) \(String(decoding: batch.bytes(at: index), as: UTF8.self))")
      }
    }
    return played
  }

  @Test(
    "a time is a number of any unit, told by its size, or a text",
    arguments: [
      ("1767225600", 1_767_225_600_000), ("1767225600.1239", 1_767_225_600_123),
      ("1767225600000", 1_767_225_600_000),
      ("\"1767225600000\"", 1_767_225_600_000), ("1767225600000123", 1_767_225_600_000),
      ("1767225600000123456", 1_767_225_600_000), ("-1.5", -1_500), ("0", 0),
      ("\"2026-01-01T01:00:00.5+01:00\"", 1_767_225_600_500), ("\"2026-01-01 00:00:01\"", 1_767_225_601_000),
      ("\"2026-01-01\"", 1_767_225_600_000),
    ] as [(String, Int64)])
  func times(text: String, expected: Int64) throws {
    let message = "{\"T\":\(text)}"
    #expect(try play(message, time: DumpTime(field: "T")) == ["\(expected) \(message)"])
  }

  @Test("a unit can be given, where the size misleads")
  func unit() throws {
    #expect(
      try play("{\"T\":5000}", time: DumpTime(field: "T", unit: .milliseconds)) == ["5000 {\"T\":5000}"])
    #expect(try play("[5000000]", time: DumpTime(field: "1", unit: .nanoseconds)) == ["5 [5000000]"])
  }

  @Test("the time may lie deep, in objects and lists; of equal names the last counts")
  func path() throws {
    let message = #"{"data":{"k":[0,{"T":7,"x":"}"}]},"d":1,"data":{"k":[0,{"T":9}]}}"#
    let played = try play(message, time: DumpTime(field: "data.k.2.T", unit: .milliseconds))
    #expect(played == ["9 \(message)"])
  }

  @Test("what has no time is told and passed over, and time never goes back")
  func faults() throws {
    let played = try play(
      """
      {"T":9}
      {"t":1}
      {"T":"noon"}
      {"T":8}
      """, time: DumpTime(field: "T", unit: .milliseconds))
    #expect(
      played == [
        "line 2: there is no time: the message has no 'T'",
        "line 3: 'T': expected a time as a number or such as \"2026-12-31T18:30:00Z\", got noon",
        #"9 {"T":9}"#, #"9 {"T":8}"#,
      ])
  }

  @Test("each row of a table is an object; numbers stay as they are, quoted cells are texts, empty ones null")
  func table() throws {
    let played = try play(
      """
      time,price,side,maker,note,code
      1767225600000,67000.10,buy,true,,007
      1767225601000,-1e3,"5","say ""hi"", twice","two
      lines",1
      1767225602000,1
      """, time: DumpTime(field: "time"), table: TableReader())
    #expect(
      played == [
        "line 5: expected 6 cells as in the header, got 2",
        #"1767225600000 {"time":1767225600000,"price":67000.10,"side":"buy","maker":true,"note":null,"code":"007"}"#,
        #"1767225601000 {"time":1767225601000,"price":-1e3,"side":"5","maker":"say \"hi\", twice","note":"two\nlines","code":1}"#,
      ])
  }

  @Test(
    "cells may be separated by semicolons or tabs, and columns named where the table doesn't",
    arguments: [";", "\t"])
  func separators(separator: String) throws {
    let played = try play(
      "5\(separator)1,5\n6\(separator)2", time: DumpTime(field: "t", unit: .milliseconds),
      table: TableReader(columns: ["t", "p"]))
    #expect(played == [#"5 {"t":5,"p":"1,5"}"#, #"6 {"t":6,"p":2}"#])
  }

  @Test("a quotation mark that is never closed ends within a bound")
  func unclosed() throws {
    let text = "t,p\n1,\"x\n" + String(repeating: "2,3\n", count: 400_000)
    let played = try play(text, time: DumpTime(field: "t", unit: .milliseconds), table: TableReader())
    #expect(played.first?.hasSuffix("a quotation mark is never closed") == true)
    #expect(played.last == #"2 {"t":2,"p":3}"#)
  }
}
