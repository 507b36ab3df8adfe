import Testing

@testable import Pipeline

@Suite struct DurationTextTests {
  @Test(
    "A duration is a whole number and its unit",
    arguments: [
      ("500ms", 500), ("10s", 10_000), ("10m", 600_000), ("2h", 7_200_000), ("1d", 86_400_000), ("0s", 0),
      ("007s", 7_000), ("9223372036854775807ms", Int64.max),
    ])
  func reading(_ text: String, _ milliseconds: Int64) throws {
    #expect(try Milliseconds(parsing: text) == Milliseconds(milliseconds))
  }

  @Test(
    "Anything else is refused with what to write",
    arguments: [
      ("600", #"expected a duration with its unit, got "600"; write "600s" for seconds"#),
      ("", #"expected a duration such as "10m", got """#),
      ("-1s", #"expected a duration such as "10m", got "-1s""#),
      ("10 m", #"expected a duration such as "10m", got "10 m"; the units are ms, s, m, h and d"#),
      ("10min", #"expected a duration such as "10m", got "10min"; the units are ms, s, m, h and d"#),
      (
        "1h30m",
        #"expected a duration such as "10m", got "1h30m"; write a whole number in one unit, such as "90m""#
      ),
      (
        "1.5h",
        #"expected a duration such as "10m", got "1.5h"; write a whole number in one unit, such as "90m""#
      ),
      (
        "9223372036854775808ms",
        #"expected a duration of at most 9223372036854775807ms, got "9223372036854775808ms""#
      ),
      (
        "106751991168d",
        #"expected a duration of at most 9223372036854775807ms, got "106751991168d""#
      ),
    ])
  func refusal(_ text: String, _ sentence: String) {
    let error = #expect(throws: InvalidDuration.self) { try Milliseconds(parsing: text) }
    #expect(error?.description == sentence)
  }

  @Test(
    "A duration is written in the longest unit that holds it, and read back",
    arguments: [
      (0, "0s"), (1, "1ms"), (1_500, "1500ms"), (90_000, "90s"), (5_400_000, "90m"), (172_800_000, "2d"),
    ] as [(Int64, String)])
  func writing(_ milliseconds: Int64, _ text: String) throws {
    #expect(Milliseconds(milliseconds).description == text)
    #expect(try Milliseconds(parsing: text) == Milliseconds(milliseconds))
  }
}
