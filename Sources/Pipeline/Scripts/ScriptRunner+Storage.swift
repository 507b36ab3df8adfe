package import Scripting

/// What of a script survives the program.
extension ScriptRunner {
  /// The name under which the counts of `alert.send` are stored among the rules, which can't have it.
  private static func sentRule(_ name: String) -> String { "\u{1}sent/\(name)" }

  /// The name of the alerts that a stored rule, or a stored count, is about; nil for what the host keeps for itself,
  /// under names that begin with a control character.
  static func alertName(ofStoredRule name: String) -> String? {
    let prefix = sentRule("")
    let name = name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    return name.hasPrefix("\u{1}") ? nil : name
  }

  /// Whether anything changed since the last ``collect(into:)``.
  var hasChanges: Bool {
    machine.hasChangedKeys || session.rules.hasChanges || session.timers.hasChanges || !quarantined.isEmpty
      || !carried.isEmpty
  }

  /// Puts everything that changed since the last call into a commit.
  func collect(into commit: inout Commit) {
    if !carried.isEmpty {
      commit.merge(carried)
      carried = Commit()
    }
    if storedShape != shape {
      commit.putRule(script: name, rule: Self.shapeRule, key: "", data: Array(Value.text(shape).json.utf8))
      storedShape = shape
    }
    collectState(into: &commit)
    let rules = session.rules.rules.map(\.name)
    for place in session.rules.takeChanged() {
      machine.withKeyName(UInt32(place.key)) { key in
        commit.putRule(script: name, rule: rules[place.rule], key: key) { bytes in
          bytes.append(UInt8(ascii: "["))
          session.rules.state(place).write(into: &bytes)
          let (window, data) = (session.rules.window(place), session.rules.data(place))
          if window != nil || data != nil {
            bytes.append(contentsOf: ",\(window?.encoded.json ?? "null")".utf8)
          }
          if let data {
            bytes.append(UInt8(ascii: ","))
            bytes.append(contentsOf: data.utf8)
          }
          bytes.append(UInt8(ascii: "]"))
        }
      }
    }
    for (sent, count) in session.takeChangedSent() {
      commit.putRule(
        script: name, rule: Self.sentRule(sent.name), key: sent.key, data: Array(String(count).utf8))
    }
    for timer in session.timers.takeChanged() {
      let pending = session.timers.timer(timer)
      commit.putTimer(
        script: name, key: timer.key, action: timer.action, due: pending?.due,
        payload: pending.map { Array($0.payload.json.utf8) } ?? [])
    }
    commit.quarantine += takeQuarantined()
  }

  /// The state of each key as the row that storage keeps.
  package var rows: [String: String] {
    var rows: [String: String] = [:]
    for key in 0..<UInt32(machine.keyCount) { rows[machine.keyName(key)] = machine.row(of: key) }
    return rows
  }

  /// The fields of a row that a machine wrote; those set to nil, whose names stand under the empty one, are left
  /// out, and a statistic is its value. Nil for what is no row.
  package static func fields(ofRow row: String) -> [String: Value]? {
    // A row is JSON as long as nobody but the program has written it.
    guard let value = try? Value(json: row), case .map(var fields) = value else { return nil }
    fields[""] = nil
    return fields.mapValues(\.withStatisticAsValue)
  }

  /// Takes the stored rows of this script over; returns one sentence for each that can't be used.
  ///
  /// - Parameters:
  ///   - now: the time of the start.
  ///   - sources: the numbers of the script's sources.
  ///   - resumes: whether its sources go on where they were, so that nothing was missed meanwhile.
  func restore(
    _ snapshot: Snapshot, at now: Timestamp, sources: [UInt16], resumes: Bool
  ) throws(ScriptFailure) -> [String] {
    session.origin = snapshot.origin
    restoredAt = now
    var faults = try restoreStates(snapshot, at: now)
    snapshot.rules.forEachRow(of: name) { fields in
      guard let rule = fields[1], let key = fields[2], let data = fields[3] else { return }
      let ruleName = String(decoding: rule, as: UTF8.self)
      let keyName = String(decoding: key, as: UTF8.self)
      do {
        try restoreRule(
          ruleName, key: keyName, data: UnsafeRawBufferPointer(data), at: now,
          source: sources.count == 1 ? sources[0] : RuleTable.unknownSource, resumes: resumes)
      } catch {
        faults.append("the stored rule '\(ruleName)' of \(name), key '\(keyName)': \(error)")
      }
    }
    snapshot.timers.forEachRow(of: name) { fields in
      guard let key = fields[1], let action = fields[2], let due = fields[3], let payload = fields[4] else {
        return
      }
      let timer = ScriptTimer.Name(
        key: String(decoding: key, as: UTF8.self), action: String(decoding: action, as: UTF8.self))
      do {
        session.timers.restore(
          timer,
          ScriptTimer(
            due: Timestamp(milliseconds: RowBuffer.integer(due)),
            payload: try Value(json: UnsafeRawBufferPointer(payload))))
      } catch {
        faults.append("the stored timer '\(timer.action)' of \(name), key '\(timer.key)': \(error)")
      }
    }
    return faults
  }

  private func restoreStates(_ snapshot: Snapshot, at now: Timestamp) throws(ScriptFailure) -> [String] {
    var faults: [String] = []
    var failure: ScriptFailure?
    snapshot.rules.forEachRow(of: name) { fields in
      guard fields[1]?.elementsEqual(Self.shapeRule.utf8) == true, let data = fields[3] else { return }
      storedShape = (try? Value(json: data))?.text
    }
    let changesShape = storedShape.map { $0 != shape } ?? false
    snapshot.states.forEachRow(of: name) { fields in
      isCold = false
      guard failure == nil, let keyBytes = fields[1], let data = fields[2] else { return }
      let key = String(decoding: keyBytes, as: UTF8.self)
      do throws(HostFunctionError) {
        try machine.restore(key: key, row: UnsafeRawBufferPointer(data))
      } catch {
        return faults.append("the stored state of \(name), key '\(key)': \(error)")
      }
      guard changesShape else { return }
      if machine.migrates {
        failure = machine.migrate(key: key, row: UnsafeRawBufferPointer(data), time: now.milliseconds)
      }
      machine.touch(key: key)
    }
    if let failure {
      throw ScriptFailure(
        reason: "\(failure.reason) (the stored state is of another form, and stays as it is)")
    }
    return faults
  }

  private func restoreRule(
    _ ruleName: String, key: String, data: UnsafeRawBufferPointer, at now: Timestamp, source: UInt16,
    resumes: Bool
  ) throws {
    guard ruleName != Self.shapeRule else { return }
    isCold = false
    let value = try Value(json: data)
    let prefix = Self.sentRule("")
    if ruleName.hasPrefix(prefix) {
      if case .integer(let count) = value {
        let name = ScriptSession.SentName(name: String(ruleName.dropFirst(prefix.count)), key: key)
        session.restoreSent(name, UInt64(count))
      }
      return
    }
    guard let index = session.rules.rules.firstIndex(where: { $0.name == ruleName }),
      case .list(let items) = value, let first = items.first
    else { return }
    var state = try RuleState(first)
    let window = items.count > 1 && items[1] != .null ? try RuleWindow(items[1]) : nil
    let rule = session.rules.rules[index]
    if resumes { rule.resume(&state, at: now) } else { rule.restart(&state, at: now) }
    let place = RuleTable.Place(rule: index, key: Int(machine.key(key)))
    let data = items.count > 2 ? items[2].json : nil
    session.rules.restore(place, state: state, window: window, data: data, source: source)
    if let due = state.nextDue { session.expect(place, due: due) }
  }
}

extension RowBuffer {
  /// Hands out the fields of each row whose first field is a script's name.
  func forEachRow(of script: String, _ body: ([UnsafeRawBufferPointer?]) -> Void) {
    withFields { fields in
      for row in 0..<count {
        guard let name = fields[row, 0], name.elementsEqual(script.utf8) else { continue }
        body((0..<columns).map { fields[row, $0].map { UnsafeRawBufferPointer(rebasing: $0[...]) } })
      }
    }
  }

  /// The integer of a field that was added as one.
  static func integer(_ field: UnsafeRawBufferPointer) -> Int64 {
    field.count == 8 ? Int64(littleEndian: field.loadUnaligned(as: Int64.self)) : 0
  }
}
