/// What to write in place of a name that isn't known.
package enum Suggestion {
  /// The known name that was most likely meant, whatever the order they are given in; nil if none is near.
  ///
  /// Near means at most one edit for every three characters, at least one; an edit inserts, drops or
  /// replaces a character, or swaps two neighbours. Of equally near names the first in order wins.
  package static func nearest(to name: String, among known: some Collection<String>) -> String? {
    let typed = Array(name.unicodeScalars.prefix(64))
    let limit = max(1, typed.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in known.sorted() {
      let distance = editDistance(typed, Array(candidate.unicodeScalars.prefix(64)))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// The end of a sentence about an unknown name: the nearest known one, or else all of them, at most thirty.
  package static func hint(for name: String, among known: some Collection<String>) -> String {
    if let nearest = nearest(to: name, among: known) { return "did you mean '\(nearest)'?" }
    guard !known.isEmpty else { return "there is none" }
    let shown = known.sorted().prefix(30)
    let rest = known.count - shown.count
    return "known: " + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
