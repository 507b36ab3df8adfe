/// The running effects of one instance of a feature, and its children.
///
/// Confined to the isolation of its store, like ``Activity``.
@usableFromInline
final class FeatureInstance {
  let key: FeatureKey?
  private(set) weak var parent: FeatureInstance?
  private(set) var children: [FeatureKey: FeatureInstance] = [:]
  private(set) var activities: [UInt64: Activity] = [:]
  private var named: [EffectID: [UInt64: Activity]] = [:]
  var throttles: [EffectID: Throttle] = [:]
  /// Actions of this instance that wait in the queue.
  @usableFromInline var queued = 0
  private(set) var isEnded = false

  init(key: FeatureKey?, parent: FeatureInstance?) {
    self.key = key
    self.parent = parent
  }

  @usableFromInline
  func child(_ key: FeatureKey) -> FeatureInstance {
    if let child = children[key] { return child }
    let child = FeatureInstance(key: key, parent: self)
    children[key] = child
    return child
  }

  func insert(_ activity: Activity) {
    activities[activity.serial] = activity
    for id in activity.ids { named[id, default: [:]][activity.serial] = activity }
  }

  /// Forgets an activity that ended; returns false where it was forgotten before.
  func remove(_ activity: Activity) -> Bool {
    guard activities.removeValue(forKey: activity.serial) != nil else { return false }
    for id in activity.ids {
      named[id]?[activity.serial] = nil
      if named[id]?.isEmpty == true { named[id] = nil }
    }
    prune()
    return true
  }

  /// The activities under an id, in the order of their start.
  func activities(named id: EffectID) -> [Activity] {
    named[id].map { $0.values.sorted { $0.serial < $1.serial } } ?? []
  }

  /// Takes itself out of its parent once nothing of it goes on; only where the feature itself can go.
  @usableFromInline
  func prune() {
    guard let key, key.isDynamic, activities.isEmpty, children.isEmpty, queued == 0, throttles.isEmpty else {
      return
    }
    parent?.removeChild(key, self)
  }

  private func removeChild(_ key: FeatureKey, _ child: FeatureInstance) {
    guard children[key] === child else { return }
    children[key] = nil
    prune()
  }

  /// Marks this instance and all below it as gone and returns what they had running.
  func end() -> [Activity] {
    isEnded = true
    var ended = Array(activities.values)
    for child in children.values { ended += child.end() }
    throttles = [:]
    if let key { parent?.removeChild(key, self) }
    return ended
  }

  /// Everything that runs here and below.
  var allActivities: [Activity] { activities.values + children.values.flatMap(\.allActivities) }
}

/// The open span of a throttled id.
final class Throttle {
  /// Performs the effect chosen to follow, if any came.
  var pending: (() -> Void)?
}
