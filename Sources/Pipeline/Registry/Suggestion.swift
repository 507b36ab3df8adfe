/// The end of a sentence about an unknown name.
enum Suggestion {
  /// The known name that was most likely meant, whatever the order they are given in; nil if none is near.
  static func nearest(to name: String, among known: some Collection<String>) -> String? {
    closestName(to: name, among: known.sorted())
  }

  /// What to write instead: the nearest known name, or else all of them, at most thirty.
  static func hint(for name: String, among known: some Collection<String>) -> String {
    if let nearest = nearest(to: name, among: known) { return "did you mean '\(nearest)'?" }
    guard !known.isEmpty else { return "there is none" }
    let shown = known.sorted().prefix(30)
    let rest = known.count - shown.count
    return "known: " + shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}
