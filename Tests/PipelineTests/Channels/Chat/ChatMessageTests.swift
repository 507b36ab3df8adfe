import Testing

@testable import Pipeline

@Suite("The words of a chat message")
struct ChatMessageTests {
  @Test("heading, text and footer say what, and where it comes from")
  func words() {
    let message = ChatMessage(.sample(labels: ["z": "1", "market": "spot"]))
    #expect(message.heading == "WARNING: over level [btc]")
    #expect(message.text == "bitcoin at 70010.00")
    #expect(message.footer == "2026-01-01T00:00:00Z · prices · market=spot · z=1")
  }

  @Test(
    "the heading's word follows kind and severity",
    arguments: [
      (Alert.Kind.firing, Severity.info, "INFO: over level"), (.firing, .critical, "CRITICAL: over level"),
      (.resolved, .critical, "RESOLVED: over level"), (.reminder, .warning, "WARNING: over level (reminder)"),
    ])
  func heading(kind: Alert.Kind, severity: Severity, heading: String) {
    #expect(ChatMessage(.sample(kind: kind, severity: severity, key: "")).heading == heading)
  }

  @Test("lines stay lines; whatever turns them around or drives a display is written out")
  func control() {
    let message = ChatMessage(.sample(text: "a\tb\r\nc\u{202e}d\u{1b}[31m\ne"))
    #expect(message.text == "a  b\nc\\u{202e}d\\u{1b}[31m\ne")
  }
}
