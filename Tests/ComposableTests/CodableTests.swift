import Composable
import ComposableJSON
import Testing

@Suite("Values in files")
struct CodableTests {
  private struct Row: Codable, Sendable, Equatable, Identifiable {
    var id: UniqueID
    var time: UnixTime
  }

  private typealias Rows = IdentifiedArrayOf<Row>

  private let rows: Rows = [
    Row(id: UniqueID(high: 1, low: 0xAB), time: UnixTime(sinceEpoch: .milliseconds(1_500))),
    Row(id: UniqueID(high: .max, low: .max), time: UnixTime(seconds: -1)),
  ]

  private func decode(_ text: String) throws -> Rows {
    try SharedFormat<Rows>.json.decode(Array(text.utf8))
  }

  @Test("Keyed collections are lists, identifiers are texts, times are nanoseconds")
  func roundTrip() throws {
    let text = String(decoding: try SharedFormat<Rows>.json.encode(rows), as: UTF8.self)
    #expect(
      text == """
        [
          {
            "id" : "00000000-0000-0001-0000-0000000000ab",
            "time" : 1500000000
          },
          {
            "id" : "ffffffff-ffff-ffff-ffff-ffffffffffff",
            "time" : -1000000000
          }
        ]

        """)
    #expect(try decode(text) == rows)
    #expect(try decode(text.uppercased().replacing("ID", with: "id").replacing("TIME", with: "time")) == rows)
  }

  @Test(
    "What isn't an identifier is refused, with the place",
    arguments: ["", "1", "0000000000000001000000000000-00ab", "+0000000-0000-0001-0000-0000000000ab"])
  func wrongIdentifier(text: String) {
    #expect {
      try decode(#"[{"id": "\#(text)", "time": 0}]"#)
    } throws: { error in
      "\(error)" == "[0].id: expected an identifier such as 00000000-0000-0000-0000-000000000001, found "
        + text.debugDescription
    }
  }

  @Test("Two rows of one id are refused")
  func twice() {
    let row = #"{"id": "00000000-0000-0000-0000-000000000007", "time": 0}"#
    #expect {
      try decode("[\(row), \(row)]")
    } throws: { error in
      "\(error)".hasSuffix("expected different ids, found 00000000-0000-0000-0000-000000000007 twice")
    }
  }

  @Test("A time too far away to be counted in nanoseconds is refused")
  func farTime() {
    let far: Rows = [Row(id: UniqueID(1), time: UnixTime(seconds: .max))]
    #expect(throws: EncodingError.self) { try SharedFormat<Rows>.json.encode(far) }
  }
}
