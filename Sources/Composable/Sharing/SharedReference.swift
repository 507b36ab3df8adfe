internal import Glibc

/// Where the copies of a shared value meet.
///
/// Sendable because every access to its contents is made under its lock.
final class SharedReference<Value: Sendable & Equatable>: TrackedReference, @unchecked Sendable {
  let name: String
  var value: Value
  private var readers: [UInt64: AsyncStream<Value>.Continuation] = [:]
  private var lastReader: UInt64 = 0
  private var onChange: (@Sendable () -> Void)?
  // Recursive, so that a change within a change is stopped by Swift's check of exclusive access, not for ever.
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init(_ value: Value, name: String, onChange: (@Sendable () -> Void)? = nil) {
    self.value = value
    self.name = name
    self.onChange = onChange
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    pthread_mutex_init(lock, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    for reader in readers.values { reader.finish() }
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  private func locked<Result>(_ body: () throws -> Result) rethrows -> Result {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return try body()
  }

  func read() -> Value {
    if let claims = SharedClaims.current { return claims.value(of: self) }
    return current
  }

  /// The value, whatever a test claims.
  var current: Value { locked { value } }

  /// Takes the lock; ``endChange()`` gives it back.
  func beginChange() {
    pthread_mutex_lock(lock)
    SharedTracker.current?.note(self, value)
  }

  func endChange() {
    for reader in readers.values { reader.yield(value) }
    let onChange = onChange
    pthread_mutex_unlock(lock)
    onChange?()
  }

  /// Calls a function after each change, outside the lock.
  func whenChanged(_ body: @escaping @Sendable () -> Void) { locked { onChange = body } }

  func changes() -> AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let number = locked {
      lastReader += 1
      readers[lastReader] = continuation
      continuation.yield(value)
      return lastReader
    }
    continuation.onTermination = { [weak self] _ in self?.removeReader(number) }
    return stream
  }

  private func removeReader(_ number: UInt64) { locked { _ = readers.removeValue(forKey: number) } }

  // MARK: - Tracking

  var erased: any Sendable { current }

  func difference(from old: any Sendable, to new: any Sendable) -> Difference? {
    guard let old = old as? Value, let new = new as? Value, old != new else { return nil }
    return Difference(from: old, to: new, below: name)
  }
}
