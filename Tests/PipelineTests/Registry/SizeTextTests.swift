import Testing

@testable import Pipeline

@Suite("Sizes as text")
struct SizeTextTests {
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
