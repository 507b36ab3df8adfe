import Scripting

/// What is said to a server over one connection after another, beside the messages of scripts.
///
/// Logins come first, in order, each once the one before it is answered; then the opening messages, then one
/// request for each chunk of each subscription. Heartbeats, echoes and answers are its own affair: scripts don't
/// see them, and don't hold them up. What is subscribed to is remembered over connections.
///
/// Pure: messages and the time go in, requests come out for the driver to carry out in their order. Times may
/// come from any clock that never goes back.
package struct SessionMachine: Sendable {
  /// What the driver has to do.
  package enum Request: Sendable, Hashable {
    case send(String)
    case report(SubscriptionReport)
    /// Give the connection up, with a sentence that says why.
    case fail(String)
  }

  /// A message that waits for its turn.
  enum Outgoing: Sendable, Hashable {
    case login(Int)
    case text(String)
    case request(subscription: Int, items: [String])
    case cancel(subscription: Int, items: [String])
  }

  /// A request that was sent and not answered yet.
  struct Asked: Sendable, Hashable {
    var subscription: Int
    var items: [String]
    var number: Int64
    var deadline: Timestamp
  }

  /// A subscription as it is wanted, over all connections.
  struct Wanted: Sendable, Hashable {
    var isOn: Bool
    var items: [String]
  }

  /// The messages with what comes from the environment filled in, for one connection.
  struct Resolved: Sendable {
    var logins: [Value?] = []
    var heartbeat: Value?
    var echoes: [Value] = []
    var subscriptions: [(send: Value, cancel: Value?)] = []
    var position: Value = ""
  }

  package let settings: SessionSettings
  var wanted: [Wanted]
  var resolved = Resolved()
  package private(set) var isOpen = false
  var requests: [Request] = []
  var queue: [Outgoing] = []
  var nextSend = Timestamp(milliseconds: .min)
  /// The step whose answer is awaited.
  var login: (step: Int, deadline: Timestamp)?
  var asked: [Asked] = []
  /// The number of the latest request; numbers are never used twice.
  var number: Int64 = 0
  var nextBeat: Timestamp?
  var beatDeadline: Timestamp?
  /// When data of each subscription last came, where that matters; and whether its silence was told.
  var heard: [(time: Timestamp, isToldSilent: Bool)?] = []
  /// Values of variables that were sent; no report shows them.
  var secrets: [String] = []

  /// Makes the machine of a source that is not connected.
  package init(_ settings: SessionSettings) {
    self.settings = settings
    wanted = settings.subscriptions.map { Wanted(isOn: $0.isEnabled, items: $0.items) }
  }

  /// Begins on a new connection; nothing of an earlier one is left.
  ///
  /// - Parameters:
  ///   - position: where the source resumes, for `{position}`.
  ///   - variables: gives the values of variables.
  /// - Throws: `SecretError` if a variable that a message needs isn't set.
  package mutating func open(
    at now: Timestamp, position: String,
    _ variables: (String) -> String? = ProcessEnvironment.value(of:)
  ) throws(SecretError) {
    close()
    requests = []
    secrets = []
    resolved.position = .text(position)
    func environment(_ name: String) -> String? {
      let value = variables(name)
      if let value, !value.isEmpty { secrets.append(value) }
      return value
    }
    func resolve(_ template: MessageTemplate?) throws(SecretError) -> Value? {
      try template?.resolve(environment)
    }
    for login in settings.logins { resolved.logins.append(try resolve(login.send)) }
    resolved.heartbeat = try resolve(settings.heartbeat?.send)
    for echo in settings.echoes { resolved.echoes.append(try echo.send.resolve(environment)) }
    for subscription in settings.subscriptions {
      resolved.subscriptions.append(
        (try subscription.send.resolve(environment), try resolve(subscription.cancel)))
    }
    queue = settings.logins.indices.map { .login($0) }
    for message in settings.opening { queue.append(.text(text(try message.resolve(environment)))) }
    isOpen = true
    for index in settings.subscriptions.indices { enqueue(index, wanted[index].items) }
    nextBeat = settings.heartbeat.map { now + $0.every }
    heard = settings.subscriptions.indices.map { watched($0, at: now) }
    advance(to: now)
  }

  /// Forgets the connection.
  package mutating func close() {
    isOpen = false
    resolved = Resolved()
    queue = []
    login = nil
    asked = []
    nextBeat = nil
    beatDeadline = nil
    heard = []
    nextSend = Timestamp(milliseconds: .min)
  }

  /// What the driver has to do since the last call.
  package mutating func takeRequests() -> [Request] {
    guard !requests.isEmpty else { return [] }
    defer { requests.removeAll(keepingCapacity: true) }
    return requests
  }

  // MARK: - Wishes

  /// Takes a wish of a script; one about what the configuration doesn't know is ignored.
  package mutating func change(_ change: SubscriptionChange, at now: Timestamp) {
    guard let index = settings.subscriptions.firstIndex(where: { $0.name == change.subscription }) else {
      return
    }
    if change.isWanted { want(change.items, index, at: now) } else { drop(change.items, index) }
    advance(to: now)
  }

  private mutating func want(_ items: [String], _ index: Int, at now: Timestamp) {
    let wasOn = wanted[index].isOn
    let known = Set(wanted[index].items)
    let new = items.filter { !known.contains($0) }
    wanted[index].items += new
    wanted[index].isOn = true
    guard isOpen else { return }
    enqueue(index, wasOn ? new : wanted[index].items, isWhole: !wasOn)
    if !wasOn { heard[index] = watched(index, at: now) }
  }

  private mutating func drop(_ items: [String], _ index: Int) {
    let isWhole = items.isEmpty
    let gone = isWhole ? wanted[index].items : wanted[index].items.filter(items.contains)
    guard wanted[index].isOn, isWhole || !gone.isEmpty else {
      wanted[index].items.removeAll(where: items.contains)
      return
    }
    if isWhole { wanted[index].isOn = false } else { wanted[index].items.removeAll(where: gone.contains) }
    guard isOpen else { return }
    // What was not sent yet needs no cancelling.
    var unsent: Set<String> = []
    var isUnsent = false
    queue = queue.compactMap { outgoing in
      guard case .request(index, let items) = outgoing else { return outgoing }
      unsent.formUnion(items.filter(gone.contains))
      let rest = items.filter { !gone.contains($0) }
      isUnsent = isUnsent || items.isEmpty
      return isWhole || rest.isEmpty ? nil : .request(subscription: index, items: rest)
    }
    let active = gone.filter { !unsent.contains($0) }
    for place in asked.indices.reversed() where asked[place].subscription == index {
      asked[place].items.removeAll(where: gone.contains)
      if asked[place].items.isEmpty { asked.remove(at: place) }
    }
    if !wanted[index].isOn || wanted[index].items.isEmpty { heard[index] = nil }
    guard resolved.subscriptions[index].cancel != nil, !active.isEmpty || (gone.isEmpty && !isUnsent) else {
      return
    }
    for chunk in Self.chunks(of: active, settings.subscriptions[index].chunk) {
      queue.append(.cancel(subscription: index, items: chunk))
    }
  }

  /// Sends a text when its turn has come.
  package mutating func send(_ text: String, at now: Timestamp) {
    queue.append(.text(text))
    advance(to: now)
  }

  // MARK: - Requests

  /// Queues requests for items, or for a subscription that takes none.
  mutating func enqueue(_ index: Int, _ items: [String], isWhole: Bool = true) {
    guard wanted[index].isOn else { return }
    if settings.subscriptions[index].takesItems {
      guard !items.isEmpty else { return }
    } else if !isWhole {
      return
    }
    for chunk in Self.chunks(of: items, settings.subscriptions[index].chunk) {
      queue.append(.request(subscription: index, items: chunk))
    }
  }

  private static func chunks(of items: [String], _ size: Int) -> [[String]] {
    guard !items.isEmpty else { return [[]] }
    return stride(from: 0, to: items.count, by: size).map {
      Array(items[$0..<min($0 + size, items.count)])
    }
  }

  func watched(_ index: Int, at now: Timestamp) -> (time: Timestamp, isToldSilent: Bool)? {
    guard settings.subscriptions[index].staleAfter != nil, wanted[index].isOn else { return nil }
    return !settings.subscriptions[index].takesItems || !wanted[index].items.isEmpty ? (now, false) : nil
  }

  func text(_ value: Value, items: [String] = [], number: Int64? = nil) -> String {
    let filled = value.filled(items: items) { name in
      switch name {
      case "id": number.map { .integer($0) }
      case "position": resolved.position
      default: nil
      }
    }
    return filled.text ?? filled.json
  }
}
