import Scripting

extension SessionMachine {
  /// When ``advance(to:isQuiet:)`` has something to do, nil for never.
  ///
  /// Always inlined: asked for several times a turn, of a machine in a class, which is copied for a call.
  @inline(__always)
  package var nextDue: Timestamp? {
    guard isOpen else { return nil }
    var next = beatDeadline ?? nextBeat
    if let deadline = login?.deadline { next = min(next ?? deadline, deadline) }
    guard !asked.isEmpty || !heard.isEmpty || !queue.isEmpty else { return next }
    return earliest(next)
  }

  /// The earlier one of a time and what requests, subscriptions and messages wait for.
  private func earliest(_ time: Timestamp?) -> Timestamp? {
    var next = time
    func consider(_ time: Timestamp) { next = min(next ?? time, time) }
    for request in asked { consider(request.deadline) }
    for (index, heard) in heard.enumerated() {
      if let heard, let span = settings.subscriptions[index].staleAfter { consider(heard.time + span) }
    }
    if let first = queue.first, maySend(first) { consider(nextSend) }
    return next
  }

  /// Lets happen what time brings.
  ///
  /// - Parameters:
  ///   - isQuiet: whether silence is no fault now, as where a market is closed.
  ///   - isDrained: whether all that has arrived was taken. While it wasn't, nothing counts as missing, and what is
  ///     awaited has its time from then on: a server that had to wait itself needs it to send on.
  package mutating func advance(to now: Timestamp, isQuiet: Bool = false, isDrained: Bool = true) {
    guard isOpen else { return }
    if !isDrained { postpone(at: now) }
    if let login, login.deadline <= now {
      let within = settings.logins[login.step].within
      return fail("login step \(login.step + 1) was not answered within \(within)")
    }
    for place in asked.indices.reversed() where asked[place].deadline <= now {
      let request = asked.remove(at: place)
      let subscription = settings.subscriptions[request.subscription]
      // Where only refusals are answered, silence is consent.
      report(
        request, request.items,
        subscription.expect == nil ? .subscribed : .unanswered(subscription.within))
    }
    beat(at: now)
    guard isOpen else { return }
    watch(at: now, isQuiet: isQuiet)
    guard isOpen else { return }
    flush(at: now)
  }

  /// Begins the time anew of all that may be among what was not taken yet.
  private mutating func postpone(at now: Timestamp) {
    if let login { self.login?.deadline = now + settings.logins[login.step].within }
    for place in asked.indices {
      asked[place].deadline = now + settings.subscriptions[asked[place].subscription].within
    }
    if beatDeadline != nil, let heartbeat = settings.heartbeat { beatDeadline = now + heartbeat.within }
    for place in heard.indices { heard[place]?.time = now }
  }

  private mutating func beat(at now: Timestamp) {
    guard let heartbeat = settings.heartbeat, let next = nextBeat else { return }
    if let beatDeadline, beatDeadline <= now {
      let whose = resolved.heartbeat == nil ? "no heartbeat of the server" : "no answer to the heartbeat"
      return fail("\(whose) within \(heartbeat.within)")
    }
    guard beatDeadline == nil, next <= now else { return }
    nextBeat = now + heartbeat.every
    if let message = resolved.heartbeat { requests.append(.send(text(message))) }
    if heartbeat.expect != nil { beatDeadline = now + heartbeat.within }
  }

  private mutating func watch(at now: Timestamp, isQuiet: Bool) {
    for (index, subscription) in settings.subscriptions.enumerated() {
      guard let span = subscription.staleAfter, let heard = heard[index], heard.time + span <= now else {
        continue
      }
      self.heard[index]?.time = now
      guard !isQuiet else { continue }
      report(subscription: index, [], .silent(span))
      if heard.isToldSilent {
        return fail("no data of subscription '\(subscription.name)' for \(span), and it was asked for again")
      }
      self.heard[index]?.isToldSilent = true
      enqueue(index, wanted[index].items)
    }
  }

  // MARK: - Sending

  /// Whether a message may leave as far as what is awaited allows it.
  private func maySend(_ outgoing: Outgoing) -> Bool {
    guard login == nil else { return false }
    guard case .request(let index, _) = outgoing else { return true }
    let subscription = settings.subscriptions[index]
    // Answers that don't say what they answer are told apart by their order.
    let isTellable = subscription.expect?.isIdentifying ?? true && subscription.refuse?.isIdentifying ?? true
    return isTellable || asked.isEmpty
  }

  /// Sends what has its turn.
  mutating func flush(at now: Timestamp) {
    while let first = queue.first, nextSend <= now, maySend(first) {
      queue.removeFirst()
      if send(first, at: now) { nextSend = now + settings.pace }
      if !isOpen { return }
    }
  }

  /// Sends one message; false where there was nothing to send.
  private mutating func send(_ outgoing: Outgoing, at now: Timestamp) -> Bool {
    switch outgoing {
    case .text(let text): requests.append(.send(text))
    case .login(let step):
      let settings = settings.logins[step]
      if settings.expect != nil || settings.refuse != nil { login = (step, now + settings.within) }
      guard let message = resolved.logins[step] else { return false }
      requests.append(.send(text(message)))
    case .request(let index, let items):
      let subscription = settings.subscriptions[index]
      number += 1
      requests.append(.send(text(resolved.subscriptions[index].send, items: items, number: number)))
      let request = Asked(
        subscription: index, items: items, number: number, deadline: now + subscription.within)
      if subscription.expect != nil || subscription.refuse != nil {
        asked.append(request)
      }
    case .cancel(let index, let items):
      number += 1
      guard let cancel = resolved.subscriptions[index].cancel else { return false }
      requests.append(.send(text(cancel, items: items, number: number)))
      report(subscription: index, items, .unsubscribed)
    }
    return true
  }

  // MARK: - Reports

  mutating func report(_ request: Asked, _ items: [String], _ outcome: SubscriptionReport.Outcome) {
    report(subscription: request.subscription, items, outcome)
  }

  mutating func report(
    subscription: Int, _ items: [String], _ outcome: SubscriptionReport.Outcome
  ) {
    let name = settings.subscriptions[subscription].name
    requests.append(.report(SubscriptionReport(subscription: name, items: items, outcome: outcome)))
  }

  mutating func fail(_ reason: String) {
    close()
    requests.append(.fail(reason))
  }
}
