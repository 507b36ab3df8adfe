import Scripting
import Synchronization

/// A storage that lasts as long as the process: for tests, for replay and for runs without state.
///
/// It behaves as the one on disk does, except that a commit is done when ``submit(_:then:)`` returns and the
/// callback runs on the caller's thread.
package final class MemoryStorage: Storage {
  private struct Content {
    var stored = Commit()
    var outbox: [DeliveryKey: OutboxRow] = [:]
    var order: [DeliveryKey] = []
    var history: [HistoryRow] = []
    var settledKeys: Set<DeliveryKey> = []
    var isClosed = false
  }

  private let content = Mutex(Content())
  private let bound: QuarantineBound
  private let historyRows: Int
  private let origin: String

  /// Makes an empty storage that keeps a bounded quarantine and history.
  ///
  /// - Parameter origin: see ``Snapshot/origin``; the same each time where runs are to repeat each other.
  package init(
    quarantine: QuarantineBound = QuarantineBound(), historyRows: Int = 10_000, origin: String = ""
  ) {
    self.origin = origin
    bound = quarantine
    self.historyRows = historyRows
  }

  package var home: String { "memory" }

  /// None: nobody else reaches this storage.
  package var orders: StandingOrders { StandingOrders() }

  package func watch(_ happened: @escaping @Sendable (StorageEvent) -> Void) {}

  package func load() -> Snapshot {
    content.withLock { content in
      content.isClosed = false
      var snapshot = Snapshot()
      snapshot.origin = origin
      snapshot.states = content.stored.states
      snapshot.rules = content.stored.rules
      snapshot.timers = content.stored.timers
      snapshot.states.compact(droppingRemovals: true)
      snapshot.rules.compact(droppingRemovals: true)
      snapshot.timers.compact(droppingRemovals: true)
      snapshot.positions = content.stored.positions
      snapshot.outbox = content.order.compactMap { content.outbox[$0] }
      return snapshot
    }
  }

  package func hurry(within time: Milliseconds) {}

  package func submit(
    _ commit: Commit, then completion: @escaping @Sendable (Result<Void, StorageError>) -> Void
  ) {
    let isClosed = content.withLock { content in
      if !content.isClosed { apply(commit, to: &content) }
      return content.isClosed
    }
    completion(isClosed ? .failure(StorageError(.closed, "the storage in memory is closed")) : .success(()))
  }

  package func history(limit: Int) -> [HistoryRow] {
    content.withLock { Array($0.history.suffix(max(limit, 0)).reversed()) }
  }

  package func deadLetters(limit: Int) -> [HistoryRow] {
    let failed = content.withLock { content in
      content.history.filter { if case .failed = $0.settled.outcome { true } else { false } }
    }
    return Array(failed.suffix(max(limit, 0)).reversed())
  }

  package func quarantine(limit: Int) -> [QuarantineRow] {
    content.withLock { Array($0.stored.quarantine.suffix(max(limit, 0)).reversed()) }
  }

  /// Closes; a later ``load()`` opens again with everything that was stored, as a restart would.
  @discardableResult
  package func close() -> StorageError? {
    content.withLock { $0.isClosed = true }
    return nil
  }

  private func apply(_ commit: Commit, to content: inout Content) {
    var commit = commit
    for row in commit.outbox {
      if content.settledKeys.remove(row.deliveryKey) != nil {
        content.history.removeAll { $0.settled.key == row.deliveryKey }
      }
      if content.outbox.updateValue(row, forKey: row.deliveryKey) == nil {
        content.order.append(row.deliveryKey)
      }
    }
    for settled in commit.settled {
      guard let row = content.outbox.removeValue(forKey: settled.key) else { continue }
      let ended = HistoryRow(alert: row.alert, settled: settled)
      guard !ended.isPublication else { continue }
      content.history.append(ended)
      content.settledKeys.insert(settled.key)
    }
    if content.order.count > 2 * content.outbox.count {
      content.order.removeAll { content.outbox[$0] == nil }
    }
    if content.history.count > historyRows {
      let surplus = content.history.count - historyRows
      for row in content.history.prefix(surplus) { content.settledKeys.remove(row.settled.key) }
      content.history.removeFirst(surplus)
    }
    commit.outbox = []
    commit.settled = []
    commit.quarantine = commit.quarantine.map(bound.fitted)
    content.stored.merge(commit)
    bound.trim(&content.stored.quarantine)
  }
}

extension QuarantineBound {
  /// Drops the oldest rows until the rest is within the bound.
  func trim(_ rows: inout [QuarantineRow]) {
    var bytes = rows.reduce(0) { $0 + $1.size }
    var surplus = 0
    while surplus < rows.count - 1, rows.count - surplus > self.rows || bytes > self.bytes {
      bytes -= rows[surplus].size
      surplus += 1
    }
    rows.removeFirst(surplus)
  }
}

extension MemoryStorage? {
  /// What a replay keeps its state in: nothing, but where that is measured.
  package static var measured: MemoryStorage? { Measuring.keepsState ? MemoryStorage() : nil }
}
