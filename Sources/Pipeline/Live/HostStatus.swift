import Scripting

/// What a running host tells about itself, as `pipeline status` shows it.
struct HostStatus {
  var version: String
  var configuration: String
  var started: Timestamp
  var process: Int
  var lastReload: ReloadResult?
  var storageHome: String

  /// The whole status as plain data. Times are RFC 3339, spans milliseconds.
  ///
  /// - Parameters:
  ///   - queues: what waits of each source, nil for one that waits itself.
  ///   - delays: how long after it happened the last message of each source was read.
  func value(
    _ state: EngineState, _ wiring: EngineWiring, _ queues: [QueueStatus?], delays: [Milliseconds?],
    at now: Timestamp
  ) -> Value {
    var members: [String: Value] = [
      "version": .text(version), "config": .text(configuration), "process": .integer(Int64(process)),
      "now": .text(now.rfc3339()), "started": .text(started.rfc3339()),
      "uptime_ms": .integer((now - started).count), "alerts": Self.count(state.alertCount),
      "sources": .list(
        state.sources.enumerated().map { Self.source($1, queues[$0], delay: delays[$0], at: now) }),
      "scripts": .list(wiring.runners.map { Self.script($0, at: now) }),
      "outbox": Self.outbox(state, at: now), "storage": storage(state, wiring),
    ]
    members["trouble"] = state.trouble(wiring, at: now).map { .text($0) } ?? .null
    members["reload"] = lastReload?.value ?? .null
    return .map(members)
  }

  private static func count(_ number: UInt64) -> Value { .integer(Int64(clamping: number)) }

  private static func time(_ time: Timestamp?) -> Value { time.map { .text($0.rfc3339()) } ?? .null }

  private static func span(since time: Timestamp?, at now: Timestamp) -> Value {
    time.map { .integer((now - $0).count) } ?? .null
  }

  private static func source(
    _ source: EngineState.Source, _ queue: QueueStatus?, delay: Milliseconds?, at now: Timestamp
  ) -> Value {
    let state =
      source.failure != nil ? "failed" : source.isFinished ? "ended" : source.status?.name ?? "not connected"
    var members: [String: Value] = [
      "name": .text(source.name), "state": .text(state), "since": time(source.since),
      "since_ms": span(since: source.since, at: now), "last_message": time(source.lastMessage),
      "last_message_age_ms": span(since: source.lastMessage, at: now),
      "delay_ms": delay.map { .integer($0.count) } ?? .null, "messages": count(source.messageCount),
      "bytes": count(source.byteCount), "undecodable": count(source.faultyCount),
      "connects": count(source.connectCount),
      "reconnects": count(source.connectCount > 0 ? source.connectCount - 1 : 0),
    ]
    if let queue { members.merge(Self.queue(queue, at: now)) { $1 } }
    if let failure = source.failure { members["reason"] = .text(failure) }
    if case .disconnected(_, let reason)? = source.status, source.failure == nil {
      members["reason"] = .text(reason)
    }
    return .map(members)
  }

  /// The lag is the age of the oldest message that waits.
  private static func queue(_ queue: QueueStatus, at now: Timestamp) -> [String: Value] {
    [
      "queued": .integer(Int64(queue.messages)), "queued_bytes": .integer(Int64(queue.bytes)),
      "queue_limit_bytes": .integer(Int64(queue.maximumBytes)), "blocked": .bool(queue.isBlocked),
      "lag_ms": .integer(queue.oldest.map { max((now - $0).count, 0) } ?? 0),
      "dropped": count(queue.droppedMessages), "dropped_bytes": count(queue.droppedBytes),
    ]
  }

  private static func script(_ runner: ScriptRunner, at now: Timestamp) -> Value {
    let isSuspended = runner.isSuspended(at: now)
    return [
      "name": .text(runner.name), "file": .text(runner.source.file.name),
      "state": .text(isSuspended ? "suspended" : "running"),
      "suspended_until": isSuspended ? time(runner.suspension.until) : .null,
      "handled": count(runner.handledCount), "failed": count(runner.failedCount),
      "without_key": count(runner.keylessCount), "skipped_while_suspended": count(runner.suspendedCount),
      "keys": .integer(Int64(runner.machine.keyCount)),
      "memory_bytes": .integer(Int64(runner.machine.memoryBytes)),
      "unstored_keys": .integer(Int64(runner.machine.changedKeyCount)), "reloaded": time(runner.reloaded),
    ]
  }

  private static func outbox(_ state: EngineState, at now: Timestamp) -> Value {
    let oldest = state.outbox.oldest
    return [
      "waiting": .integer(Int64(state.outbox.openCount)), "held": .integer(Int64(state.outbox.heldCount)),
      "oldest": time(oldest),
      "oldest_age_ms": span(since: oldest, at: now),
      "channels": .list(
        state.outbox.names.map { name in
          [
            "name": .text(name), "waiting": .integer(Int64(state.outbox.queued(for: name))),
            "down": .bool(state.outbox.downChannels.contains(name)),
          ]
        }),
    ]
  }

  private func storage(_ state: EngineState, _ wiring: EngineWiring) -> Value {
    [
      "home": .text(storageHome), "last_commit": Self.time(state.lastCommit),
      "commits_under_way": .integer(Int64(state.commitsUnderWay)),
      "unstored_keys": .integer(Int64(wiring.runners.reduce(0) { $0 + $1.machine.changedKeyCount })),
      "failure": state.storageFailure.map { .text($0.description) } ?? .null,
    ]
  }
}
