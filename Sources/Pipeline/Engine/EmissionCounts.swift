/// How many messages scripts handed on for one message of a source, by the groups that topics connect.
///
/// Confined to the engine, as what it counts is.
final class EmissionCounts {
  /// What a count came to.
  enum Outcome: Equatable {
    case within
    /// `isFirst` tells the first that goes beyond the limit.
    case beyond(isFirst: Bool)
  }

  private var counts: [Int] = []
  private var isDirty = false

  /// Begins anew.
  func reset(groups: Int) {
    guard isDirty || counts.count != groups else { return }
    isDirty = false
    counts.removeAll(keepingCapacity: true)
    counts.append(contentsOf: repeatElement(0, count: groups))
  }

  /// Counts messages of a group.
  func add(_ count: Int, in group: Int, limit: Int) -> Outcome {
    isDirty = true
    let before = counts[group]
    counts[group] += count
    return counts[group] <= limit ? .within : .beyond(isFirst: before <= limit)
  }
}
