package import Scripting

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
      timers[name] = nil
      changed.insert(name)
      return (name, timer)
    }
    return nil
  }

  /// Takes a stored timer over.
  mutating func restore(_ name: ScriptTimer.Name, _ timer: ScriptTimer) {
    timers[name] = timer
    queue.add(name, due: timer.due)
  }

  /// The names of timers that were set, removed or fired since the last call, in order.
  mutating func takeChanged() -> [ScriptTimer.Name] {
    defer { changed.removeAll() }
    return changed.sorted { ($0.key, $0.action) < ($1.key, $1.action) }
  }

  private mutating func put(_ name: ScriptTimer.Name, _ timer: ScriptTimer?) {
    timers[name] = timer
    changed.insert(name)
    if let timer { queue.add(name, due: timer.due) }
  }
}
