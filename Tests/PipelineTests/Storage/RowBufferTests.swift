import Testing

@testable import Pipeline

@Suite("Row buffer")
struct RowBufferTests {
  private func rows(_ entries: [(String, String?)]) -> RowBuffer {
    var rows = RowBuffer(columns: 2, keyColumns: 1)
    for (key, data) in entries {
      rows.add(key)
      if let data { rows.add(data) } else { rows.addNull() }
    }
    return rows
  }

  private func entries(_ rows: RowBuffer) -> [[String?]] {
    (0..<rows.count).map { [rows.text($0, 0), rows.text($0, 1)] }
  }

  @Test("Fields come back as they were added: text, empty, null, bytes, integers")
  func fields() {
    var rows = RowBuffer(columns: 5, keyColumns: 1)
    rows.add("ключ")
    rows.add("")
    rows.addNull()
    rows.add([0, 255])
    rows.add(Int64.min)
    #expect(rows.count == 1)
    #expect(rows.text(0, 0) == "ключ")
    #expect(rows.text(0, 1) == "")
    #expect(rows.text(0, 2) == nil)
    #expect(rows.bytes(0, 3) == [0, 255])
    #expect(rows.integer(0, 4) == .min)
    #expect(rows.integer(0, 0) == nil || "ключ".utf8.count == 8)
    #expect(rows.integer(0, 1) == nil)
  }

  @Test("Appended rows follow the earlier ones")
  func append() {
    var first = rows([("a", "1"), ("b", nil)])
    first.append(rows([("", ""), ("c", "3")]))
    #expect(entries(first) == [["a", "1"], ["b", nil], ["", ""], ["c", "3"]])
  }

  @Test("Compaction keeps the last row of each key in order, and removals unless asked")
  func compaction() {
    var all = rows([("a", "1"), ("b", "1"), ("a", "2"), ("c", "1"), ("b", nil)])
    all.compact()
    #expect(entries(all) == [["a", "2"], ["c", "1"], ["b", nil]])
    all.compact(droppingRemovals: true)
    #expect(entries(all) == [["a", "2"], ["c", "1"]])
  }

  @Test("Keys are told apart where their fields end")
  func keyBoundaries() {
    var rows = RowBuffer(columns: 3, keyColumns: 2)
    for (script, key) in [("ab", "c"), ("a", "bc"), ("abc", "")] {
      rows.add(script)
      rows.add(key)
      rows.add("x")
    }
    rows.compact()
    #expect(rows.count == 3)
  }

  @Test("Compaction gives what a dictionary would, for random rows", arguments: 0..<20)
  func random(seed: Int) {
    var state = UInt64(seed + 1)
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    var all = RowBuffer(columns: 2, keyColumns: 1)
    var expected: [String: String] = [:]
    for index in 0..<(1 + next(400)) {
      let key = "k\(next(50))"
      all.append(rows([(key, next(4) == 0 ? nil : "\(index)")]))
      expected[key] = all.text(all.count - 1, 1)
    }
    all.compact(droppingRemovals: true)
    let found = Dictionary(uniqueKeysWithValues: entries(all).map { ($0[0] ?? "", $0[1] ?? "") })
    #expect(found == expected)
  }

  @Test("Rows by key are in the order of the keys' bytes, with rows of one key as they were added")
  func order() {
    var buffer = RowBuffer(columns: 3, keyColumns: 2)
    let keys = [
      ("b", "a"), ("a", "b"), ("", "z"), ("a", "ab"), ("a", "b"), ("a", ""), ("ab", "a"), ("a", "ä"),
    ]
    for (index, key) in keys.enumerated() {
      buffer.add(key.0)
      buffer.add(key.1)
      buffer.add("\(index)")
    }
    let order = buffer.withFields { $0.rowsByKey(count: buffer.count, keyColumns: 2) }
    #expect(order == [2, 5, 3, 1, 4, 7, 6, 0])
    let sorted = rows([("a", "1"), ("a", "2"), ("b", "3")])
    #expect(sorted.withFields { $0.rowsByKey(count: 3, keyColumns: 1) } == [0, 1, 2])
    let empty = RowBuffer(columns: 2, keyColumns: 1)
    #expect(empty.withFields { $0.rowsByKey(count: 0, keyColumns: 1) } == [])
  }

  @Test("A buffer that is only appended to stays within twice its keys")
  func bounded() {
    var all = RowBuffer(columns: 2, keyColumns: 1)
    for round in 0..<50 {
      all.append(rows((0..<1_000).map { ("k\($0)", "\(round)") }))
      all.compactIfGrown()
      #expect(all.count <= 2_000)
    }
  }
}
