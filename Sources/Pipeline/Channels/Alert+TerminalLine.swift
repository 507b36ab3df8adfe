extension Alert {
  /// The alert as one line for people: time, severity, name, key and text.
  ///
  /// Names and texts come from feeds and scripts, so whatever could drive a terminal or turn the line around
  /// is written as an escape.
  package func terminalLine(colour: Bool) -> String {
    guard kind != .published else { return text.printable }
    let word: String
    let style: String
    switch (kind, severity) {
    case (.resolved, _): (word, style) = ("resolved", "32")
    case (_, .info): (word, style) = ("info    ", "36")
    case (_, .warning): (word, style) = ("warning ", "33")
    case (_, .critical): (word, style) = ("critical", "1;31")
    }
    var line = "\(time.rfc3339())  "
    line += colour ? "\u{1b}[\(style)m\(word)\u{1b}[0m" : word
    line += "  " + name.printable
    if !key.isEmpty { line += " [\(key.printable)]" }
    line += ": "
    if HeldDigest.isDigest(self) {
      // A line of its own for each alert, and none more: their texts are on one line each.
      line += text.split(separator: "\n").map { String($0).printable }.joined(separator: "\n    ")
    } else {
      line += text.printable
    }
    if kind == .reminder { line += " (reminder)" }
    return line
  }
}

extension String {
  /// The text with control characters, line breaks and changes of writing direction written as escapes.
  package var printable: String {
    guard unicodeScalars.contains(where: \.drivesTerminal) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where scalar.drivesTerminal: text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}

extension Unicode.Scalar {
  /// Control characters, separators of lines, and marks that change the direction of writing.
  package var drivesTerminal: Bool {
    switch value {
    case 0..<0x20, 0x7f...0x9f: true
    case 0x2028...0x202e, 0x2066...0x2069, 0x200e, 0x200f, 0x061c: true
    default: false
    }
  }
}
