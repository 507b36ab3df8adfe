import Scripting
import Testing

@testable import Pipeline

@Suite("Options of a session")
struct SessionSettingsTests {
  @Test(
    "options that don't fit together are reported",
    arguments: [
      (["login": [["within": "1s"]]], "login[1]: expected 'send', 'expect' or both, got neither"),
      (["heartbeat": ["every": "1s"]], "heartbeat: expected 'send', 'expect' or both, got neither"),
      (
        ["subscriptions": ["a": ["send": ["op": "x"], "items": ["A"]]]],
        "subscriptions.a.send: expected {items}, or {item} in an element of a list, to say where items go"
      ),
      (
        ["subscriptions": ["a": ["send": ["op": "{item}"]]]],
        "subscriptions.a.chunk: expected chunk = 1, since {item} stands outside of a list"
      ),
      (
        ["subscriptions": ["a": ["send": "x", "stale_after": "1s"]]],
        "subscriptions.a.stale_after: needs 'match', which says what its data are like"
      ),
      (
        ["subscriptions": ["a": ["send": ["{item}"], "items": ["A", "A"]]]],
        "subscriptions.a.items: an item stands twice"
      ),
    ] as [([String: Value], String)])
  func faults(options: [String: Value], finding: String) throws {
    let (fields, findings) = SessionTrial.read(options)
    #expect(findings == [])
    let faults = SessionSettings.faults(try #require(fields))
    #expect(faults.map { "\($0.field): \($0.message)" } == [finding])
  }
}
