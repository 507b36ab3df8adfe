extension AlertRule {
  /// The alert to send for an outcome, with its id; nil where there is nothing to tell.
  ///
  /// - Parameters:
  ///   - outcome: what came of a value or of a due time.
  ///   - script: the name of the script that declares the rule.
  ///   - origin: what tells the storage apart that counts the episodes.
  ///   - key: the key of the state; empty where a script has no keys.
  ///   - written: what the script's `text` function returned, if it has one.
  package func alert(
    for outcome: RuleOutcome, script: String, origin: String = "", key: String, written: String? = nil
  ) -> Alert? {
    guard let episode = outcome.episode, let kind = outcome.kind,
      let text = text(for: outcome, key: key, written: written)
    else { return nil }
    let identity = AlertIdentity(
      origin: origin, script: script, rule: name, key: key, episode: UInt64(episode.number), kind: kind,
      reminder: UInt64(episode.reminder))
    var alert = Alert(
      id: identity.id, name: name, script: script, key: key, kind: kind, severity: severity, text: text,
      time: episode.time, value: episode.value, labels: labels,
      lasts: resolves && kind != .resolved)
    alert.since = episode.since
    return alert
  }
}
