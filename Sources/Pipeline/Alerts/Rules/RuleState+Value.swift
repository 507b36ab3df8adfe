package import Scripting

/// Why a stored state can't be read.
package struct InvalidRuleState: Error, Hashable, CustomStringConvertible {
  /// What was expected and what was found.
  package let description: String
}

extension RuleState {
  /// The version of the stored form, its first item.
  private static let version: Int64 = 1

  /// The state as plain data for storage: a list that ``init(_:)`` reads back exactly.
  ///
  /// In order: version, phase, flags, episode, reminders, held episodes, last value, and as milliseconds
  /// since 1970-01-01 UTC the last value's time, the episode's beginning, the due time, the time of calm and
  /// the end of the cooldown.
  package var encoded: Value {
    .list([
      .integer(Self.version), .integer(Int64(phase.rawValue)), .integer(Int64(flags.rawValue)),
      .integer(Int64(episode)), .integer(Int64(reminders)), .integer(Int64(held)), .number(lastValue),
      .integer(lastTime.milliseconds), .integer(since.milliseconds), .integer(due.milliseconds),
      .integer(calmDue.milliseconds), .integer(cooldownEnd.milliseconds),
    ])
  }

  /// Appends the JSON of ``encoded``; for the many rows of a commit.
  package func write(into bytes: inout [UInt8]) {
    var separator = UInt8(ascii: "[")
    func add(_ integer: Int64) {
      bytes.append(separator)
      separator = UInt8(ascii: ",")
      bytes.append(decimal: integer)
    }
    add(Self.version)
    add(Int64(phase.rawValue))
    add(Int64(flags.rawValue))
    add(Int64(episode))
    add(Int64(reminders))
    add(Int64(held))
    bytes.append(separator)
    bytes.append(contentsOf: lastValue.description.utf8)
    add(lastTime.milliseconds)
    add(since.milliseconds)
    add(due.milliseconds)
    add(calmDue.milliseconds)
    add(cooldownEnd.milliseconds)
    bytes.append(UInt8(ascii: "]"))
  }

  /// Reads a state back from its stored form.
  ///
  /// - Throws: ``InvalidRuleState`` for anything that ``encoded`` could not have made.
  package init(_ stored: Value) throws(InvalidRuleState) {
    guard case .list(let items) = stored, items.count == 12 else {
      throw InvalidRuleState(
        description: "expected the state of a rule as a list of 12 items, got \(stored.kindName)")
    }
    let integers = items.map { item -> Int64? in
      if case .integer(let integer) = item { integer } else { nil }
    }
    guard integers[0] == Self.version else {
      throw InvalidRuleState(
        description:
          "expected the state of a rule in version \(Self.version), got \(LuaText.found(items[0]))")
    }
    guard let phase = integers[1].flatMap(UInt8.init(exactly:)).flatMap(Phase.init(rawValue:)),
      let flags = integers[2].flatMap(UInt16.init(exactly:)).map(Flags.init(rawValue:)),
      flags.isSubset(of: .all), let episode = integers[3].flatMap(UInt32.init(exactly:)),
      let reminders = integers[4].flatMap(UInt32.init(exactly:)),
      let held = integers[5].flatMap(UInt32.init(exactly:)), let lastValue = items[6].double,
      lastValue.isFinite, let lastTime = integers[7], let since = integers[8], let due = integers[9],
      let calmDue = integers[10], let cooldownEnd = integers[11]
    else {
      throw InvalidRuleState(description: "expected the state of a rule, got items out of their range")
    }
    self.init()
    self.phase = phase
    self.flags = flags
    self.episode = episode
    self.reminders = reminders
    self.held = held
    self.lastValue = lastValue
    self.lastTime = Timestamp(milliseconds: lastTime)
    self.since = Timestamp(milliseconds: since)
    self.due = Timestamp(milliseconds: due)
    self.calmDue = Timestamp(milliseconds: calmDue)
    self.cooldownEnd = Timestamp(milliseconds: cooldownEnd)
  }
}

extension [UInt8] {
  /// Appends the digits of an integer, without a text of them in between.
  fileprivate mutating func append(decimal integer: Int64) {
    if integer < 0 { append(UInt8(ascii: "-")) }
    // As many as the longest magnitude has.
    var digits = InlineArray<19, UInt8>(repeating: 0)
    var first = digits.count
    var rest = integer.magnitude
    repeat {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while rest > 0
    for index in first..<digits.count { append(digits[index]) }
  }
}

extension RuleWindow {
  /// The window as plain data for storage: a list that ``init(_:)`` reads back exactly.
  ///
  /// In order: version, the lows and the highs as flat lists of begin and value, the times of the changes.
  package var encoded: Value {
    .list([.integer(1), lows.encoded, highs.encoded, .list(changes.map { .integer($0.milliseconds) })])
  }

  /// Reads a window back from its stored form.
  ///
  /// - Throws: ``InvalidRuleState`` for anything that ``encoded`` could not have made.
  package init(_ stored: Value) throws(InvalidRuleState) {
    guard case .list(let items) = stored, items.count == 4, items[0] == .integer(1),
      let lows = RuleExtremes(items[1]), let highs = RuleExtremes(items[2]), case .list(let times) = items[3],
      times.count <= 1_001
    else {
      throw InvalidRuleState(
        description: "expected the window of a rule in version 1, got \(stored.kindName)")
    }
    self.init()
    self.lows = lows
    self.highs = highs
    for time in times {
      guard case .integer(let milliseconds) = time else {
        throw InvalidRuleState(description: "expected the time of a change, got \(time.kindName)")
      }
      changes.append(Timestamp(milliseconds: milliseconds))
    }
  }
}

extension RuleExtremes {
  fileprivate var encoded: Value {
    .list(live.flatMap { [.integer($0.start), .number($0.value)] as [Value] })
  }

  fileprivate init?(_ stored: Value) {
    guard case .list(let items) = stored, items.count.isMultiple(of: 2), items.count <= 8_192 else {
      return nil
    }
    var spans: [Span] = []
    for index in stride(from: 0, to: items.count, by: 2) {
      guard case .integer(let start) = items[index], let value = items[index + 1].double, value.isFinite,
        start > spans.last?.start ?? .min
      else { return nil }
      spans.append(Span(start: start, value: value))
    }
    self.init(spans: spans)
  }
}
