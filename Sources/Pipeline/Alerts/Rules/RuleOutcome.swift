/// What came of a value or of a due time.
package enum RuleOutcome: Sendable, Hashable {
  case nothing
  /// An episode began: tell it.
  case fire(RuleEpisode)
  /// A told episode ended: tell it.
  case resolve(RuleEpisode)
  /// A told episode still goes on, and `repeat_every` is over: remind.
  case remind(RuleEpisode)
  /// The value is not a finite number. Nothing changed; ``AlertRule/refusal(of:)`` says so in words.
  case refused(Double)

  /// The episode to tell about, nil for nothing and for a refusal.
  package var episode: RuleEpisode? {
    switch self {
    case .fire(let episode), .resolve(let episode), .remind(let episode): episode
    case .nothing, .refused: nil
    }
  }

  /// The kind of alert to send, nil for none.
  package var kind: Alert.Kind? {
    switch self {
    case .fire: .firing
    case .resolve: .resolved
    case .remind: .reminder
    case .nothing, .refused: nil
    }
  }
}

/// One stretch of time in which a condition was fulfilled, as an alert tells of it.
package struct RuleEpisode: Sendable, Hashable {
  /// Counts the told episodes of a rule and key from 1; part of the alert's id.
  package var number: UInt32
  /// Counts the reminders of the episode from 1, 0 otherwise; part of the alert's id.
  package var reminder: UInt32
  /// Episodes before this one that began and ended inside a cooldown, told only by this number.
  package var held: UInt32
  package var remarks: Remarks
  /// When the condition became true.
  package var since: Timestamp
  /// When it fired, resolved or was reminded of.
  package var time: Timestamp
  /// The last value, nil if the key never had one.
  package var value: Double?

  /// What a reader of the alert should know besides.
  package struct Remarks: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It was due while the source gave nothing, and told at the next value.
    package static let late = Self(rawValue: 1 << 0)
    /// The change happened somewhere in a gap of the data.
    package static let acrossGap = Self(rawValue: 1 << 1)
    /// The change happened while the program was down.
    package static let whileDown = Self(rawValue: 1 << 2)
    /// The rule changes too often, and is quiet from here until calm; or calm is back.
    package static let flapping = Self(rawValue: 1 << 3)
    /// The episode began inside a cooldown, and was held until its end.
    package static let afterCooldown = Self(rawValue: 1 << 4)
    /// The value went down, where the condition is about both directions.
    package static let downward = Self(rawValue: 1 << 5)
  }
}
