/// What a recording holds beside messages, each on a line of its own.
package enum RecordedHappening: Sendable, Hashable {
  /// Something happened to the connection of a source.
  case event(RecordedEvent)
  /// Messages of a source are missing.
  case gap(SourceGap, source: Int, time: Timestamp)
  /// A reply to an HTTP request of a script.
  case reply(RecordedReply)
  /// A run of a script was ended by a limit that doesn't fall the same way twice.
  case kill(RecordedKill)
  /// A message of the history that a script began with.
  case history(RecordedHistory)
  /// Which form of a script runs from here on.
  case version(RecordedVersion)

  /// When it happened.
  package var time: Timestamp {
    switch self {
    case .event(let event): event.time
    case .gap(_, _, let time): time
    case .reply(let reply): reply.time
    case .kill(let kill): kill.time
    case .history(let message): message.time
    case .version(let version): version.time
    }
  }
}

/// What happened to the connection of a recorded source.
package struct RecordedEvent: Sendable, Hashable {
  package var event: ConnectionEvent
  /// The number of the source.
  package var source: Int
  package var time: Timestamp
}
