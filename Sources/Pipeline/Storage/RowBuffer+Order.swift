import Glibc

extension RowBuffer.Fields {
  /// The rows in the order of their keys, as a tree of them has it; rows of one key keep theirs.
  ///
  /// Written so, many rows touch each page of the tree once, and not one after the other all over it.
  func rowsByKey(count: Int, keyColumns: Int) -> [Int] {
    let isSorted = (0..<max(count - 1, 0)).allSatisfy { compare($0, $0 + 1, keyColumns) <= 0 }
    guard !isSorted else { return Array(0..<count) }
    return (0..<count).sorted { a, b in
      let order = compare(a, b, keyColumns)
      return order == 0 ? a < b : order < 0
    }
  }

  /// Compares the keys of two rows byte by byte, column by column.
  private func compare(_ a: Int, _ b: Int, _ keyColumns: Int) -> Int {
    for column in 0..<keyColumns {
      guard let x = self[a, column], let y = self[b, column] else { continue }
      if let xs = x.baseAddress, let ys = y.baseAddress {
        let order = Int(memcmp(xs, ys, min(x.count, y.count)))
        if order != 0 { return order }
      }
      if x.count != y.count { return x.count - y.count }
    }
    return 0
  }
}
