import Scripting

/// The rules of one script with what they know of each key, and what a running handler changed in it.
///
/// A value that changes nothing but the last value of its key doesn't come here: the machine notes it in the
/// ``QuietBand`` of the rule and the key, of which each place has one. Any other costs one look at 64 bytes, so they
/// stand in plain memory: no copy of a rule, no reference count and no check of exclusive access. Confined to the
/// engine's thread, like its script.
final class RuleTable {
  /// A rule and a key.
  struct Place: Hashable {
    var rule: Int
    var key: Int
  }

  /// The source of a key that has had no value since the start: any of the script's.
  static let unknownSource = UInt16.max

  private struct Change {
    var place: Place
    var state: RuleState
  }

  private(set) var rules: [AlertRule] = []
  /// The machine that notes quiet values by itself.
  weak var machine: ScriptMachine?
  /// Whether somebody wants to see each value.
  var showsEachValue = false {
    didSet { for row in rows { row.setBands(areOpen: !showsEachValue) } }
  }
  @exclusivity(unchecked) private var rows: [RuleRow] = []
  private var windows: [Place: RuleWindow] = [:]
  /// What the last check gave for the text of what falls due, where something does, as JSON.
  private var data: [Place: String] = [:]
  private var undoData: [(place: Place, data: String?)] = []
  @exclusivity(unchecked) private var changedPlaces: [Place] = []
  @exclusivity(unchecked) private var undoLog: [Change] = []
  /// How much of the log belongs to the running handler; what is behind is from earlier ones.
  @exclusivity(unchecked) private var undoCount = 0
  @exclusivity(unchecked) private var undoWindows: [(place: Place, window: RuleWindow)] = []
  @exclusivity(unchecked) private var run: UInt32?

  /// Adds a rule and returns its index.
  func add(_ rule: AlertRule) -> Int {
    rules.append(rule)
    rows.append(RuleRow(rule))
    return rules.count - 1
  }

  /// Judges a value within a handler run, which may still be taken back.
  func check(
    _ rule: Int, key: Int, value: Double, truth: Bool? = nil, at time: Timestamp, context: RuleContext,
    source: UInt16,
    run: UInt32
  ) -> (outcome: RuleOutcome, nextDue: Timestamp?) {
    if run != self.run {
      self.run = run
      undoCount = 0
      if !undoWindows.isEmpty { undoWindows.removeAll() }
      if !undoData.isEmpty { undoData.removeAll() }
    }
    let row = rows[rule]
    let entry = entry(rule, key)
    let place = Place(rule: rule, key: key)
    row.takeNote(key)
    let change = Change(place: place, state: entry.pointee.state)
    if undoCount < undoLog.count { undoLog[undoCount] = change } else { undoLog.append(change) }
    undoCount += 1
    entry.pointee.source = source
    if !entry.pointee.isChanged { markChanged(place, entry) }
    let outcome =
      row.needsWindow || truth != nil
      ? checkWithWindow(row, place, entry, value, truth, time, context)
      : row.rule.check(&entry.pointee.state, value: value, at: time, context: context)
    row.setBand(key, isOpen: !showsEachValue)
    return (outcome, entry.pointee.state.nextDue)
  }

  private func checkWithWindow(
    _ row: RuleRow, _ place: Place, _ entry: UnsafeMutablePointer<RuleRow.Entry>, _ value: Double,
    _ truth: Bool?,
    _ time: Timestamp, _ context: RuleContext
  ) -> RuleOutcome {
    var window = windows[place] ?? RuleWindow()
    if row.needsWindow { undoWindows.append((place, window)) }
    let outcome =
      if let truth {
        row.rule.check(
          &entry.pointee.state, &window, value: value, isTrue: truth, at: time, context: context)
      } else {
        row.rule.check(&entry.pointee.state, &window, value: value, at: time, context: context)
      }
    if row.needsWindow { windows[place] = window }
    return outcome
  }

  /// Takes back what a run changed.
  func undo(run: UInt32) {
    guard run == self.run else { return }
    for change in undoLog[..<undoCount].reversed() {
      let row = rows[change.place.rule]
      row.entry(change.place.key).pointee.state = change.state
      row.setBand(change.place.key, isOpen: !showsEachValue)
    }
    for change in undoWindows.reversed() { windows[change.place] = change.window }
    for change in undoData.reversed() { data[change.place] = change.data }
    undoCount = 0
    undoWindows.removeAll()
    undoData.removeAll()
    self.run = nil
  }

  /// Lets what is due at a time happen.
  func due(_ place: Place, at time: Timestamp, source: RuleSource) -> RuleOutcome {
    let row = rows[place.rule]
    let entry = entry(place.rule, place.key)
    row.takeNote(place.key)
    var window = windows[place] ?? RuleWindow()
    let outcome = row.rule.due(&entry.pointee.state, &window, at: time, source: source)
    if row.needsWindow { windows[place] = window }
    if !entry.pointee.isChanged { markChanged(place, entry) }
    row.setBand(place.key, isOpen: !showsEachValue)
    return outcome
  }

  func state(_ place: Place) -> RuleState {
    let entry = entry(place.rule, place.key)
    rows[place.rule].takeNote(place.key)
    return entry.pointee.state
  }

  /// The source of the last value of a rule's key.
  func source(of place: Place) -> UInt16 { entry(place.rule, place.key).pointee.source }

  /// Changes what the rules know of one key or of all that are fed by a source; returns where something is due.
  func forEach(
    of source: UInt16, key only: Int? = nil, _ change: (AlertRule, inout RuleState) -> Void
  ) -> [Place] {
    var due: [Place] = []
    for (rule, row) in rows.enumerated() {
      for key in only.map({ $0..<min($0 + 1, row.count) }) ?? 0..<row.count {
        let entry = row.entry(key)
        guard entry.pointee.source == source, entry.pointee.state.phase != .unknown else { continue }
        row.takeNote(key)
        let before = entry.pointee.state
        change(row.rule, &entry.pointee.state)
        guard entry.pointee.state != before else { continue }
        let place = Place(rule: rule, key: key)
        if !entry.pointee.isChanged { markChanged(place, entry) }
        row.setBand(key, isOpen: !showsEachValue)
        if entry.pointee.state.nextDue != nil { due.append(place) }
      }
    }
    return due
  }

  /// Notes that a place is to be looked at by a time; false where that happens anyway.
  ///
  /// What falls due later than it did is found so when it is looked at: values that put it off take no room.
  func expect(_ place: Place, by due: Timestamp) -> Bool {
    let entry = entry(place.rule, place.key)
    guard due < entry.pointee.expected else { return false }
    entry.pointee.expected = due
    return true
  }

  /// Notes that a place is looked at as it was expected.
  func meet(_ place: Place, at due: Timestamp) {
    let entry = entry(place.rule, place.key)
    if entry.pointee.expected == due { entry.pointee.expected = RuleState.notDue }
  }

  /// The keys that a rule may know something of.
  func keys(of rule: Int) -> Range<Int> { 0..<rows[rule].count }

  /// Has the state of a place stored although no value changed it.
  func noteChange(_ place: Place) {
    let entry = entry(place.rule, place.key)
    if !entry.pointee.isChanged { markChanged(place, entry) }
  }

  /// Keeps what the check of the present run gave for the text of what falls due, as JSON; nil for nothing.
  func keep(_ data: String?, for place: Place) {
    undoData.append((place, self.data[place]))
    self.data[place] = data
  }

  /// Whether anything is kept for texts.
  var keepsData: Bool { !data.isEmpty }

  /// What is kept for the text of what falls due, as JSON.
  func data(_ place: Place) -> String? { data[place] }

  /// Arms the keys of a rule that it watches from the start, but for those it knows already; returns these.
  func arm(_ rule: Int, keys: [Int], at time: Timestamp, isConnected: Bool) -> [Place] {
    let row = rows[rule]
    return keys.compactMap { key in
      let entry = self.entry(rule, key)
      guard entry.pointee.state.phase == .unknown else { return nil }
      row.rule.arm(&entry.pointee.state)
      if isConnected { row.rule.sourceConnected(&entry.pointee.state, at: time) }
      entry.pointee.source = Self.unknownSource
      return Place(rule: rule, key: key)
    }
  }

  /// Takes a stored state over.
  func restore(_ place: Place, state: RuleState, window: RuleWindow?, data: String?, source: UInt16) {
    let entry = entry(place.rule, place.key)
    entry.pointee.state = state
    entry.pointee.source = source
    rows[place.rule].setBand(place.key, isOpen: !showsEachValue)
    if let window { windows[place] = window }
    if let data { self.data[place] = data }
  }

  var hasChanges: Bool { !changedPlaces.isEmpty }

  /// Where something changed since the last call.
  func takeChanged() -> [Place] {
    let changed = changedPlaces
    changedPlaces = []
    for place in changed {
      let row = rows[place.rule]
      row.entry(place.key).pointee.isChanged = false
      // The next value has to be marked again.
      row.close(place.key)
    }
    return changed
  }

  func window(_ place: Place) -> RuleWindow? { windows[place] }

  /// The place of a key's entry; valid until another key is asked for.
  private func entry(_ rule: Int, _ key: Int) -> UnsafeMutablePointer<RuleRow.Entry> {
    let row = rows[rule]
    if row.makeRoom(for: key) { machine?.setBands(row.bands, ofRule: rule) }
    return row.entry(key)
  }

  private func markChanged(_ place: Place, _ entry: UnsafeMutablePointer<RuleRow.Entry>) {
    entry.pointee.isChanged = true
    changedPlaces.append(place)
  }
}
