/// The report as people read it.
extension TestReport {
  /// Each file with its tests, failures in full, and the summary; ends with a line break.
  package var text: String {
    var text = ""
    for file in files {
      text += "\(file.path)\n"
      if let failure = file.failure { text += Self.indented(failure.text(in: file)) }
      for test in file.tests {
        text += "  \(test.failure == nil ? "pass" : "FAIL")  \(test.name)\n"
        if let failure = test.failure { text += Self.indented(failure.text(in: file)) }
      }
    }
    for problem in problems { text += "\(problem)\n" }
    return text + "\(summary)\n"
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "\n" : "        \($0)\n" }.joined()
  }
}

extension TestFailure {
  /// The place, the message, three lines of source, what to claim, and what happened so far.
  func text(in file: TestFileResult) -> String {
    var lines = ["\(file.path)\(line.map { ":\($0)" } ?? ""): \(message)"]
    lines += sourceLines(file.source)
    if !unclaimed.isEmpty {
      lines.append("not claimed:")
      for entry in unclaimed.prefix(Self.shownLimit) { lines.append("  \(entry.what)") }
      if unclaimed.count > Self.shownLimit {
        lines.append("  … and \(unclaimed.count - Self.shownLimit) more")
      }
      lines.append("to claim it, write:")
      for entry in unclaimed.prefix(Self.shownLimit) { lines.append("  \(entry.claim)") }
    }
    if !history.isEmpty {
      lines.append("so far:")
      lines += history.map { "  \($0)" }
    }
    return lines.joined(separator: "\n")
  }

  private static let shownLimit = 10

  private func sourceLines(_ source: String) -> [String] {
    guard let line, line > 0 else { return [] }
    let all = source.split(separator: "\n", omittingEmptySubsequences: false)
    guard line <= all.count else { return [] }
    let shown = max(line - 1, 1)...min(line + 1, all.count)
    let width = String(shown.upperBound).count
    return shown.map { number in
      let digits = String(number)
      let padding = String(repeating: " ", count: width - digits.count)
      return "\(number == line ? ">" : " ") \(padding)\(digits) | \(all[number - 1])"
    }
  }
}
