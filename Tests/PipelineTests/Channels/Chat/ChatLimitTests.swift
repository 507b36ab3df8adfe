import Testing

@testable import Pipeline

@Suite("Limits of chat messages")
struct ChatLimitTests {
  private let bytes = ChatLimit(
    units: 40, count: { $0.utf8.count }, escape: { character, _ in String(character) })
  private let marks = ChatLimit(
    units: 40, count: { $0.utf16.count },
    escape: { character, startsLine in
      character == "<" ? "&lt;" : character == "#" && startsLine ? "\\#" : String(character)
    })

  @Test(
    "a text is cut between characters, with an ellipsis within the limit",
    arguments: [
      (10, "0123456789", "0123456789"), (10, "0123456789a", "0123456…"), (10, "ééééé", "ééééé"),
      (10, "éééééé", "ééé…"), (9, "👩‍👩‍👧‍👦!", "…"), (3, "abcd", "…"), (2, "abcd", ""), (0, "a", ""), (0, "", ""),
    ])
  func cut(units: Int, text: String, fitted: String) {
    #expect(bytes.fitted(text, within: units) == fitted)
  }

  @Test("an escape is never cut in the middle, and counts unless the service counts what it shows")
  func escapes() {
    #expect(marks.fitted("a<b", within: 6) == "a&lt;b")
    #expect(marks.fitted("a<bc", within: 6) == "a&lt;…")
    #expect(marks.fitted("a<bc", within: 5) == "a…")
    #expect(marks.fitted("# a # b\n# c", within: 40) == "\\# a # b\n\\# c")
    var shown = marks
    shown.countsEscapes = false
    #expect(shown.fitted("a<bc", within: 4) == "a&lt;bc")
    #expect(shown.fitted("a<bcd", within: 4) == "a&lt;b…")
  }

  @Test("a whole message stays within the limit, and the text gives way before heading and footer")
  func message() {
    var message = ChatMessage(.sample())
    message.heading = "head"
    message.footer = "foot"
    message.text = String(repeating: "x", count: 100)
    let whole = bytes.message(message) { "[\($0)|\($1)|\($2)]" }
    #expect(whole == "[head|" + String(repeating: "x", count: 25) + "…|foot]")
    #expect(whole.utf8.count == 40)
  }

  @Test("no message of any service is longer than it takes, whatever is in it", arguments: 0..<40)
  func anything(seed: UInt64) {
    var random = SeededRandom(seed: seed + 1)
    let pieces = ["a", "é", "<", "&", "*", "_", "\n", "😀", "👩‍👩‍👧‍👦", "#", "\\", " ", "\u{202e}", "e\u{301}"]
    func text(_ count: UInt64) -> String {
      (0..<random.below(count + 1)).map { _ in pieces[Int(random.below(UInt64(pieces.count)))] }.joined()
    }
    var alert = Alert.sample(key: text(900), text: text(9_000), labels: [text(9): text(900)])
    alert.name = text(900)
    let message = ChatMessage(alert)
    for limit in [SlackSettings.limit, DiscordSettings.limit, NtfySettings.limit] {
      let whole = limit.message(message) { "**\($0)**\n\($1)\n-# \($2)" }
      #expect(limit.count(whole) <= limit.units)
    }
    // Telegram counts what it shows.
    let shown = TelegramSettings.limit.message(message) { "\($0)\n\($1)\n\($2)" }
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    #expect(shown.utf16.count <= 4_096)
  }
}
