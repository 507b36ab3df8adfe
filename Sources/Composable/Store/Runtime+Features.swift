extension Runtime {
  /// The instance of a feature, made where it has nothing running yet.
  func instance(of origin: FeatureOrigin) -> FeatureInstance {
    var base = root
    for row in origin.rows { base = instance(at: tree.parent(of: row.place), below: base).child(row) }
    return origin.place == 0 ? base : instance(at: origin.place, below: base)
  }

  private func instance(at place: UInt32, below base: FeatureInstance) -> FeatureInstance {
    if place == base.key?.place ?? 0 { return base }
    return instance(at: tree.parent(of: place), below: base).child(FeatureKey(place: place))
  }

  /// The instance of a feature; nil where it has nothing running.
  func existingInstance(of origin: FeatureOrigin) -> FeatureInstance? {
    var base = root
    for row in origin.rows {
      let parent = existingInstance(at: tree.parent(of: row.place), below: base)
      guard let row = parent?.children[row] else { return nil }
      base = row
    }
    return origin.place == 0 ? base : existingInstance(at: origin.place, below: base)
  }

  private func existingInstance(at place: UInt32, below base: FeatureInstance) -> FeatureInstance? {
    if place == base.key?.place ?? 0 { return base }
    return existingInstance(at: tree.parent(of: place), below: base)?.children[FeatureKey(place: place)]
  }

  /// Cancels all that a feature which is gone had started, and those of its actions that wait.
  func end(_ origin: FeatureOrigin) {
    if !queue.isEmpty { ended[origin] = queue.end }
    if let feature = existingInstance(of: origin) { cancel(feature.end()) }
  }

  /// Ends those rows of a `forEach` for which a function answers true.
  func endRows(of place: UInt32, below rows: [FeatureKey], where isGone: (EffectID) -> Bool) {
    var gone: Set<FeatureKey> = []
    let parent = existingInstance(of: FeatureOrigin(place: tree.parent(of: place), rows: rows))
    for key in parent?.children.keys ?? [:].keys where key.place == place { gone.insert(key) }
    for origin in queue.origins where origin.rows.count > rows.count && origin.rows.starts(with: rows) {
      if origin.rows[rows.count].place == place { gone.insert(origin.rows[rows.count]) }
    }
    for key in gone {
      if let row = key.row, isGone(row) { end(FeatureOrigin(rows: rows + [key])) }
    }
  }

  /// Whether the feature that sent a waiting action has ended since.
  func hasEnded(_ origin: FeatureOrigin, since number: Int) -> Bool {
    func isMarked(_ place: UInt32, _ rows: ArraySlice<FeatureKey>) -> Bool {
      ended[FeatureOrigin(place: place, rows: Array(rows))].map { number < $0 } ?? false
    }
    var place = origin.place
    for count in stride(from: origin.rows.count, through: 0, by: -1) {
      let rows = origin.rows[..<count]
      let base = rows.last?.place ?? 0
      while place != 0, place != base {
        if isMarked(place, rows) { return true }
        place = tree.parent(of: place)
      }
      if count == 0 { return false }
      if isMarked(0, rows) { return true }
      place = tree.parent(of: base)
    }
    return false
  }
}
