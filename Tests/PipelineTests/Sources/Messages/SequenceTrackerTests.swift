import Testing

@testable import Pipeline

@Suite("Numbers of messages")
struct SequenceTrackerTests {
  typealias Numbers = SequenceTracker.Numbers

  struct Row: CustomTestStringConvertible {
    let name: String
    let numbers: [Numbers]
    let last: SequenceTracker.Finding
    var testDescription: String { name }
  }

  private static func counted(_ numbers: Int64...) -> [Numbers] { numbers.map { Numbers(last: $0) } }

  static let table: [Row] = [
    Row(name: "the first one only begins", numbers: counted(41), last: .inOrder),
    Row(name: "the next one", numbers: counted(41, 42), last: .inOrder),
    Row(name: "one is missing", numbers: counted(41, 43), last: .gap(expected: 42, got: 43)),
    Row(name: "after a gap it goes on", numbers: counted(41, 43, 44), last: .inOrder),
    Row(name: "the same once more", numbers: counted(41, 42, 42), last: .duplicate(got: 42)),
    Row(name: "an earlier one once more", numbers: counted(41, 42, 43, 42), last: .duplicate(got: 42)),
    Row(name: "what was missing comes late", numbers: counted(41, 43, 42), last: .late),
    Row(name: "what came late comes again", numbers: counted(41, 43, 42, 42), last: .duplicate(got: 42)),
    Row(name: "one from before the first comes late", numbers: counted(41, 40), last: .late),
    Row(name: "it begins at nought", numbers: counted(41, 0), last: .reset(expected: 42, got: 0)),
    Row(name: "it begins at one", numbers: counted(1, 2, 3, 1), last: .reset(expected: 4, got: 1)),
    Row(
      name: "it begins further down", numbers: counted(1_000, 936), last: .reset(expected: 1_001, got: 936)),
    Row(name: "as far down as is remembered", numbers: counted(1_000, 937), last: .late),
    Row(name: "it goes on from where it began anew", numbers: counted(1_000, 5, 6), last: .inOrder),
    Row(name: "to the very end", numbers: counted(.max - 1, .max), last: .inOrder),
    Row(name: "over the end", numbers: counted(.max, .min), last: .reset(expected: .min, got: .min)),
    Row(name: "from the very start", numbers: counted(.min, .max), last: .gap(expected: .min + 1, got: .max)),
    Row(
      name: "a range that goes on", numbers: [Numbers(first: 1, last: 5), Numbers(first: 6, last: 9)],
      last: .inOrder),
    Row(
      name: "a range that overlaps", numbers: [Numbers(first: 1, last: 5), Numbers(first: 3, last: 9)],
      last: .inOrder),
    Row(
      name: "a range that begins too late",
      numbers: [Numbers(first: 1, last: 5), Numbers(first: 7, last: 9)],
      last: .gap(expected: 6, got: 7)),
    Row(
      name: "a range within the last one", numbers: [Numbers(first: 1, last: 9), Numbers(first: 3, last: 5)],
      last: .duplicate(got: 5)),
    Row(
      name: "the one before it is named", numbers: [Numbers(last: 10), Numbers(last: 20, previous: 10)],
      last: .inOrder
    ),
    Row(
      name: "the one before it is another", numbers: [Numbers(last: 10), Numbers(last: 20, previous: 15)],
      last: .gap(expected: 10, got: 15)),
    Row(
      name: "the one before it was longer ago", numbers: [Numbers(last: 10), Numbers(last: 20, previous: 9)],
      last: .inOrder),
  ]

  @Test("each message is compared with those before it", arguments: table)
  func comparison(row: Row) {
    var tracker = SequenceTracker()
    var finding = SequenceTracker.Finding.inOrder
    for numbers in row.numbers { finding = tracker.take(numbers, of: 0, connection: 1) }
    #expect(finding == row.last)
  }

  @Test func `streams are counted apart, and over connections unless they begin anew`() {
    var tracker = SequenceTracker()
    _ = tracker.take(Numbers(last: 5), of: 1, connection: 1)
    _ = tracker.take(Numbers(last: 90), of: 2, connection: 1)
    let gap = tracker.take(Numbers(last: 8), of: 1, connection: 2)
    #expect(gap == .gap(expected: 6, got: 8))
    var fresh = SequenceTracker(isPerConnection: true)
    _ = fresh.take(Numbers(last: 5), of: 1, connection: 1)
    let first = fresh.take(Numbers(last: 8), of: 1, connection: 2)
    #expect(first == .inOrder)
  }

  @Test func `any numbers in any order are taken`() {
    var random = SeededRandom(seed: 7)
    let edges: [Int64] = [.min, .min + 1, -1, 0, 1, 2, 63, 64, 65, .max - 1, .max]
    var tracker = SequenceTracker()
    for _ in 0..<20_000 {
      func pick() -> Int64 {
        random.below(2) == 0
          ? edges[Int(random.below(UInt64(edges.count)))] : Int64(truncatingIfNeeded: random.next())
      }
      let numbers = Numbers(
        first: random.below(2) == 0 ? pick() : nil, last: pick(),
        previous: random.below(2) == 0 ? pick() : nil)
      let finding = tracker.take(numbers, of: Int(random.below(3)), connection: 1)
      let again = tracker.take(numbers, of: 9, connection: Int(random.below(3)))
      _ = (finding, again)
      let same = tracker.take(numbers, of: 9, connection: 1)
      let followsItself = same == .inOrder && numbers.previous == numbers.last
      #expect(
        same == .duplicate(got: numbers.last) || numbers.last <= 1 || same == .late || followsItself)
    }
  }

  @Test func `what names the one before it is in order, also where nothing changed or numbers begin anew`() {
    var tracker = SequenceTracker()
    func take(_ previous: Int64, _ last: Int64) -> SequenceTracker.Finding {
      tracker.take(Numbers(last: last, previous: previous), of: 1, connection: 1)
    }
    let findings = [
      take(-1, 100), take(100, 110), take(110, 110), take(110, 15), take(15, 18), take(15, 18), take(20, 25),
    ]
    #expect(
      findings == [
        .inOrder, .inOrder, .inOrder, .inOrder, .inOrder, .duplicate(got: 18), .gap(expected: 18, got: 20),
      ])
  }

  @Test func `ids are known as long as their window reaches`() {
    var ids = RecentIDs(size: 3)
    let taken = [1, 2, 3, 1, 4, 1, 2, 3, 4].map { ids.note($0) }
    #expect(taken == [true, true, true, false, true, true, true, true, true])
  }
}
