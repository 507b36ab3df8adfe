package import Scripting

extension SessionMachine {
  /// The most characters of an answer that a report shows.
  private static let shownAnswer = 300

  /// Whether messages have to be shown to ``take(_:at:now:)`` at the moment.
  package var watchesMessages: Bool {
    isOpen
      && (login != nil || !asked.isEmpty || !settings.echoes.isEmpty || !settings.ignored.isEmpty
        || settings.heartbeat?.expect != nil || heard.contains { $0 != nil })
  }

  /// Looks at a decoded message; true if it is no business of scripts.
  package mutating func take(_ batch: MessageBatch, at index: Int, now: Timestamp) -> Bool {
    guard isOpen else { return false }
    if let isHidden = answersLogin(batch, index, now) { return isHidden }
    if let heartbeat = settings.heartbeat, heartbeat.expect?.match(batch, at: index) != nil {
      beatDeadline = nil
      // The server's own heartbeats are awaited from the last one on.
      if resolved.heartbeat == nil { nextBeat = now + heartbeat.every }
      return true
    }
    for (place, echo) in settings.echoes.enumerated() where echo.match.match(batch, at: index) != nil {
      answer(resolved.echoes[place], batch, index)
      return true
    }
    if !asked.isEmpty, answersRequest(batch, index, now) { return !settings.passesAnswers }
    if settings.ignored.contains(where: { $0.match(batch, at: index) != nil }) { return true }
    for (place, subscription) in settings.subscriptions.enumerated() where heard[place] != nil {
      guard subscription.match?.match(batch, at: index) != nil else { continue }
      if heard[place]?.isToldSilent == true { report(subscription: place, [], .subscribed) }
      heard[place] = (now, false)
    }
    return false
  }

  /// nil where the message is no answer to a login.
  private mutating func answersLogin(_ batch: MessageBatch, _ index: Int, _ now: Timestamp) -> Bool? {
    guard let step = login?.step else { return nil }
    if settings.logins[step].refuse?.match(batch, at: index) != nil {
      fail("login step \(step + 1) was refused: the server answered \(shown(batch, index))")
      return !settings.passesAnswers
    }
    guard settings.logins[step].expect?.match(batch, at: index) != nil else { return nil }
    login = nil
    flush(at: now)
    return !settings.passesAnswers
  }

  private mutating func answer(_ template: Value, _ batch: MessageBatch, _ index: Int) {
    let filled = template.filled { name in
      switch batch.content(of: FieldPath(name), at: index) {
      case .integer(let integer): .integer(integer)
      case .number(let number): .number(number)
      case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
      case .boolean(let boolean): .bool(boolean)
      case .null: Value.null
      case .list, .map, nil: nil
      }
    }
    requests.append(.send(filled.text ?? filled.json))
  }

  private mutating func answersRequest(_ batch: MessageBatch, _ index: Int, _ now: Timestamp) -> Bool {
    for place in asked.indices {
      let subscription = settings.subscriptions[asked[place].subscription]
      if let match = subscription.refuse?.match(batch, at: index), means(match, asked[place]) {
        refused(place, match.item, shown(batch, index))
        flush(at: now)
        return true
      }
      if let match = subscription.expect?.match(batch, at: index), means(match, asked[place]) {
        confirmed(place, match.item)
        flush(at: now)
        return true
      }
    }
    return false
  }

  private func means(_ match: MessagePattern.Match, _ request: Asked) -> Bool {
    (match.id.map { $0 == String(request.number) } ?? true)
      && (match.item.map { request.items.contains($0) } ?? true)
  }

  private mutating func confirmed(_ place: Int, _ item: String?) {
    let request = asked[place]
    guard let item else {
      asked.remove(at: place)
      return report(request, request.items, .subscribed)
    }
    settle(place, item)
    report(request, [item], .subscribed)
  }

  private mutating func refused(_ place: Int, _ item: String?, _ answer: String) {
    let request = asked[place]
    if let item {
      settle(place, item)
      return report(request, [item], .refused(answer))
    }
    asked.remove(at: place)
    guard request.items.count > 1 else { return report(request, request.items, .refused(answer)) }
    // One item at fault may have the whole message refused: each half is asked for alone.
    let half = request.items.count / 2
    let parts = [Array(request.items[..<half]), Array(request.items[half...])]
    queue.insert(
      contentsOf: parts.map { .request(subscription: request.subscription, items: $0) }, at: 0)
  }

  private mutating func settle(_ place: Int, _ item: String) {
    asked[place].items.removeAll { $0 == item }
    if asked[place].items.isEmpty { asked.remove(at: place) }
  }

  /// An answer as reports show it; servers may repeat what they were sent, also what is secret.
  private func shown(_ batch: MessageBatch, _ index: Int) -> String {
    let bytes = batch.bytes(at: index)
    var text = String(decoding: bytes, as: UTF8.self)
    for secret in secrets { text = text.replacing(secret, with: "…") }
    text = String(text.prefix(Self.shownAnswer))
    return LuaText.escaped(text, quotes: false) + (bytes.count > Self.shownAnswer ? "…" : "")
  }
}
