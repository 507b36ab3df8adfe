/// Finds what somebody meant by a misspelt name.
enum Suggestion {
  /// The known name nearest to a misspelt one, at most two typing errors away; nil if none is.
  ///
  /// An inserted, missing, wrong or swapped letter is one error. Names of up to three letters allow one. Of
  /// equally near names the first in order wins, so that the answer doesn't depend on the order given.
  static func nearest(to name: String, among known: some Sequence<String>) -> String? {
    let letters = Array(name.unicodeScalars.prefix(65))
    guard !letters.isEmpty, letters.count <= 64 else { return nil }
    var best: (distance: Int, name: String)?
    for candidate in known where candidate != name {
      let other = Array(candidate.unicodeScalars)
      let allowed = min(letters.count, other.count) <= 3 ? 1 : 2
      guard abs(other.count - letters.count) <= allowed else { continue }
      let distance = distance(letters, other)
      guard distance <= allowed else { continue }
      if let best, (best.distance, best.name) <= (distance, candidate) { continue }
      best = (distance, candidate)
    }
    return best?.name
  }

  /// The end of a sentence about an unknown name: the nearest known one, or else all of them.
  static func hint(for name: String, among known: some Collection<String>) -> String {
    if let nearest = nearest(to: name, among: known) { return "did you mean '\(nearest)'?" }
    guard !known.isEmpty else { return "there is none" }
    let shown = known.sorted().prefix(30)
    let rest = known.count - shown.count
    return "known: " + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  /// The number of typing errors between two names (optimal string alignment distance).
  private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
      var row = [i]
      for j in stride(from: 1, through: b.count, by: 1) {
        let same = a[i - 1] == b[j - 1]
        var cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          cost = min(cost, beforeLast[j - 2] + 1)
        }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }
}
