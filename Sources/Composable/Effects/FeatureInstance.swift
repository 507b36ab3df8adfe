/// The running effects of one instance of a feature, and its children; kept as long as it has any.
///
/// Confined to the isolation of its store, like ``Activity``.
final class FeatureInstance {
  let origin: FeatureOrigin
  /// Nil for the root.
  let key: FeatureKey?
  private weak var parent: FeatureInstance?
  private(set) var children: [FeatureKey: FeatureInstance] = [:]
  private(set) var activities: [UInt64: Activity] = [:]
  private var named: [EffectID: [UInt64: Activity]] = [:]
  var throttles: [EffectID: Throttle] = [:]

  init() {
    origin = FeatureOrigin()
    key = nil
  }

  private init(_ key: FeatureKey, parent: FeatureInstance) {
    let rows = parent.origin.rows
    origin =
      key.row == nil ? FeatureOrigin(place: key.place, rows: rows) : FeatureOrigin(rows: rows + [key])
    self.key = key
    self.parent = parent
  }

  func child(_ key: FeatureKey) -> FeatureInstance {
    if let child = children[key] { return child }
    let child = FeatureInstance(key, parent: self)
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

  /// Takes itself out of its parent once nothing of it goes on.
  private func prune() {
    guard let key, activities.isEmpty, children.isEmpty, throttles.isEmpty else { return }
    parent?.removeChild(key, self)
  }

  private func removeChild(_ key: FeatureKey, _ child: FeatureInstance) {
    guard children[key] === child else { return }
    children[key] = nil
    prune()
  }

  /// Takes itself out of its parent for good and returns what it and all below it had running.
  func end() -> [Activity] {
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
