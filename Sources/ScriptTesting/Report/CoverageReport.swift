package import Scripting

/// Which lines of scripts tests ran, as people and as programs read it.
package struct CoverageReport {
  private let coverage: LineCoverage

  /// Makes a report of counted lines.
  package init(_ coverage: LineCoverage) { self.coverage = coverage }

  private struct Row {
    var name: String
    var ran: Int
    var all: Int
    var missing = ""

    var share: String {
      guard all > 0 else { return "-" }
      // Never 100 while a line is missing.
      let tenths = ran * 1_000 / all
      return "\(tenths / 10).\(tenths % 10) %"
    }
  }

  /// A table with a row for each file, the lines that did not run, and the total.
  package var text: String {
    guard !coverage.files.isEmpty else { return "coverage: no script was loaded\n" }
    var rows = coverage.files.sorted { $0.key < $1.key }.map { file, lines in
      Row(
        name: file, ran: lines.values.count { $0 > 0 }, all: lines.count,
        missing: Self.ranges(of: lines))
    }
    if rows.count > 1 {
      rows.append(
        Row(name: "all", ran: rows.reduce(0) { $0 + $1.ran }, all: rows.reduce(0) { $0 + $1.all }))
    }
    let width = rows.map(\.name.count).max() ?? 0
    var text = "lines of scripts that ran:\n"
    for row in rows {
      let name = row.name + String(repeating: " ", count: width - row.name.count)
      let counts = Self.right("\(row.ran)/\(row.all)", 9)
      text += "  \(name)  \(counts)  \(Self.right(row.share, 7))"
      text += row.missing.isEmpty ? "\n" : "  not: \(row.missing)\n"
    }
    return text
  }

  /// The counts in the form that lcov, genhtml and most editors read.
  package var lcov: String {
    var text = "TN:\n"
    for (file, lines) in coverage.files.sorted(by: { $0.key < $1.key }) {
      text += "SF:\(file)\n"
      for (line, count) in lines.sorted(by: { $0.key < $1.key }) { text += "DA:\(line),\(count)\n" }
      text += "LF:\(lines.count)\nLH:\(lines.values.count { $0 > 0 })\nend_of_record\n"
    }
    return text
  }

  /// The lines that did not run, such as `12, 30-34`: lines without code between two such lines don't part them.
  private static func ranges(of lines: [Int: Int]) -> String {
    var ranges: [(first: Int, last: Int)] = []
    var isOpen = false
    for (line, count) in lines.sorted(by: { $0.key < $1.key }) {
      if count > 0 {
        isOpen = false
      } else if isOpen {
        ranges[ranges.count - 1].last = line
      } else {
        ranges.append((line, line))
        isOpen = true
      }
    }
    return ranges.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)-\($0.last)" }
      .joined(separator: ", ")
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 0)) + text
  }
}
