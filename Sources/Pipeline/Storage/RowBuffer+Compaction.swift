extension RowBuffer {
  /// Keeps the last row of each key and drops the earlier ones, and, when asked, removals too.
  ///
  /// Takes time in proportion to the rows. Keys come from feeds, so they are hashed with the process's own
  /// random seed.
  package mutating func compact(droppingRemovals: Bool = false) {
    let kept = lastRows()
    var newBytes: [UInt8] = []
    var newEnds: [Int] = []
    newBytes.reserveCapacity(bytes.count)
    newEnds.reserveCapacity(ends.count)
    withFields { fields in
      for row in 0..<count where kept[row] && !(droppingRemovals && isRemoval(row)) {
        for column in 0..<columns {
          if let field = fields[row, column] {
            newBytes.append(contentsOf: field)
            newEnds.append(newBytes.count << 1)
          } else {
            newEnds.append(newBytes.count << 1 | 1)
          }
        }
      }
    }
    replace(bytes: newBytes, ends: newEnds)
  }

  /// Compacts when the rows have doubled since the last time, so that a buffer that is only appended to
  /// stays within twice its number of keys.
  mutating func compactIfGrown() {
    if count > 1_024 && count > 2 * compactedCount { compact() }
  }

  /// For each row whether it is the last one of its key.
  private func lastRows() -> [Bool] {
    let count = self.count
    var kept = [Bool](repeating: false, count: count)
    var capacity = 16
    while capacity < count * 2 { capacity *= 2 }
    // Open addressing over row numbers, -1 for a free place.
    var table = [Int](repeating: -1, count: capacity)
    withFields { fields in
      for row in stride(from: count - 1, through: 0, by: -1) {
        var place = hash(fields, row) & (capacity - 1)
        while table[place] >= 0, !sameKey(fields, table[place], row) {
          place = (place + 1) & (capacity - 1)
        }
        if table[place] < 0 {
          table[place] = row
          kept[row] = true
        }
      }
    }
    return kept
  }

  private func hash(_ fields: Fields, _ row: Int) -> Int {
    var hasher = Hasher()
    for column in 0..<keyColumns {
      if let field = fields[row, column] {
        hasher.combine(field.count)
        hasher.combine(bytes: field)
      }
    }
    return hasher.finalize()
  }

  private func sameKey(_ fields: Fields, _ a: Int, _ b: Int) -> Bool {
    for column in 0..<keyColumns {
      switch (fields[a, column], fields[b, column]) {
      case (nil, nil): continue
      case (let x?, let y?) where x.elementsEqual(y): continue
      default: return false
      }
    }
    return true
  }
}
