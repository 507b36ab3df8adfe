import Testing

@testable import Pipeline

@Suite("Which alerts differ")
struct AlertComparisonTests {
  private static func alerts(_ times: [Int64], name: String = "over", key: String = "") -> [Alert] {
    times.map {
      Alert(id: "\($0)", name: name, script: "s", key: key, text: "", time: Timestamp(milliseconds: $0))
    }
  }

  /// The differences in words.
  private static func words(_ first: [Int64], _ second: [Int64]) -> [String] {
    let comparison = AlertComparison(alerts(first), alerts(second))
    return comparison.changes.map { change in
      switch change {
      case .new(let alert): "new \(alert.time.milliseconds)"
      case .gone(let alert): "gone \(alert.time.milliseconds)"
      case .moved(let from, let to): "\(from.time.milliseconds) to \(to.time.milliseconds)"
      }
    } + ["\(comparison.sameCount) same"]
  }

  @Test(
    "those at one time are the same, and of the others the nearest have moved",
    arguments: [
      ([], [], ["0 same"]), ([10, 20], [10, 20], ["2 same"]), ([10], [], ["gone 10", "0 same"]),
      ([], [10], ["new 10", "0 same"]), ([10, 20], [10, 25], ["20 to 25", "1 same"]),
      ([10, 20, 30], [10, 30], ["gone 20", "2 same"]),
      ([100], [10, 95, 300], ["new 10", "100 to 95", "new 300", "0 same"]),
      ([10, 95, 300], [100], ["gone 10", "95 to 100", "gone 300", "0 same"]),
      // A pair never crosses one that stayed.
      ([10, 50], [50, 60], ["gone 10", "new 60", "1 same"]),
    ] as [([Int64], [Int64], [String])])
  func lists(first: [Int64], second: [Int64], expected: [String]) {
    #expect(Self.words(first, second) == expected)
  }

  @Test("scripts, rules, keys and kinds are compared each for itself")
  func lines() {
    let first = Self.alerts([10], key: "a") + Self.alerts([20], name: "under")
    let second = Self.alerts([10], key: "b") + Self.alerts([20], name: "under")
    let comparison = AlertComparison(first, second)
    #expect(comparison.sameCount == 1)
    #expect(Set(comparison.changes) == [.gone(first[0]), .new(second[0])])
  }

  @Test("for chance lists each alert is told once, and the same lists have no difference")
  func chance() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<200 {
      func list() -> [Int64] { (0..<random.below(12)).map { _ in Int64(random.below(40)) }.sorted() }
      let (first, second) = (Self.alerts(list()), Self.alerts(list()))
      let comparison = AlertComparison(first, second)
      var (old, new) = (comparison.sameCount, comparison.sameCount)
      for change in comparison.changes {
        if case .new = change { new += 1 } else { old += 1 }
        if case .moved = change { new += 1 }
      }
      #expect(old == first.count && new == second.count)
      #expect(AlertComparison(first, first).changes.isEmpty)
    }
  }
}
