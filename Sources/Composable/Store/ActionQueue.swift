/// Actions that wait for their turn, first in, first out.
@usableFromInline
struct ActionQueue<Action: Sendable>: ~Copyable {
  @usableFromInline
  struct Entry {
    @usableFromInline let action: Action
    /// The feature whose effect sent it; nil for those that are always there, and for senders outside.
    @usableFromInline let origin: FeatureOrigin?
    /// What a cancel of its id reaches; nil without ids.
    @usableFromInline let activity: Activity?
    @usableFromInline let isFromEffect: Bool

    @inlinable
    init(action: Action, origin: FeatureOrigin? = nil, activity: Activity? = nil, isFromEffect: Bool) {
      self.action = action
      self.origin = origin
      self.activity = activity
      self.isFromEffect = isFromEffect
    }

    /// Whether nothing can have cancelled it but the end of the store.
    @inlinable var isPlain: Bool { origin == nil && activity == nil }
  }

  @usableFromInline static var smallest: Int { 16 }

  // A ring: entry n is kept at n modulo the capacity, a power of two.
  @usableFromInline var slots: UnsafeMutablePointer<Entry>
  @usableFromInline var capacity: Int
  /// The number of the first entry, counted from the first of all.
  @usableFromInline var first = 0
  /// The number of the next entry to come.
  @usableFromInline var end = 0

  @inlinable
  init() {
    capacity = Self.smallest
    slots = .allocate(capacity: capacity)
  }

  @inlinable
  deinit {
    for number in first..<end { (slots + number & (capacity - 1)).deinitialize(count: 1) }
    slots.deallocate()
  }

  @inlinable var isEmpty: Bool { first == end }

  @inlinable
  mutating func append(_ entry: consuming Entry) {
    if end - first == capacity { resize(to: capacity * 2) }
    (slots + end & (capacity - 1)).initialize(to: entry)
    end += 1
  }

  @inlinable
  mutating func popFirst() -> Entry? {
    if first == end {
      if capacity > 4_096 { resize(to: Self.smallest) }
      return nil
    }
    defer { first += 1 }
    return (slots + first & (capacity - 1)).move()
  }

  @usableFromInline
  mutating func resize(to newCapacity: Int) {
    let newSlots = UnsafeMutablePointer<Entry>.allocate(capacity: newCapacity)
    for number in first..<end {
      (newSlots + number & (newCapacity - 1)).moveInitialize(from: slots + number & (capacity - 1), count: 1)
    }
    slots.deallocate()
    slots = newSlots
    capacity = newCapacity
  }

  /// The origins of the waiting actions that have one.
  var origins: [FeatureOrigin] {
    (first..<end).compactMap { slots[$0 & (capacity - 1)].origin }
  }
}
