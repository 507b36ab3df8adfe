internal import Synchronization

/// A shared value as a test store sees it.
package protocol TrackedReference: AnyObject, Sendable {
  /// What failure texts call it.
  var name: String { get }
  /// The value now.
  var erased: any Sendable { get }
  /// What differs between two of its values; nil where nothing does.
  func difference(from old: any Sendable, to new: any Sendable) -> Difference?
}

/// The values of shared references, by their identity.
package typealias SharedSnapshot = [ObjectIdentifier: any Sendable]

/// Notes which shared values the features of a test store change.
package final class SharedTracker: Sendable {
  private struct State {
    var references: [ObjectIdentifier: any TrackedReference] = [:]
    var claimed: SharedSnapshot = [:]
  }

  @TaskLocal package static var current: SharedTracker?

  private let state = Mutex(State())

  package init() {}

  /// Notes the value before the first change.
  func note(_ reference: any TrackedReference, _ value: any Sendable) {
    state.withLock { state in
      let id = ObjectIdentifier(reference)
      guard state.references[id] == nil else { return }
      state.references[id] = reference
      state.claimed[id] = value
    }
  }

  /// The values now, of those that were changed at any time.
  package var snapshot: SharedSnapshot {
    let references = state.withLock { $0.references }
    return references.isEmpty ? [:] : references.mapValues(\.erased)
  }

  /// The values as the test knows them.
  package var claimed: SharedSnapshot {
    get { state.withLock { $0.claimed } }
    set { if !newValue.isEmpty { state.withLock { $0.claimed.merge(newValue) { $1 } } } }
  }

  /// What differs between two snapshots, in the order of names; a value missing in one is as the test knows it.
  package func differences(from old: SharedSnapshot, to new: SharedSnapshot) -> [Difference] {
    let (references, claimed) = state.withLock { ($0.references, $0.claimed) }
    if references.isEmpty { return [] }
    return references.sorted { $0.value.name < $1.value.name }.compactMap { id, reference in
      guard let old = old[id] ?? claimed[id], let new = new[id] ?? claimed[id] else { return nil }
      return reference.difference(from: old, to: new)
    }
  }
}

/// The shared values that a test claims while its closure runs; changes go here instead of to the values.
package final class SharedClaims: Sendable {
  private struct State {
    var values: SharedSnapshot
    var claimed: Set<ObjectIdentifier> = []
  }

  @TaskLocal package static var current: SharedClaims?

  private let tracker: SharedTracker
  private let state: Mutex<State>

  /// Begins with some values; others are as they are now.
  package init(_ values: SharedSnapshot, tracker: SharedTracker) {
    self.tracker = tracker
    state = Mutex(State(values: values))
  }

  /// The values with those that were claimed.
  package var values: SharedSnapshot { state.withLock { $0.values } }

  /// Which values were claimed.
  package var claimed: Set<ObjectIdentifier> { state.withLock { $0.claimed } }

  func value<Value>(of reference: SharedReference<Value>) -> Value {
    state.withLock { $0.values[ObjectIdentifier(reference)] as? Value } ?? reference.current
  }

  func claim<Value>(_ value: Value, of reference: SharedReference<Value>) {
    tracker.note(reference, reference.current)
    state.withLock { state in
      state.claimed.insert(ObjectIdentifier(reference))
      state.values[ObjectIdentifier(reference)] = value
    }
  }
}
