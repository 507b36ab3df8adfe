internal import Synchronization

extension Database {
  /// The rows of a descriptor: those of now, then those after each change by which they differ.
  ///
  /// Changes that aren't saved yet are seen, too. Who reads slower than they come gets the newest rows only.
  /// The sequence ends with an error where the rows can't be read; it doesn't keep the database.
  public func rows<R: Record & Equatable>(
    of descriptor: FetchDescriptor<R>
  ) -> AsyncThrowingStream<[R], any Error> {
    let (stream, continuation) = AsyncThrowingStream<[R], any Error>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let last = Mutex<[R]?>(nil)
    let observer = QueryObserver(table: R.table.name) { transaction in
      do {
        let rows = try transaction.fetch(descriptor)
        let isNew = last.withLock { last in
          defer { last = rows }
          return last != rows
        }
        if isNew { continuation.yield(rows) }
      } catch {
        continuation.finish(throwing: error)
      }
    }
    let registration = Mutex(Registration.beginning)
    continuation.onTermination = { [weak self] _ in
      let number = registration.withLock { state -> UInt64? in
        defer { state = .ended }
        if case .observing(let number) = state { return number } else { return nil }
      }
      if let number { self?.stopObserving(number) }
    }
    let register: @Sendable (Database) -> Void = { database in
      do {
        let number = try database.core.withLock { try $0.use("rows") { try $0.observe(observer) } }
        let isOver = registration.withLock { state in
          if case .ended = state { return true }
          state = .observing(number)
          return false
        }
        if isOver { database.stopObserving(number) }
      } catch {
        continuation.finish(throwing: error)
      }
    }
    if let thread {
      Task { await withTaskExecutorPreference(thread) { register(self) } }
    } else {
      register(self)
    }
    return stream
  }

  /// The lock may be held by the one who ends the stream, so another task takes the observer out.
  private func stopObserving(_ number: UInt64) {
    Task { [weak self] in self?.core.withLock { $0.removeObserver(number) } }
  }
}

private enum Registration {
  case beginning
  case observing(UInt64)
  case ended
}
