/// A line of a file with its neighbours, as failures show them.
enum SourceExcerpt {
  /// Three lines with their numbers, the one that is meant marked; empty where the file has no such line.
  static func lines(of source: String, around line: Int) -> [String] {
    guard line > 0 else { return [] }
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
