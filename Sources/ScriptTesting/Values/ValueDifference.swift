import Scripting

/// Where two values differ, path by path.
struct ValueDifference {
  /// Differences shown at most.
  static let limit = 12

  private(set) var lines: [String] = []
  private var omitted = 0
  /// Whether a value became another one, which is no mistake.
  private var isChange = false

  /// Compares what was claimed with what there is; nil stands for nothing at all.
  init(_ path: String, expected: Value?, got: Value?) { compare(path, expected, got) }

  /// Compares the given fields alone; a field claimed as null may be absent, which a test file can't write.
  init(fields: [String: Value], got: [String: Value]) {
    for name in Value.sortedKeys(fields) {
      if fields[name] == .null, got[name] == nil { continue }
      compare(name, fields[name], got[name])
    }
  }

  /// Compares what fields were with what they have become.
  init(changed fields: [String], from old: [String: Value], to new: [String: Value]) {
    isChange = true
    for field in fields { compare(field, old[field], new[field]) }
  }

  var isEmpty: Bool { lines.isEmpty }

  /// The differences, one a line.
  var text: String {
    (lines + (omitted > 0 ? ["… and \(omitted) more"] : [])).map { "\n  \($0)" }.joined()
  }

  /// The differences on one line.
  var line: String { lines.joined(separator: ", ") + (omitted > 0 ? ", and \(omitted) more" : "") }

  private mutating func add(_ line: String) {
    if lines.count < Self.limit { lines.append(line) } else { omitted += 1 }
  }

  private mutating func compare(_ path: String, _ expected: Value?, _ got: Value?) {
    switch (expected, got) {
    case (.map(let expected), .map(let got)):
      for name in Set(expected.keys).union(got.keys).sorted() {
        compare("\(path).\(name)", expected[name], got[name])
      }
    case (.list(let expected), .list(let got)):
      for index in 0..<max(expected.count, got.count) {
        // Not `nil`: as a literal of a value that would be null.
        compare(
          "\(path)[\(index + 1)]", index < expected.count ? expected[index] : Value?.none,
          index < got.count ? got[index] : Value?.none)
      }
    default:
      guard expected != got else { return }
      guard !isChange else {
        let (old, new) = (LuaLiteral.write(expected), LuaLiteral.write(got))
        return add("\(path): \(LuaLiteral.short(old)) → \(LuaLiteral.short(new))")
      }
      let shown = "expected \(LuaLiteral.short(LuaLiteral.write(expected)))"
      add("\(path): \(shown), got \(LuaLiteral.short(LuaLiteral.write(got)))\(hint(expected, got))")
    }
  }

  private func hint(_ expected: Value?, _ got: Value?) -> String {
    switch (expected, got) {
    case (.integer(let a), .number(let b)) where Double(a) == b:
      " (equal, but claimed as an integer and kept as a float; write \(b))"
    case (.number(let a), .integer(let b)) where a == Double(b):
      " (equal, but claimed as a float and kept as an integer; write \(b))"
    case (.number, .text), (.integer, .text): " (a text; num(…) makes a number of one)"
    case (.map(let members), .list) where members.isEmpty: " (a list; write json.array {} for an empty one)"
    default: ""
    }
  }
}
