internal import Synchronization

/// An observation; it ends when this is dropped or ``cancel()`` is called.
public final class Observation {
  private let handle: ObserverHandle

  init(_ handle: ObserverHandle) { self.handle = handle }

  deinit { handle.remove() }

  /// Ends the observation.
  public func cancel() { handle.remove() }
}

/// How to take an observer out again.
struct ObserverHandle {
  let remove: () -> Void
}

extension Store {
  /// Calls a function with a projection of the state: its value of now, at once, then each that differs at the
  /// end of a turn.
  ///
  /// The function is called on the store's actor, after the last action of a turn. It may send actions; they
  /// are handled after it has returned, before the outer `send`, or this call, returns.
  public func observe<Value: Equatable>(
    _ projection: @escaping (State) -> Value, perform: @escaping (Value) -> Void
  ) -> Observation {
    var last: Value?
    return Observation(
      observe(
        Observer(
          notify: { state in
            let value = projection(state.pointee)
            guard value != last else { return }
            last = value
            perform(value)
          }, finish: {})))
  }

  /// The values of a projection of the state: the one of now, then each that differs at the end of a turn.
  ///
  /// Who reads slower than the state changes gets the newest value only. The sequence ends when the store is
  /// closed or dropped; that of a closed store gives its last value and ends.
  public func changes<Value: Equatable & Sendable>(
    of projection: @escaping (State) -> Value
  ) -> Changes<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream(bufferingPolicy: .bufferingNewest(1))
    var last: Value?
    let isOver = OverFlag()
    continuation.onTermination = { _ in isOver.set() }
    var handle: ObserverHandle?
    handle = observe(
      Observer(
        notify: { state in
          if isOver.isSet {
            handle?.remove()
            handle = nil
            return
          }
          let value = projection(state.pointee)
          guard value != last else { return }
          last = value
          continuation.yield(value)
        }, finish: { continuation.finish() }))
    return Changes(stream: stream)
  }
}

/// The changes of a projection of a store's state; see ``Store/changes(of:)``.
public struct Changes<Value: Equatable & Sendable>: AsyncSequence, Sendable {
  let stream: AsyncStream<Value>

  /// Reads the values.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: AsyncStream<Value>.AsyncIterator

    /// The next value; nil once the store is closed.
    public mutating func next() async -> Value? { await base.next() }

    /// The next value; nil once the store is closed.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await base.next(isolation: actor)
    }
  }

  /// Begins to read; one reader at a time.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }
}

/// Set by whichever thread ends the reading of a stream.
private final class OverFlag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
