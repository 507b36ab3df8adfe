/// Actions that wait for their turn, first in, first out.
struct ActionQueue<Action: Sendable> {
  struct Entry {
    let action: Action
    /// The feature whose effect sent it; nil for the root and for senders outside.
    let feature: FeatureInstance?
    /// What a cancel of its id reaches; nil without ids.
    let activity: Activity?
    let isFromEffect: Bool
  }

  private var entries: [Entry?] = []
  private var head = 0

  var isEmpty: Bool { head == entries.count }

  mutating func append(_ entry: Entry) { entries.append(entry) }

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
