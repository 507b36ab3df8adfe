/// What the host knows about a message besides its value.
package struct RuleContext: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Sent before: a duplicate, or a snapshot that repeats. It changes nothing.
  package static let replayed = Self(rawValue: 1 << 0)
  /// Older than the last of its key. It changes nothing unless the rule accepts late values.
  package static let late = Self(rawValue: 1 << 1)
  /// The first of its key after a gap.
  package static let afterGap = Self(rawValue: 1 << 2)
  /// The first of its key after a restart.
  package static let afterRestart = Self(rawValue: 1 << 3)
  /// Of the time before the host began to watch. It only arms.
  package static let history = Self(rawValue: 1 << 4)
}

/// What the source of a key does at the moment something falls due.
package enum RuleSource: Sendable, CaseIterable {
  /// Connected and giving data.
  case live
  /// Connected, but mute for longer than its `stale_after`.
  case stale
  /// Not connected.
  case down
}
