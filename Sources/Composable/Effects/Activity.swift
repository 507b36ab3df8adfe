/// A piece of work that an effect started and that can be cancelled: a task, a queued action, or the rest of
/// a sequence.
///
/// Sendable only so that a task can name the activity it belongs to; every use is on the store's isolation.
@usableFromInline
final class Activity: @unchecked Sendable {
  /// Orders activities by their start, and names them in tables.
  let serial: UInt64
  let feature: FeatureInstance
  let ids: [EffectID]
  /// The sequence that waits for this activity.
  let sequence: Activity?
  var isCancelled = false
  var task: Task<Void, Never>?
  var description: ActivityDescription?

  // For a sequence: how many of its current step's activities go on, and what follows them.
  var remaining = 0
  var proceed: (() -> Void)?
  // For a timer: what is due when it ends.
  var fire: (() -> Void)?

  init(serial: UInt64, feature: FeatureInstance, ids: [EffectID], sequence: Activity?) {
    self.serial = serial
    self.feature = feature
    self.ids = ids
    self.sequence = sequence
  }
}

/// What diagnostics say about a running effect.
package struct ActivityDescription: Sendable, CustomStringConvertible {
  package let name: String?
  package let location: CodeLocation?
  package let kind: String

  package var description: String {
    let place = location.map { " started at \($0)" } ?? ""
    return (name.map { "\(kind) \"\($0)\"" } ?? kind) + place
  }
}
