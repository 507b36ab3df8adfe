import Composable
import Testing

@Suite("3.9 Differences by path")
struct DifferenceTests {
  private struct Tree: Equatable {
    var name = "tree"
    var size: Int?
    var kind = Kind.leaf
    var children: [Tree] = []
    var labels: [String: Int] = [:]
    var tags: Set<String> = []
    var place = (x: 1, y: 2)

    static func == (a: Tree, b: Tree) -> Bool {
      a.name == b.name && a.size == b.size && a.kind == b.kind && a.children == b.children
        && a.labels == b.labels && a.tags == b.tags && a.place == b.place
    }
  }

  private indirect enum Kind: Equatable {
    case leaf
    case branch(depth: Int, Tree)
  }

  private func lines(_ change: (inout Tree) -> Void) -> String {
    let old = Tree()
    var new = old
    change(&new)
    return Difference(from: old, to: new).description
  }

  @Test("Each kind of part is named by its path")
  func paths() {
    #expect(lines { $0.name = "bush" } == #"  name: "tree" → "bush""#)
    #expect(lines { $0.size = 3 } == "  size: nil → 3")
    #expect(
      lines { $0.kind = .branch(depth: 1, Tree()) }.hasPrefix("  kind: .leaf → .branch(depth: 1, Tree("))
    #expect(lines { $0.labels["a"] = 1 } == #"  labels["a"]: 1 is new"#)
    #expect(lines { $0.tags = ["x"] } == #"  tags"x": "x" is new"#)
    #expect(lines { $0.place.y = 5 } == "  place.y: 2 → 5")
    #expect(lines { _ in } == "")
  }

  @Test("Nested parts show only what differs")
  func nested() {
    let old = Tree(kind: .branch(depth: 1, Tree()), children: [Tree(), Tree(name: "second")])
    var new = old
    new.kind = .branch(depth: 2, Tree(size: 1))
    new.children[1].labels = ["a": 1]
    new.children.append(Tree(name: "third"))
    let text = Difference(from: old, to: new).description
    #expect(text.contains("  kind.branch.depth: 1 → 2\n  kind.branch.1.size: nil → 1\n"), "\(text)")
    #expect(text.contains("  children[1].labels[\"a\"]: 1 is new\n"))
    #expect(text.contains("  children[2]: Tree(name: \"third\""))
  }

  @Test("Rows of an identified array are compared by id")
  func rows() {
    let old = IdentifiedArray([1, 2, 3], id: { $0 })
    var new = old
    new.remove(id: 1)
    new[id: 3] = 30
    #expect(Difference(from: old, to: new).description == "  [id: 1]: 1 is gone\n  [id: 3]: 3 → 30")
    var sorted = old
    sorted.sort(by: >)
    #expect(Difference(from: old, to: sorted).description.contains("order [id: 1][id: 2][id: 3]"))
  }

  @Test("Long differences and values are cut, and the rest is counted")
  func bounded() {
    let difference = Difference(
      from: Array(repeating: 0, count: 1_000), to: Array(repeating: 1, count: 1_000))
    #expect(difference.lines.count == Difference.limit)
    #expect(difference.description.hasSuffix("  and 976 more"))
    #expect(shown(String(repeating: "x", count: 1_000_000)).count == 200)
    #expect(shown(Array(0..<100_000)).count == 200)
  }
}
