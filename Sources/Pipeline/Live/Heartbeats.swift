/// When each heartbeat is due, by the monotonic clock in nanoseconds.
struct Heartbeats {
  private var entries: [(channel: HeartbeatChannel, due: UInt64)] = []

  /// Those among some channels, each due for the first time after one of its intervals.
  init(_ channels: some Sequence<any Channel>, now: UInt64) {
    for case let channel as HeartbeatChannel in channels {
      entries.append((channel, now + Self.nanoseconds(channel)))
    }
  }

  /// When the next one is due; nil if there is none.
  var nextDue: UInt64? { entries.map(\.due).min() }

  /// Lets all beat that are due, unless something is wrong.
  mutating func beat(now: UInt64, trouble: () -> String?) {
    for index in entries.indices where entries[index].due <= now {
      entries[index].due = now + Self.nanoseconds(entries[index].channel)
      entries[index].channel.beat(trouble: trouble())
    }
  }

  private static func nanoseconds(_ channel: HeartbeatChannel) -> UInt64 {
    UInt64(max(channel.interval.count, 1)) * 1_000_000
  }
}
