import Pipeline
import Testing

@Suite struct LogLineTests {
  private func line(_ text: String, _ style: LogLine.Style) -> [UInt8] {
    LogLine.bytes(.warn, "btc", text, time: Timestamp(milliseconds: 0), style: style)
  }

  @Test(arguments: [
    (LogLine.Style.timed, "1970-01-01T00:00:00.000Z warn btc: a\\nb\\u{1b}\n"),
    (.untimed, "warn btc: a\\nb\\u{1b}\n"), (.journal, "<4>btc: a\\nb\\u{1b}\n"),
  ])
  func `a line says time, level, origin and text, control characters escaped`(
    style: LogLine.Style, expected: String
  ) {
    #expect(String(decoding: line("a\nb\u{1b}", style), as: UTF8.self) == expected)
  }

  @Test(arguments: ["x", "é", "€", "😀", "\u{1b}"])
  func `a long line is cut at 4 KiB, between characters`(character: String) {
    let bytes = line(String(repeating: character, count: 100_000), .timed)
    #expect(bytes.count <= LogLine.maximumBytes)
    #expect(bytes.count > LogLine.maximumBytes - 16)
    #expect(String(validating: bytes, as: UTF8.self)?.contains("\u{fffd}") == false)
  }
}
