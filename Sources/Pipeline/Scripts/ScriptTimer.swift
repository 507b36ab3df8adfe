import Scripting

/// The one pending timer of a script's key and action.
struct ScriptTimer: Hashable {
  /// What a timer is known by.
  struct Name: Hashable {
    var key: String
    var action: String
  }

  var due: Timestamp
  var payload: Value
}

extension ScriptTimer.Name {
  /// The timer that keeps a throttled action from running before its span is over; its payload is the span.
  var throttle: Self { Self(key: key, action: "\u{1}throttle/\(action)") }

  /// The action that this timer throttles, nil for one that runs an action itself.
  var throttled: Self? {
    let prefix = Self(key: "", action: "").throttle.action
    return action.hasPrefix(prefix) ? Self(key: key, action: String(action.dropFirst(prefix.count))) : nil
  }
}

/// The timers of one script, with what a running handler changed.
struct TimerTable {
  private var timers: [ScriptTimer.Name: ScriptTimer] = [:]
  private var queue = DueQueue<ScriptTimer.Name>()
  private var changed: Set<ScriptTimer.Name> = []
  private var undoLog: [(name: ScriptTimer.Name, timer: ScriptTimer?)] = []
  private var run: UInt32?

  /// When the next timer may be due; earlier than that nothing is.
  var earliest: Timestamp? { queue.earliest }

  func timer(_ name: ScriptTimer.Name) -> ScriptTimer? { timers[name] }

  /// Every pending timer, by name of action and key.
  var pending: [(name: ScriptTimer.Name, timer: ScriptTimer)] {
    timers.map { ($0.key, $0.value) }
      .sorted { ($0.1.due, $0.0.action, $0.0.key) < ($1.1.due, $1.0.action, $1.0.key) }
  }

  /// Sets or removes a timer within a handler run.
  mutating func set(_ name: ScriptTimer.Name, to timer: ScriptTimer?, run: UInt32) {
    if run != self.run {
      self.run = run
      undoLog.removeAll()
    }
    undoLog.append((name, timers[name]))
    put(name, timer)
  }

  /// Runs an action now, or with the latest payload once a span is over since it last ran.
  mutating func throttle(
    _ name: ScriptTimer.Name, _ span: Milliseconds, payload: Value, at now: Timestamp, run: UInt32
  ) {
    if let window = timers[name.throttle], window.due > now {
      return set(name, to: ScriptTimer(due: window.due, payload: payload), run: run)
    }
    let window = ScriptTimer(due: now + span, payload: .integer(span.count))
    set(name.throttle, to: window, run: run)
    set(name, to: ScriptTimer(due: now, payload: payload), run: run)
  }

  /// Begins the next span of a throttled action that runs at a time.
  private mutating func reopen(_ window: ScriptTimer.Name, at time: Timestamp) {
    guard let timer = timers[window], timer.due <= time, case .integer(let span) = timer.payload else {
      return
    }
    put(window, ScriptTimer(due: time + Milliseconds(span), payload: timer.payload))
  }

  /// Takes back what a run changed.
  mutating func undo(run: UInt32) {
    guard run == self.run else { return }
    for change in undoLog.reversed() { put(change.name, change.timer) }
    undoLog.removeAll()
    self.run = nil
  }

  /// Takes out the first timer due by a time.
  mutating func popFirst(by time: Timestamp) -> (name: ScriptTimer.Name, timer: ScriptTimer)? {
    while let (name, due) = queue.popFirst(by: time) {
      guard let timer = timers[name], timer.due == due else { continue }
      if let action = name.throttled {
        // An action that waited for this moment runs now, and the next one waits again.
        if timers[action]?.due == due { reopen(name, at: due) } else { put(name, nil) }
        continue
      }
      reopen(name.throttle, at: due)
      put(name, nil)
      return (name, timer)
    }
    return nil
  }

  /// Sets a timer outside of any run, which nothing takes back.
  mutating func schedule(_ name: ScriptTimer.Name, at due: Timestamp, payload: Value = .null) {
    put(name, ScriptTimer(due: due, payload: payload))
  }

  /// Removes a timer outside of any run, which nothing takes back.
  mutating func remove(_ name: ScriptTimer.Name) { put(name, nil) }

  /// Keeps what the last run changed: runs of another machine have their own numbers.
  mutating func settle() {
    undoLog.removeAll()
    run = nil
  }

  /// How many requests wait for their replies.
  private(set) var requestCount = 0

  /// Takes a stored timer over.
  mutating func restore(_ name: ScriptTimer.Name, _ timer: ScriptTimer) {
    if name.isRequest { requestCount += 1 }
    timers[name] = timer
    queue.add(name, due: timer.due)
  }

  var hasChanges: Bool { !changed.isEmpty }

  /// The names of timers that were set, removed or fired since the last call, in order.
  mutating func takeChanged() -> [ScriptTimer.Name] {
    defer { changed.removeAll() }
    return changed.sorted { ($0.key, $0.action) < ($1.key, $1.action) }
  }

  private mutating func put(_ name: ScriptTimer.Name, _ timer: ScriptTimer?) {
    if name.isRequest { requestCount += (timer == nil ? 0 : 1) - (timers[name] == nil ? 0 : 1) }
    timers[name] = timer
    changed.insert(name)
    if let timer { queue.add(name, due: timer.due) }
  }
}
