import Testing

@testable import Pipeline

@Suite("Durations and sizes as text")
struct QuantitiesTests {
  @Test(
    "A duration is a whole number and a unit",
    arguments: [
      ("500ms", 500), ("10s", 10_000), ("10m", 600_000), ("2h", 7_200_000), ("1d", 86_400_000), ("0s", 0),
    ])
  func durations(text: String, milliseconds: Int64) {
    #expect(DurationText.read(text)?.count == milliseconds)
    #expect(DurationText.write(Milliseconds(milliseconds)) == text)
  }

  @Test(
    "Anything else is no duration",
    arguments: [
      "", "s", "10", "10 s", " 10s", "-1s", "1.5s", "1w", "10S", "9223372036854775807d",
      "99999999999999999999s",
    ])
  func badDurations(text: String) {
    #expect(DurationText.read(text) == nil)
  }

  @Test(
    "A size is a whole number and a decimal or binary unit",
    arguments: [
      ("100B", 100), ("16KB", 16_000), ("64KiB", 65_536), ("16MB", 16_000_000), ("1MiB", 1_048_576),
      ("2GB", 2_000_000_000), ("2GiB", 2_147_483_648), ("0B", 0),
    ])
  func sizes(text: String, bytes: Int64) {
    #expect(SizeText.read(text) == bytes)
    #expect(SizeText.write(bytes) == text)
  }

  @Test("Anything else is no size", arguments: ["", "16", "MB", "16mb", "16 MB", "-1B", "99999999999GiB"])
  func badSizes(text: String) {
    #expect(SizeText.read(text) == nil)
  }
}
