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
    if let coverage { text += CoverageReport(coverage).text }
    for problem in problems { text += "\(problem)\n" }
    text += "\(summary)\n"
    // The order of one test is no news.
    if failedCount > 0, files.reduce(0, { $0 + $1.tests.count }) > 1, let seed {
      text += "to repeat the order of the tests: --seed \(seed)\n"
    }
    return text
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
    if let line { lines += SourceExcerpt.lines(of: file.source, around: line) }
    if !unclaimed.isEmpty {
      lines.append("not claimed:")
      for entry in unclaimed.prefix(Self.shownLimit) {
        lines.append("  \(entry.what)")
        lines += entry.excerpt.map { "  \($0)" }
      }
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
}
