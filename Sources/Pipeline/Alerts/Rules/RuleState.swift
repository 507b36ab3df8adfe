/// What a rule knows of one key: plain bytes, 64 of them, to be kept by the hundred thousand in an array.
///
/// Copying it is the whole of undo. Only the methods of ``AlertRule`` change it.
package struct RuleState: Sendable, Hashable {
  /// Where a rule stands.
  package enum Phase: UInt8, Sendable, CaseIterable {
    /// No value seen yet.
    case unknown = 0
    /// The condition isn't fulfilled.
    case clear = 1
    /// The condition is fulfilled, but `for_duration` or a cooldown isn't over.
    case pending = 2
    /// The condition is fulfilled. Whether that was told is another matter: see ``RuleState/isTold``.
    case firing = 3

    /// Whether the condition is known and nothing is waited for.
    var isSettled: Bool { rawValue & 1 != 0 }
  }

  /// The smaller facts.
  struct Flags: OptionSet, Sendable, Hashable {
    let rawValue: UInt16

    /// An alert was sent whose end is still to come.
    static let told = Self(rawValue: 1 << 0)
    /// The one alert of a rule with `once` was sent.
    static let done = Self(rawValue: 1 << 1)
    /// Pending because of a cooldown.
    static let held = Self(rawValue: 1 << 2)
    /// Changed too often lately; quiet until calm.
    static let flapping = Self(rawValue: 1 << 3)
    /// The next value is the first after a gap.
    static let gap = Self(rawValue: 1 << 4)
    /// The next value is the first after a restart.
    static let restart = Self(rawValue: 1 << 5)
    /// Something due passed while the source gave nothing: the next value decides.
    static let waiting = Self(rawValue: 1 << 6)
    /// The source is down, and `due` holds the milliseconds that were left.
    static let paused = Self(rawValue: 1 << 7)
    /// For `crosses`: last known below the level.
    static let below = Self(rawValue: 1 << 8)
    /// For `crosses`: last known above the level.
    static let above = Self(rawValue: 1 << 9)
    /// The pending episode began with the first value after a gap.
    static let begunAcrossGap = Self(rawValue: 1 << 10)
    /// The pending episode began with the first value after a restart.
    static let begunWhileDown = Self(rawValue: 1 << 11)
    /// The pending episode began on the way down.
    static let begunDownward = Self(rawValue: 1 << 12)

    /// With any of these set a value on the same side as before isn't simply passed over.
    static let attention: Self = [.flapping, .gap, .restart, .waiting, .paused]
    /// What belongs to an episode that isn't told yet.
    static let ofEpisode: Self = [.held, .begunAcrossGap, .begunWhileDown, .begunDownward]
    static let all = Self(rawValue: (1 << 13) - 1)
  }

  /// The value of ``lastTime`` before any value.
  static let never = Timestamp(milliseconds: .min)
  /// The value of a due time that isn't set.
  static let notDue = Timestamp(milliseconds: .max)

  /// The last value that counted; meaningless while ``lastTime`` is `never`.
  var lastValue: Double = 0
  var lastTime = never
  /// When the episode going on, or last gone on, began.
  package internal(set) var since = never
  var due = notDue
  var calmDue = notDue
  var cooldownEnd = never
  /// The number of the last episode that was told, from 1; 0 before the first.
  package internal(set) var episode: UInt32 = 0
  /// Reminders sent in this episode.
  var reminders: UInt32 = 0
  /// Episodes that began and ended inside cooldowns since the last alert.
  var held: UInt32 = 0
  var flags: Flags = []
  package internal(set) var phase: Phase = .unknown

  /// Makes the state of a key never seen.
  package init() {}

  /// The last value that counted, nil before the first.
  package var value: Double? { lastTime == Self.never ? nil : lastValue }

  /// When the last value that counted came, nil before the first.
  package var time: Timestamp? { lastTime == Self.never ? nil : lastTime }

  /// Whether an alert was sent whose end is still to come.
  package var isTold: Bool { flags.contains(.told) }

  /// Whether the rule changed too often lately and is quiet until calm.
  package var isFlapping: Bool { flags.contains(.flapping) }

  /// When ``AlertRule/due(_:_:at:source:)`` must be called next, nil for not at all.
  ///
  /// It changes with every call; a call before it does no harm, so a host may keep an older time in its
  /// timer heap and ask again when that comes.
  package var nextDue: Timestamp? {
    guard flags.isDisjoint(with: [.waiting, .paused]) else { return nil }
    let next = min(due, calmDue)
    return next == Self.notDue ? nil : next
  }
}

extension RuleState.Phase {
  /// The phase in a word.
  package var name: String {
    switch self {
    case .unknown: "unknown"
    case .clear: "clear"
    case .pending: "pending"
    case .firing: "firing"
    }
  }
}
