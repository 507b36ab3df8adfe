/// The name that a misspelt one most likely meant, nil if none is near.
///
/// Near means at most one edit for every three characters, at least one; an edit inserts, drops or
/// replaces a character, or swaps two neighbours. Of equally near names the first wins.
package func closestName(to name: String, among candidates: [String]) -> String? {
  let typed = Array(name.unicodeScalars.prefix(64))
  let limit = max(1, typed.count / 3)
  var best: (name: String, distance: Int)?
  for candidate in candidates {
    let distance = editDistance(typed, Array(candidate.unicodeScalars.prefix(64)))
    if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  return best?.name
}

/// The smallest number of edits between two texts, where swapping two neighbours is one edit.
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 0..<a.count {
    var row = [i + 1]
    for j in 0..<b.count {
      var distance = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { distance = min(distance, beforeLast[j - 1] + 1) }
      row.append(distance)
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
