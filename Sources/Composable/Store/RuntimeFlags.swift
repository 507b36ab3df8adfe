/// What a runtime is doing, and what an action needs beyond a call of the reducer.
///
/// Not an `OptionSet`, whose generic operations cost more than the whole of a small action.
@usableFromInline
struct RuntimeFlags: Equatable {
  @usableFromInline var bits: UInt8

  @inlinable
  init(bits: UInt8 = 0) { self.bits = bits }

  /// Actions are being handled.
  @inlinable static var turn: Self { Self(bits: 1) }
  /// The reducer is changing the state.
  @inlinable static var reducing: Self { Self(bits: 2) }
  /// The reducer is changing the state for the first action of a turn.
  @inlinable static var reducingTurn: Self { Self(bits: 3) }
  /// The store takes no more actions.
  @inlinable static var closed: Self { Self(bits: 4) }
  /// Somebody is told of changes.
  @inlinable static var observed: Self { Self(bits: 8) }
  /// Each action is told to a recorder.
  @inlinable static var recorded: Self { Self(bits: 16) }
  /// Work is in flight that may belong to a child that an action removes.
  @inlinable static var sweeping: Self { Self(bits: 32) }
  /// Actions wait in the queue.
  @inlinable static var queued: Self { Self(bits: 64) }

  @inlinable var isEmpty: Bool { bits == 0 }

  @inlinable
  func contains(_ other: Self) -> Bool { bits & other.bits != 0 }

  @inlinable
  mutating func insert(_ other: Self) { bits |= other.bits }

  @inlinable
  mutating func remove(_ other: Self) { bits &= ~other.bits }
}
