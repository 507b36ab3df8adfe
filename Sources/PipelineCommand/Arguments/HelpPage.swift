/// A page of help for the terminal, at most 80 characters wide.
struct HelpPage {
  private static let width = 80
  private var lines: [String] = []

  /// The page, ending in a newline.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// Adds a usage line, broken between its parts.
  mutating func usage(_ parts: [String]) {
    lines += Self.wrapped(parts, first: "usage: ", indent: 9)
  }

  /// Adds a heading, with an empty line before it.
  mutating func heading(_ text: String) {
    if !lines.isEmpty { lines.append("") }
    lines.append(text)
  }

  /// Adds a paragraph, with an empty line before it.
  mutating func paragraph(_ text: String) {
    if !lines.isEmpty { lines.append("") }
    lines += Self.wrapped(text.split(separator: " ").map(String.init), first: "", indent: 0)
  }

  /// Adds a line as it stands, indented.
  mutating func line(_ text: String) { lines.append("  " + text) }

  /// Adds names with their explanations in a second column.
  mutating func columns(_ rows: [(name: String, text: String)]) {
    let column = min(rows.map(\.name.count).max() ?? 0, 26) + 4
    for (name, text) in rows {
      var start = "  " + name
      if start.count + 2 > column {
        lines.append(start)
        start = ""
      }
      start += String(repeating: " ", count: column - start.count)
      lines += Self.wrapped(text.split(separator: " ").map(String.init), first: start, indent: column)
    }
  }

  private static func wrapped(_ words: [String], first: String, indent: Int) -> [String] {
    var lines: [String] = []
    var line = first
    var isStart = true
    for word in words {
      if !isStart, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: indent)
        isStart = true
      }
      line += isStart ? word : " " + word
      isStart = false
    }
    return lines + [line]
  }
}
