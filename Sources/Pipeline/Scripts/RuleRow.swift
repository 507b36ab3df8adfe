import Scripting

/// What one rule knows of each key, by the key's index.
final class RuleRow {
  struct Entry {
    var state = RuleState()
    /// The source of the last value.
    var source: UInt16 = 0
    /// When the rule is looked at next without a value.
    var expected = RuleState.notDue
    /// Whether it is to be stored.
    var isChanged = false
  }

  let rule: AlertRule
  let needsWindow: Bool
  @exclusivity(unchecked) private(set) var count = 0
  @exclusivity(unchecked) private var entries: UnsafeMutablePointer<Entry>
  @exclusivity(unchecked) private var quiet: UnsafeMutablePointer<QuietBand>
  @exclusivity(unchecked) private var capacity = 16

  init(_ rule: AlertRule) {
    self.rule = rule
    needsWindow = rule.needsWindow
    entries = .allocate(capacity: 16)
    quiet = .allocate(capacity: 16)
  }

  deinit {
    entries.deallocate()
    quiet.deallocate()
  }

  /// The place of the entry of a key that there is room for; valid until room is made for another one.
  func entry(_ key: Int) -> UnsafeMutablePointer<Entry> { entries + key }

  /// The bands of all keys, where they stand until room is made for another one.
  var bands: UnsafeMutableBufferPointer<QuietBand> { UnsafeMutableBufferPointer(start: quiet, count: count) }

  /// Makes room for a key; true where there was none.
  func makeRoom(for key: Int) -> Bool {
    guard key >= count else { return false }
    let wanted = key + 1
    if wanted > capacity {
      let larger = max(wanted, capacity * 2)
      Self.move(&entries, count, to: larger)
      Self.move(&quiet, count, to: larger)
      capacity = larger
    }
    (entries + count).initialize(repeating: Entry(), count: wanted - count)
    (quiet + count).initialize(repeating: .none, count: wanted - count)
    count = wanted
    return true
  }

  private static func move<Item>(_ items: inout UnsafeMutablePointer<Item>, _ count: Int, to capacity: Int) {
    let moved = UnsafeMutablePointer<Item>.allocate(capacity: capacity)
    moved.moveInitialize(from: items, count: count)
    items.deallocate()
    items = moved
  }

  // MARK: - Quiet values

  /// Takes over what the machine noted of a key.
  func takeNote(_ key: Int) {
    guard quiet[key].isOpen else { return }
    let (value, time) = quiet[key].last
    entries[key].state.lastValue = value
    entries[key].state.lastTime = Timestamp(milliseconds: time)
  }

  /// Lets the machine note the values of a key that change nothing but the last value.
  ///
  /// One whose change is still to be marked, or with something due, is looked at each time.
  func setBand(_ key: Int, isOpen: Bool) {
    let entry = entries[key]
    guard isOpen, entry.isChanged, let range = rule.quietRange(of: entry.state) else {
      quiet[key] = .none
      return
    }
    quiet[key] = QuietBand(
      in: range, value: entry.state.lastValue, time: entry.state.lastTime.milliseconds, source: entry.source)
  }

  /// Has each value of a key judged.
  func close(_ key: Int) {
    takeNote(key)
    quiet[key] = .none
  }

  /// Opens or closes the bands of all keys.
  func setBands(areOpen: Bool) {
    for key in 0..<count {
      takeNote(key)
      setBand(key, isOpen: areOpen)
    }
  }
}
