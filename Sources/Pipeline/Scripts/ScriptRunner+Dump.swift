import Scripting

extension ScriptRunner {
  /// All that the storage would keep of the script, a line of JSON each: the state of each key, then rules, then
  /// timers, each in order. The same input gives the same bytes.
  package var dump: [String] {
    func line(_ members: [(String, String)]) -> String {
      "{\"script\":\(Value.text(name).json),"
        + members.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
    }
    var lines = rows.sorted { $0.key < $1.key }.map { key, row in
      line([("key", Value.text(key).json), ("state", row)])
    }
    for (index, rule) in session.rules.rules.enumerated() {
      for key in session.rules.keys(of: index) {
        let place = RuleTable.Place(rule: index, key: key)
        let state = session.rules.state(place)
        guard state != RuleState() else { continue }
        var bytes: [UInt8] = []
        state.write(into: &bytes)
        var members = [
          ("key", Value.text(machine.keyName(UInt32(key))).json), ("rule", Value.text(rule.name).json),
          ("standing", String(decoding: bytes, as: UTF8.self)),
        ]
        if let window = session.rules.window(place) { members.append(("window", window.encoded.json)) }
        if let data = session.rules.data(place) { members.append(("data", data)) }
        lines.append(line(members))
      }
    }
    for (name, timer) in session.timers.pending {
      lines.append(
        line([
          ("key", Value.text(name.key).json), ("action", Value.text(name.action).json),
          ("due", String(timer.due.milliseconds)), ("payload", timer.payload.json),
        ]))
    }
    return lines
  }
}
