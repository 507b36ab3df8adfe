/// What one connection of a source means: the steps behind those of the network, with what to do.
///
/// Pure: an outcome goes in, steps come out.
struct TrialFindings {
  let outcome: SourceTrial.Outcome
  let kind: String
  let limit: Milliseconds
  /// Whether the source is given up when it is silent for too long.
  let noticesSilence: Bool

  /// What the step is called in which the two sides agree to talk.
  private var opening: String {
    switch kind {
    case "source.websocket": "upgrade"
    case "source.http", "source.sse": "answer"
    case "source.mqtt": "welcome"
    default: "opening"
    }
  }

  var steps: [Examination.Step] {
    if let failure = outcome.startFailure { return [.init(opening, .failed, failure)] }
    let notices = outcome.notices.filter {
      !$0.hasPrefix("disconnected") && !$0.hasPrefix("the source is over")
    }
    guard let connected = outcome.connected else { return [unopened] }
    var steps = [Examination.Step(opening, .ok, "it is open", time: connected)]
    for notice in notices where outcome.message?.fault == nil || !notice.hasPrefix("a message can't") {
      steps.append(.init("notice", .warning, notice))
    }
    return steps + [first(after: connected)]
  }

  private var unopened: Examination.Step {
    guard let end = outcome.end else {
      return .init(
        opening, .failed, "nothing came within \(limit)",
        advice: "the port may speak another protocol, or something on the way swallows the answer")
    }
    return .init(opening, .failed, end.reason, advice: Self.advice(code: end.code, reason: end.reason))
  }

  private func first(after connected: Milliseconds) -> Examination.Step {
    if let message = outcome.message, let time = outcome.firstMessage {
      let topic = message.topic.isEmpty ? "" : ", topic \(message.topic)"
      let text = "\(message.bytes) bytes\(topic), \(time.count - connected.count) ms after the opening"
      guard let fault = message.fault else { return .init("first message", .ok, text, time: time) }
      return .init(
        "first message", .failed, "\(text); it can't be decoded: \(fault)", time: time,
        advice: "'pipeline peek' shows it as it came")
    }
    if let end = outcome.end, !(end.code == 1000 && end.reason == "the input has ended") {
      return .init(
        "first message", .failed, "before one came: \(end.reason)",
        advice: Self.advice(code: end.code, reason: end.reason))
    }
    if outcome.end != nil { return .init("first message", .ok, "there is none: the input is empty") }
    let watch = noticesSilence ? "" : "; set 'stale_after', or nobody notices when it stays like this"
    return .init(
      "first message", .failed, "it is open, and no message came within \(limit)",
      advice:
        "see that it is subscribed to something that is not quiet now, or wait longer with --for\(watch)")
  }

  /// What to do about a refusal or an end.
  static func advice(code: Int, reason: String) -> String? {
    switch code {
    case 401, 403: return "see the headers, the token, and whether this address may connect at all"
    case 404, 410: return "compare the path of the url with the server's documentation"
    case 429, 418:
      let wait = waitingTime(in: reason).map { "wait \($0) before the next attempt" } ?? "wait some minutes"
      return
        "the server limits how often clients come: \(wait), and see that no other program asks from this address; "
        + "a running host waits by itself"
    case 500..<600: return "it is the server's own fault; a running host tries again by itself"
    case 300..<400: return "write the address that it leads to"
    case 4, 5: return "see 'username', 'password' and what the broker allows them"
    default: break
    }
    if reason.contains("DNS") || reason.contains("certificate") || reason.contains("TLS") { return nil }
    if reason.contains("no answer") || reason.contains("had not come") || reason.contains("no connection") {
      return
        "it accepts connections and says nothing: it may be overloaded, or speak another protocol on this port"
    }
    return nil
  }

  private static func waitingTime(in reason: String) -> String? {
    let mark = "asks to wait "
    var start = reason.startIndex
    while start < reason.endIndex {
      if reason[start...].hasPrefix(mark) {
        let rest = reason[start...].dropFirst(mark.count).prefix { $0 != ";" && $0 != "," }
        return rest.first?.isNumber == true ? String(rest) : nil
      }
      start = reason.index(after: start)
    }
    return nil
  }
}
