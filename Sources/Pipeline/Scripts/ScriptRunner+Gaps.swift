import Scripting

/// What a script and its rules are told of messages that are missing.
extension ScriptRunner {
  /// Tells the script and its rules what a message of an input reveals about those before it.
  ///
  /// - Parameter isForAll: whether messages of any key may be missing, and not only of the message's own.
  func gap(
    _ gap: SourceGap, input: String, source: UInt16, name: String, _ batch: MessageBatch, _ index: Int,
    isForAll: Bool
  ) {
    guard let handler = machine.handler("on", input) else { return }
    var gap = gap
    if !isForAll {
      guard let key = machine.key(ofMessage: index, in: batch, for: handler) else { return }
      gap.key = machine.keyName(key)
    }
    self.gap(gap, source: source, name: name, at: Timestamp(milliseconds: batch.received(at: index)))
  }

  /// Tells the script and its rules that messages of a source are missing.
  package func gap(_ gap: SourceGap, source: UInt16, name: String, at time: Timestamp) {
    advance(to: time)
    let key = gap.key.isEmpty ? nil : Int(machine.key(gap.key))
    if gap.isLoss {
      _ = session.rules.forEach(of: source, key: key) { rule, state in rule.gap(&state) }
    }
    var payload: [String: Value] = ["source": .text(name), "reason": .text(gap.reason)]
    if let missed = gap.missed { payload["missed"] = .integer(missed) }
    if let expected = gap.expected { payload["expected"] = .integer(expected) }
    if let got = gap.got { payload["got"] = .integer(got) }
    guard machine.handler("events", "gap") != nil else { return }
    for key in keys(of: gap) { tell(event: "gap", key: key, payload: .map(payload), at: time) }
  }

  /// The keys that a gap is told to; the empty one is no message's where others are.
  private func keys(of gap: SourceGap) -> [String] {
    guard gap.key.isEmpty else { return [gap.key] }
    let all = (0..<UInt32(machine.keyCount)).map(machine.keyName).filter { !$0.isEmpty }
    return all.isEmpty ? [""] : all
  }
}
