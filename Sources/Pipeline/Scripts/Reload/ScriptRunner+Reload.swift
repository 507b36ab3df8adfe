import Scripting

/// What happens to a script when another form of it takes its place.
extension ScriptRunner {
  /// The name under which the form of the stored states stands among the rules, which can't have it.
  static let shapeRule = "\u{1}shape"

  /// The form of the state that declarations stand for: see ``shape``.
  static func shape(of declarations: Value) -> String {
    guard case .map(let fields)? = declarations["state"] else { return "" }
    let kinds = fields.mapValues { value -> Value in
      .text(value["$statistic"] == nil ? value.kindName : "a statistic")
    }
    return (["fields": .map(kinds), "keyed": .bool(isKeyed(declarations))] as Value).json
  }

  private static func isKeyed(_ declarations: Value) -> Bool { declarations["keyed"] == true }

  /// Whether the script keeps a state for each key.
  var isKeyed: Bool { Self.isKeyed(declarations) }

  /// Takes a row of a former form of the script over; returns why it can't.
  func take(_ row: String, of key: String, migrating: Bool, at now: Timestamp) -> String? {
    var row = row
    return row.withUTF8 { take(UnsafeRawBufferPointer($0), of: key, migrating: migrating, at: now) }
  }

  /// Takes a row over, through `M.migrate` if the row is of another form; returns why it can't.
  func take(_ row: UnsafeRawBufferPointer, of key: String, migrating: Bool, at now: Timestamp) -> String? {
    do throws(HostFunctionError) {
      try machine.restore(key: key, row: row)
    } catch {
      return "\(error)"
    }
    guard migrating, machine.migrates else { return nil }
    return machine.migrate(key: key, row: row, time: now.milliseconds)?.reason
  }

  /// Puts the changed states alone into a commit.
  func collectState(into commit: inout Commit) {
    machine.takeChangedKeys { key, row in
      reload?.note(key)
      commit.putState(script: name, key: key, data: row)
    }
  }

  /// Goes on with another form of the script, whose machine has the states already; returns what was dropped.
  func replace(by next: ScriptRunner, dropping dropped: Set<String>, dropsKeys: Bool, at now: Timestamp)
    -> [String]
  {
    var commit = Commit()
    collect(into: &commit)
    carried = commit
    var gone: Set<String> = []
    if dropsKeys {
      for key in 0..<UInt32(machine.keyCount) where !machine.keyName(key).isEmpty {
        carried.putState(script: name, key: machine.keyName(key), data: nil)
        gone.insert(ReloadCheck.keyName)
      }
    }
    let (old, new) = (session, next.session)
    moveRules(from: old, to: next, dropsKeys: dropsKeys, &gone, at: now)
    new.take(over: old) { name, timer in
      if dropsKeys, !name.key.isEmpty { return false }
      guard let action = timer.action(of: name), !new.actions.contains(action) else { return true }
      gone.insert(action)
      return false
    }
    earlierKeylessCount += machine.skippedCount
    earlierCoverage.add(machine.coverage)
    let oldRecurrences = recurrences
    machine = next.machine
    session = new
    declarations = next.declarations
    source = next.source
    recurrences = next.recurrences
    // The new script may well be the cure.
    suspension = Suspension()
    machine.setRunsTwice(runsTwice)
    reloaded = now
    for (action, recurrence) in recurrences.sorted(by: { $0.key < $1.key })
    where oldRecurrences[action] != recurrence {
      session.timers.schedule(ScriptTimer.Name(key: "", action: action), at: recurrence.next(after: now))
    }
    for action in oldRecurrences.keys.sorted() where recurrences[action] == nil {
      session.timers.remove(ScriptTimer.Name(key: "", action: action))
    }
    armRules(at: now)
    return gone.sorted()
  }

  private func moveRules(
    from old: ScriptSession, to next: ScriptRunner, dropsKeys: Bool, _ gone: inout Set<String>,
    at now: Timestamp
  ) {
    let new = next.session
    var moved: [(from: RuleTable.Place, to: RuleTable.Place)] = []
    for (index, rule) in old.rules.rules.enumerated() {
      let place = new.rules.rules.firstIndex { $0.name == rule.name }
      if place == nil { gone.insert(rule.name) }
      for key in old.rules.keys(of: index) {
        let from = RuleTable.Place(rule: index, key: key)
        let keyName = machine.keyName(UInt32(key))
        var state = old.rules.state(from)
        guard state != RuleState() else { continue }
        guard let place, !dropsKeys || keyName.isEmpty else {
          carried.putRule(script: name, rule: rule.name, key: keyName, data: nil)
          close(rule, state, key: keyName, at: now, in: new)
          continue
        }
        let before = state
        new.rules.rules[place].reload(&state, replacing: rule, at: now)
        let to = RuleTable.Place(rule: place, key: Int(next.machine.key(keyName)))
        new.rules.restore(
          to, state: state, window: old.rules.window(from), data: old.rules.data(from),
          source: old.rules.source(of: from))
        if state != before { new.rules.noteChange(to) }
        moved.append((from, to))
      }
    }
    expect(moved, from: old, in: new)
  }

  /// Lets rules fall due as they would have; what is due at one time keeps its order.
  private func expect(
    _ moved: [(from: RuleTable.Place, to: RuleTable.Place)], from old: ScriptSession, in new: ScriptSession
  ) {
    var open: [RuleTable.Place: (to: RuleTable.Place, due: Timestamp)] = [:]
    for (from, to) in moved {
      if let due = new.rules.state(to).nextDue { open[from] = (to, due) }
    }
    for (from, due) in old.dueRules.inOrder {
      // It may have been put off since: that shows when it is looked at.
      guard let place = open[from], due <= place.due else { continue }
      open[from] = nil
      new.expect(place.to, due: due)
    }
    for (from, _) in moved {
      if let (to, due) = open[from] { new.expect(to, due: due) }
    }
  }

  /// Ends the told episode of a rule that nobody watches any more.
  private func close(
    _ rule: AlertRule, _ state: RuleState, key: String, at now: Timestamp, in session: ScriptSession
  ) {
    var (state, window) = (state, RuleWindow())
    let outcome = rule.end(&state, &window, at: now, [])
    let text = "no longer watched: the rule '\(rule.name)' was dropped"
    guard let alert = rule.alert(for: outcome, script: name, key: key, written: text) else { return }
    session.ask(.alert(alert), run: nil)
  }
}
