import Scripting

/// Looks for what a script would lose by being replaced: rules, pending actions, its keys.
///
/// What is meant to go is listed in the new script's `M.dropped`, by the names of rules and actions, and as
/// `"M.key"` for the states under keys.
struct ReloadCheck {
  static let keyName = "M.key"

  let old: ScriptRunner
  let new: ScriptRunner
  /// The names that the new script lets go.
  private(set) var dropped: Set<String> = []
  private(set) var findings: [String] = []

  init(old: ScriptRunner, new: ScriptRunner) {
    self.old = old
    self.new = new
    readDropped()
    checkRules()
    checkActions()
    if loses(\.isKeyed), !dropped.contains(Self.keyName) {
      lost("M.key", "the script keeps a state for each key", Self.keyName)
    }
  }

  private var file: String { new.source.file.name }

  private func loses(_ isThere: (ScriptRunner) -> Bool) -> Bool { isThere(old) && !isThere(new) }

  private mutating func lost(_ what: String, _ why: String, _ name: String) {
    findings.append(
      "\(file): \(what) is gone, but \(why); keep it, or let it go with M.dropped = { \(LuaText.write(.text(name))) }"
    )
  }

  private mutating func readDropped() {
    guard case .list(let names)? = new.declarations["dropped"] else {
      findings.append(
        "\(file): M.dropped: expected a list of names such as { \"over level\" }, got "
          + (new.declarations["dropped"]?.kindName ?? "nothing"))
      return
    }
    for name in names {
      guard let text = name.text else {
        findings.append("\(file): M.dropped: expected the names of rules and actions, got \(name.kindName)")
        continue
      }
      let isKept =
        new.rules.contains { $0.name == text } || new.session.actions.contains(text)
        || (text == Self.keyName && new.isKeyed)
      if isKept {
        findings.append("\(file): M.dropped names '\(text)', which the script has; take it off the list")
      }
      dropped.insert(text)
    }
  }

  private mutating func checkRules() {
    let kept = Set(new.rules.map(\.name))
    for rule in old.rules where !kept.contains(rule.name) && !dropped.contains(rule.name) {
      let hint = Suggestion.nearest(to: rule.name, among: kept.subtracting(old.rules.map(\.name)))
      lost(
        "the rule '\(rule.name)'",
        "what it knows of its keys would be lost" + (hint.map { " ('\($0)' would begin anew)" } ?? ""),
        rule.name)
    }
  }

  private mutating func checkActions() {
    var told: Set<String> = []
    for (name, timer) in old.session.timers.pending {
      guard let action = timer.action(of: name), !new.session.actions.contains(action),
        !dropped.contains(action), told.insert(action).inserted
      else { continue }
      let key = name.key.isEmpty ? "" : " for the key '\(name.key.prefix(60))'"
      lost(
        "M.actions.\(action)",
        name.isRequest ? "a request waits to reply to it\(key)" : "a timer waits to run it\(key)", action)
    }
  }
}

extension ScriptTimer {
  /// The action that the timer leads to, nil for one that leads to none.
  func action(of name: ScriptTimer.Name) -> String? {
    name.isRequest ? reply?.action : name.throttled?.action ?? name.action
  }
}
