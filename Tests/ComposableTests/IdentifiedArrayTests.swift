import Composable
import Testing

@Suite("3.5 The identified array")
struct IdentifiedArrayTests {
  private struct Item: Identifiable, Equatable {
    let id: String
    var value = 0
  }

  @Test("Elements keep their order and are found by id")
  func lookup() {
    var items: IdentifiedArrayOf<Item> = [Item(id: "a"), Item(id: "b"), Item(id: "a", value: 2)]
    #expect(items.map(\.id) == ["a", "b"])
    #expect(items[id: "a"]?.value == 2)
    #expect(items[id: "x"] == nil)
    items[id: "b"]?.value = 5
    #expect(items[1].value == 5)
    let (isNew, isNewAgain) = (items.append(Item(id: "c")), items.append(Item(id: "c", value: 9)))
    #expect(isNew && !isNewAgain)
    items.insert(Item(id: "z"), at: 0)
    #expect(items.ids == ["z", "a", "b", "c"])
    #expect(items.index(id: "c") == 3)
    let result = items.modify("nobody") { _ in true }
    #expect(result == nil)
  }

  @Test("Removing keeps positions right, in every way of removing")
  func removal() {
    func numbers() -> IdentifiedArray<Int, Int> { IdentifiedArray(0..<10, id: { $0 }) }
    var items = numbers()
    let removed = [items.remove(id: 3), items.remove(id: 3), items.remove(at: 0)]
    #expect(removed == [3, nil, 0])
    items[id: 9] = nil
    items.removeAll { $0 % 2 == 0 }
    #expect(Array(items) == [1, 5, 7])
    for id in items.ids { #expect(items[id: id] == id) }
    items.removeAll()
    #expect(items.isEmpty && items[id: 1] == nil)
  }

  @Test("Sorting is stable and keeps ids")
  func sort() {
    var items = IdentifiedArray(["bb", "a", "cc", "d"], id: { $0 })
    items.sort { $0.count < $1.count }
    #expect(Array(items) == ["a", "d", "bb", "cc"])
    for id in items.ids { #expect(items[id: id] == id) }
  }

  @Test("What was removed plays no part in equality, hashing or the mirror")
  func equality() {
    var one = IdentifiedArray(0..<3, id: { $0 })
    one.remove(id: 2)
    let other = IdentifiedArray(0..<2, id: { $0 })
    #expect(one == other)
    #expect(one.hashValue == other.hashValue)
    #expect(Mirror(reflecting: one).children.map(\.label) == ["[id: 0]", "[id: 1]"])
  }
}
