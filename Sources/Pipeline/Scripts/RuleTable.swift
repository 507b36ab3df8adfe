/// The rules of one script with what they know of each key, and what a running handler changed in it.
struct RuleTable {
  /// A rule and a key.
  struct Place: Hashable {
    var rule: Int
    var key: Int
  }

  private struct Change {
    var place: Place
    var state: RuleState
    var window: RuleWindow?
  }

  private(set) var rules: [AlertRule] = []
  /// By rule, then by key.
  private var states: [ContiguousArray<RuleState>] = []
  private var windows: [Place: RuleWindow] = [:]
  /// The source of each key's last value, by rule and key.
  private var sources: [ContiguousArray<UInt16>] = []
  private var isChanged: [ContiguousArray<Bool>] = []
  private var changedPlaces: [Place] = []
  private var undoLog: [Change] = []
  private var run: UInt32?

  /// Adds a rule and returns its index.
  mutating func add(_ rule: AlertRule) -> Int {
    rules.append(rule)
    states.append([])
    sources.append([])
    isChanged.append([])
    return rules.count - 1
  }

  /// Judges a value within a handler run, which may still be taken back.
  mutating func check(
    _ rule: Int, key: Int, value: Double, at time: Timestamp, context: RuleContext, source: UInt16, run: UInt32
  ) -> RuleOutcome {
    grow(rule, key)
    if run != self.run {
      self.run = run
      undoLog.removeAll(keepingCapacity: true)
    }
    let place = Place(rule: rule, key: key)
    sources[rule][key] = source
    if rules[rule].needsWindow {
      var window = windows[place] ?? RuleWindow()
      undoLog.append(Change(place: place, state: states[rule][key], window: window))
      let outcome = rules[rule].check(&states[rule][key], &window, value: value, at: time, context: context)
      windows[place] = window
      markChanged(place)
      return outcome
    }
    undoLog.append(Change(place: place, state: states[rule][key], window: nil))
    let outcome = rules[rule].check(&states[rule][key], value: value, at: time, context: context)
    markChanged(place)
    return outcome
  }

  /// Takes back what a run changed.
  mutating func undo(run: UInt32) {
    guard run == self.run else { return }
    for change in undoLog.reversed() {
      states[change.place.rule][change.place.key] = change.state
      if let window = change.window { windows[change.place] = window }
    }
    undoLog.removeAll(keepingCapacity: true)
    self.run = nil
  }

  /// Lets what is due at a time happen.
  mutating func due(_ place: Place, at time: Timestamp, source: RuleSource) -> RuleOutcome {
    var window = windows[place] ?? RuleWindow()
    let outcome = rules[place.rule].due(&states[place.rule][place.key], &window, at: time, source: source)
    if rules[place.rule].needsWindow { windows[place] = window }
    markChanged(place)
    return outcome
  }

  func state(_ place: Place) -> RuleState { states[place.rule][place.key] }

  /// The source of the last value of a rule's key.
  func source(of place: Place) -> UInt16 { sources[place.rule][place.key] }

  /// Changes what the rules know of all keys fed by a source; returns where something is due.
  mutating func forEach(
    of source: UInt16, _ change: (AlertRule, inout RuleState) -> Void
  ) -> [Place] {
    var due: [Place] = []
    for rule in rules.indices {
      for key in states[rule].indices where sources[rule][key] == source && states[rule][key].phase != .unknown {
        let before = states[rule][key]
        change(rules[rule], &states[rule][key])
        guard states[rule][key] != before else { continue }
        let place = Place(rule: rule, key: key)
        markChanged(place)
        if states[rule][key].nextDue != nil { due.append(place) }
      }
    }
    return due
  }

  /// Takes a stored state over.
  mutating func restore(_ place: Place, state: RuleState, window: RuleWindow?, source: UInt16) {
    grow(place.rule, place.key)
    states[place.rule][place.key] = state
    sources[place.rule][place.key] = source
    if let window { windows[place] = window }
  }

  /// Where something changed since the last call.
  mutating func takeChanged() -> [Place] {
    defer { changedPlaces.removeAll(keepingCapacity: true) }
    for place in changedPlaces { isChanged[place.rule][place.key] = false }
    return changedPlaces
  }

  func window(_ place: Place) -> RuleWindow? { windows[place] }

  private mutating func markChanged(_ place: Place) {
    guard !isChanged[place.rule][place.key] else { return }
    isChanged[place.rule][place.key] = true
    changedPlaces.append(place)
  }

  private mutating func grow(_ rule: Int, _ key: Int) {
    guard key >= states[rule].count else { return }
    let missing = key + 1 - states[rule].count
    states[rule].append(contentsOf: repeatElement(RuleState(), count: missing))
    sources[rule].append(contentsOf: repeatElement(0, count: missing))
    isChanged[rule].append(contentsOf: repeatElement(false, count: missing))
  }
}
