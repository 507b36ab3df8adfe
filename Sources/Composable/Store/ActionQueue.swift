/// Actions that wait for their turn, first in, first out.
@usableFromInline
struct ActionQueue<Action: Sendable> {
  @usableFromInline
  struct Entry {
    @usableFromInline let action: Action
    /// The feature whose effect sent it; nil for the root and for senders outside.
    @usableFromInline let feature: FeatureInstance?
    /// What a cancel of its id reaches; nil without ids.
    @usableFromInline let activity: Activity?
    @usableFromInline let isFromEffect: Bool

    @inlinable
    init(action: Action, feature: FeatureInstance?, activity: Activity?, isFromEffect: Bool) {
      self.action = action
      self.feature = feature
      self.activity = activity
      self.isFromEffect = isFromEffect
    }

    /// Whether nothing can have cancelled it but the end of the store.
    @inlinable var isPlain: Bool { feature == nil && activity == nil }
  }

  @usableFromInline var entries: [Entry?] = []
  @usableFromInline var head = 0

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { head == entries.count }

  @inlinable
  mutating func append(_ entry: Entry) { entries.append(entry) }

  @inlinable
  mutating func popFirst() -> Entry? {
    guard head < entries.count else { return nil }
    let entry = entries[head]
    entries[head] = nil
    head += 1
    if head == entries.count {
      entries.removeAll(keepingCapacity: entries.count <= 1_024)
      head = 0
    } else if head >= 1_024, head * 2 >= entries.count {
      entries.removeFirst(head)
      head = 0
    }
    return entry
  }
}
