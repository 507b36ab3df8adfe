import Scripting

/// What came of an attempt to reload.
struct ReloadResult: Sendable, Hashable {
  var time: Timestamp
  /// Whether what stands in the files runs now.
  var isGood: Bool
  /// What was done to scripts, or why nothing was, one sentence each.
  var lines: [String]
  /// The scripts that were replaced.
  var scripts: [String] = []

  /// The result as status and commands show it.
  var value: Value {
    [
      "ok": .bool(isGood), "time": .text(time.rfc3339()), "scripts": .list(scripts.map { .text($0) }),
      "lines": .list(lines.map { .text($0) }),
    ]
  }
}
