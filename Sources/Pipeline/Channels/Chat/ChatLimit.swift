/// How long a text may be for one service: in which units it counts, and how it escapes.
struct ChatLimit: Sendable {
  /// The most units of a whole message.
  var units: Int
  /// The units of a text.
  var count: @Sendable (String) -> Int
  /// Writes one character so that the service shows it as it is, at the start of a line or within.
  var escape: @Sendable (_ character: Character, _ startsLine: Bool) -> String
  /// Whether escapes count, as they do unless the service counts what it shows.
  var countsEscapes = true

  /// The escapes of markup such as HTML.
  static let markup: @Sendable (Character, Bool) -> String = { character, _ in character.withoutMarkup }

  /// Escapes a text and cuts it, between characters and with an ellipsis, where it has more than some units.
  func fitted(_ text: String, within units: Int) -> String { cut(text, within: units).text }

  /// Puts the parts together so that the whole stays within the limit: the text gives way first.
  ///
  /// - Parameter layout: joins the heading, the text and the footer, each escaped and cut; what it adds counts too.
  func message(_ message: ChatMessage, layout: (String, String, String) -> String) -> String {
    let heading = cut(message.heading, within: units / 8)
    let footer = cut(message.footer, within: units / 8)
    let room = units - count(layout("", "", "")) - heading.units - footer.units
    return layout(heading.text, fitted(message.text, within: room), footer.text)
  }

  private func cut(_ text: String, within units: Int) -> (text: String, units: Int) {
    let ellipsis = count("…")
    var result = ""
    var used = 0
    // How far the result reaches while there is still room for an ellipsis.
    var kept = (text: "", units: 0)
    var startsLine = true
    for character in text {
      let escaped = escape(character, startsLine)
      used += count(countsEscapes ? escaped : String(character))
      guard used <= units else {
        return kept.units + ellipsis <= units ? (kept.text + "…", kept.units + ellipsis) : ("", 0)
      }
      result += escaped
      if used + ellipsis <= units { kept = (result, used) }
      startsLine = character == "\n"
    }
    return (result, used)
  }
}

extension Character {
  /// Itself, or what stands for it where markup such as HTML is read.
  var withoutMarkup: String {
    switch self {
    case "&": "&amp;"
    case "<": "&lt;"
    case ">": "&gt;"
    default: String(self)
    }
  }
}
