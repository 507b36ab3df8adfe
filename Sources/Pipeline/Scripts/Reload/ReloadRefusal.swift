import Scripting

/// Why a reload was refused; what ran before runs on.
package struct ReloadRefusal: Error, Hashable, CustomStringConvertible {
  /// One sentence each, with its place.
  package var findings: [String]

  /// Makes a refusal from its findings, of which there must be at least one.
  package init(_ findings: [String]) { self.findings = findings }

  package init(_ findings: Findings) {
    self.findings = findings.description.split(separator: "\n").map(String.init)
  }

  package var description: String { findings.joined(separator: "\n") }
}

/// What a reload did to one script.
package struct ScriptReloadReport: Sendable, Hashable {
  package var script: String
  /// Keys whose state went on.
  package var keyCount: Int
  /// Whether `M.migrate` made their state.
  package var isMigrated: Bool
  /// What was dropped because `M.dropped` names it.
  package var dropped: [String]

  /// What `M.events.reload` gets.
  var event: Value {
    [
      "keys": .integer(Int64(keyCount)), "migrated": .bool(isMigrated),
      "dropped": .list(dropped.map { .text($0) }),
    ]
  }

  /// The report as a line of the log.
  package var line: String {
    var parts = [keyCount == 1 ? "1 key goes on" : "\(keyCount) keys go on"]
    if isMigrated { parts[0] += ", migrated" }
    if !dropped.isEmpty { parts.append("dropped \(dropped.joined(separator: ", "))") }
    return "reloaded: \(parts.joined(separator: "; "))"
  }
}
