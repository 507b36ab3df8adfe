import Composable
import Scripting

/// Requests that wait for their replies are timers, which fall due when the reply is there or must be given up: so
/// they are stored, undone and gone on with like any other, and each ends in exactly one reply.
extension TimerTable {
  /// The most requests of one script that wait for their replies.
  static let requestLimit = 1_000

  /// How long after its timeout a request is given up at the latest.
  private static let grace = Milliseconds.minutes(1)

  /// Notes a request; one of the same id that still waits is given up.
  mutating func await(_ request: WebRequest, reply: String, at now: Timestamp, run: UInt32) {
    let name = ScriptTimer.Name(key: request.key, action: "").request(request.id)
    if let other = timer(name) {
      var aside = name
      aside.action += "\u{1}\(other.payload["number"]?.json ?? "")"
      set(
        aside, to: ScriptTimer(due: now, payload: other.payload.with(WebReply(error: "replaced"))), run: run)
    }
    let timeout = Milliseconds(Int64(request.request.timeout / .milliseconds(1)))
    let payload: Value = ["reply": .text(reply), "number": .integer(Int64(clamping: request.number))]
    set(name, to: ScriptTimer(due: now + timeout + Self.grace, payload: payload), run: run)
  }

  /// Takes a reply for the request that waits for it, to be handed over at a time; false where none does.
  mutating func receive(_ reply: WebReply, to request: WebRequest, at time: Timestamp) -> Bool {
    let name = ScriptTimer.Name(key: request.key, action: "").request(request.id)
    guard let waiting = timer(name), waiting.payload["number"] == .integer(Int64(clamping: request.number)),
      waiting.payload["result"] == nil
    else { return false }
    schedule(name, at: time, payload: waiting.payload.with(reply))
    return true
  }

  /// Gives up the requests that a former run of the program left waiting.
  mutating func interruptRequests(at now: Timestamp) {
    for (name, timer) in pending where name.isRequest && timer.payload["result"] == nil {
      schedule(name, at: now, payload: timer.payload.with(WebReply(error: "interrupted")))
    }
  }
}

extension ScriptTimer {
  /// The action and what it gets, for the timer of a request that falls due.
  var reply: (action: String, payload: Value)? {
    guard let action = payload["reply"]?.text else { return nil }
    return (action, payload["result"] ?? WebReply(error: "timeout").value)
  }
}

extension ScriptTimer.Name {
  private static let requestPrefix = "\u{1}request/"

  /// The timer of a request under the same key.
  func request(_ id: String) -> Self { Self(key: key, action: Self.requestPrefix + id) }

  /// Whether it is the timer of a request.
  var isRequest: Bool { action.hasPrefix(Self.requestPrefix) }
}

extension Value {
  fileprivate func with(_ reply: WebReply) -> Value {
    guard case .map(var members) = self else { return self }
    members["result"] = reply.value
    return .map(members)
  }
}
