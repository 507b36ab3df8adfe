/// The form of topics (MQTT 3.1.1, section 4.7).
package enum MQTTTopic {
  /// Whether a text can be subscribed to: `+` and `#` stand for whole levels, `#` for the last one.
  package static func isFilter(_ text: String) -> Bool {
    guard isUsable(text) else { return false }
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    for (index, level) in levels.enumerated() where level.contains("+") || level.contains("#") {
      guard level == "+" || (level == "#" && index == levels.count - 1) else { return false }
    }
    return true
  }

  /// Whether a text can be published to.
  package static func isName(_ text: String) -> Bool {
    isUsable(text) && !text.contains("+") && !text.contains("#")
  }

  private static func isUsable(_ text: String) -> Bool {
    (1...65_535).contains(text.utf8.count) && !text.utf8.contains(0)
  }
}
