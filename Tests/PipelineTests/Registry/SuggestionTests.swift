import Testing

@testable import Pipeline

@Suite("Suggestions for misspelt names")
struct SuggestionTests {
  @Test(
    "A name a few typing errors away is suggested",
    arguments: [
      ("urll", "url"), ("ur", "url"), ("rul", "url"), ("headres", "headers"), ("Headers", "headers"),
      ("reconect", "reconnect"), ("stale_atfer", "stale_after"),
    ])
  func near(name: String, expected: String) {
    let known = ["url", "headers", "reconnect", "stale_after"]
    #expect(Suggestion.nearest(to: name, among: known) == expected)
  }

  @Test(
    "A name further away, or too short to say, is not",
    arguments: ["", "xy", "uxy", "heard", String(repeating: "a", count: 10_000)])
  func far(name: String) {
    #expect(Suggestion.nearest(to: name, among: ["url", "headers", "reconnect"]) == nil)
  }

  @Test("The nearest wins, and of equally near ones the first by name, whatever the order")
  func best() {
    #expect(Suggestion.nearest(to: "pings", among: ["pongs", "ping"]) == "ping")
    #expect(Suggestion.nearest(to: "cat", among: ["rat", "bat"]) == "bat")
    #expect(Suggestion.nearest(to: "cat", among: ["bat", "rat"]) == "bat")
  }

  @Test("Without a near name the hint lists the known ones, at most thirty")
  func hints() {
    #expect(Suggestion.hint(for: "zzzzz", among: ["b", "a"]) == "known: a, b")
    #expect(Suggestion.hint(for: "zzzzz", among: [String]()) == "there is none")
    let many = (100..<200).map { "name\($0)" }
    #expect(Suggestion.hint(for: "zzzzz", among: many).hasSuffix("name129 and 70 more"))
  }
}
