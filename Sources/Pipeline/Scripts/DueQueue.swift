/// Times at which something is to be done, the earliest first; equal times in the order they were added.
///
/// Entries are never removed from the middle: who takes one out asks again whether it still holds.
struct DueQueue<Item> {
  private struct Entry {
    var due: Timestamp
    var order: UInt64
    var item: Item
  }

  private var heap: [Entry] = []
  private var added: UInt64 = 0

  /// The earliest time, nil when nothing is due ever.
  var earliest: Timestamp? { heap.first?.due }

  /// Adds an item to be done at a time.
  mutating func add(_ item: Item, due: Timestamp) {
    added += 1
    heap.append(Entry(due: due, order: added, item: item))
    var child = heap.count - 1
    while child > 0, precedes(child, (child - 1) / 2) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Every item with its time, in the order in which they come out.
  var inOrder: [(item: Item, due: Timestamp)] {
    var rest = self
    var items: [(item: Item, due: Timestamp)] = []
    while let next = rest.popFirst(by: Timestamp(milliseconds: .max)) { items.append(next) }
    return items
  }

  /// Takes out the earliest item if it is due by a time.
  mutating func popFirst(by time: Timestamp) -> (item: Item, due: Timestamp)? {
    guard let first = heap.first, first.due <= time else { return nil }
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && precedes(child, least) {
        least = child
      }
      if least == parent { break }
      heap.swapAt(parent, least)
      parent = least
    }
    return (first.item, first.due)
  }

  private func precedes(_ a: Int, _ b: Int) -> Bool {
    heap[a].due != heap[b].due ? heap[a].due < heap[b].due : heap[a].order < heap[b].order
  }
}
