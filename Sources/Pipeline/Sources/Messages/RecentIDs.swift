/// The ids of the latest messages of a source, by their hashes: a window of fixed size.
package struct RecentIDs: Sendable {
  private let size: Int
  private var known: Set<Int> = []
  private var order: [Int] = []
  private var oldest = 0

  /// Makes an empty window for so many ids.
  package init(size: Int) { self.size = max(size, 1) }

  /// Notes an id; false if it is among the latest ones already.
  package mutating func note(_ id: Int) -> Bool {
    guard known.insert(id).inserted else { return false }
    if order.count < size {
      order.append(id)
    } else {
      known.remove(order[oldest])
      order[oldest] = id
      oldest = (oldest + 1) % size
    }
    return true
  }
}
