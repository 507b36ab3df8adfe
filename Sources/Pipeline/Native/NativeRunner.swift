package import Scripting

/// A native reducer at work, whatever its state is; confined to the engine.
package protocol NativeStage: AnyObject {
  /// The name that the configuration gives it.
  var name: String { get }
  var topics: [String] { get }
  var hasChanges: Bool { get }
  /// Whether nothing of it was stored, so that a history may come first.
  var isCold: Bool { get }

  /// Reduces a message, and gives what accepted ones ask for.
  func handle(_ message: NativeMessage) -> NativeOutcome

  /// Reduces a message of a history: the same, but for alerts and the log, of which nothing remains.
  func warmUp(with message: NativeMessage) -> NativeOutcome

  /// Puts everything that changed since the last call into a commit.
  func collect(into commit: inout Commit)

  /// Takes the stored rows over; returns one sentence for each that can't be used.
  func restore(_ snapshot: Snapshot) -> [String]
}

/// What became of a message.
package enum NativeOutcome {
  case skipped
  case accepted(alerts: [Alert], emitted: [(topic: String, value: Value)], log: [String])
  case failed(reason: String)
}

/// A native reducer with the states of its keys.
final class NativeRunner<Reducer: NativeReducer>: NativeStage {
  private struct Entry {
    var state: Reducer.State
    /// How many alerts of each name were told: a stored part of their ids.
    var alertCounts: [String: UInt64] = [:]
  }

  let name: String
  private let reducer: Reducer
  private var entries: [String: Entry] = [:]
  private var changed: Set<String> = []
  /// What tells the storage apart that counts the alerts: see ``Snapshot/origin``.
  private var origin = ""
  private(set) var isCold = true

  init(name: String, reducer: Reducer) {
    self.name = name
    self.reducer = reducer
  }

  var topics: [String] { reducer.topics }
  var hasChanges: Bool { !changed.isEmpty }

  func handle(_ message: NativeMessage) -> NativeOutcome { reduce(message, isHistory: false) }

  func warmUp(with message: NativeMessage) -> NativeOutcome { reduce(message, isHistory: true) }

  private func reduce(_ message: NativeMessage, isHistory: Bool) -> NativeOutcome {
    guard let key = reducer.key(of: message) else { return .skipped }
    // A copy, so that a failure changes nothing.
    var entry = entries[key] ?? Entry(state: Reducer.State())
    let effects: [NativeEffect]
    do {
      effects = try reducer.reduce(into: &entry.state, message: message)
    } catch {
      return .failed(reason: "\(error)")
    }
    var alerts: [Alert] = []
    var emitted: [(topic: String, value: Value)] = []
    var log: [String] = []
    for effect in effects {
      switch effect {
      case .log where isHistory, .alert where isHistory: continue
      case .log(let text): log.append(text)
      case .emit(let topic, let value):
        guard topics.contains(topic) else {
          return .failed(
            reason: "emits the unknown topic '\(topic)'; \(Suggestion.hint(for: topic, among: topics))")
        }
        emitted.append((topic, value))
      case .alert(let name, let text, let severity, let labels):
        let number = (entry.alertCounts[name] ?? 0) + 1
        entry.alertCounts[name] = number
        let identity = AlertIdentity(
          origin: origin, script: self.name, rule: name, key: key, episode: number, kind: .firing)
        alerts.append(
          Alert(
            id: identity.id, name: name, script: self.name, key: key, severity: severity, text: text,
            time: message.time, labels: labels))
      }
    }
    entries[key] = entry
    changed.insert(key)
    return .accepted(alerts: alerts, emitted: emitted, log: log)
  }

  func collect(into commit: inout Commit) {
    for key in changed.sorted() {
      guard let entry = entries[key] else { continue }
      var row: [String: Value] = ["state": entry.state.stored]
      if !entry.alertCounts.isEmpty {
        row["alerts"] = .map(entry.alertCounts.mapValues { .integer(Int64(clamping: $0)) })
      }
      commit.putState(script: name, key: key, data: Array(Value.map(row).json.utf8))
    }
    changed.removeAll()
  }

  func restore(_ snapshot: Snapshot) -> [String] {
    origin = snapshot.origin
    var faults: [String] = []
    snapshot.states.forEachRow(of: name) { fields in
      isCold = false
      guard let keyBytes = fields[1], let data = fields[2] else { return }
      let key = String(decoding: keyBytes, as: UTF8.self)
      do {
        let row = try Value(json: data)
        var entry = Entry(state: try Reducer.State(stored: row["state"] ?? .null))
        if case .map(let counts)? = row["alerts"] {
          for (name, count) in counts {
            if case .integer(let count) = count { entry.alertCounts[name] = UInt64(clamping: count) }
          }
        }
        entries[key] = entry
      } catch {
        faults.append("the stored state of \(name), key '\(key)': \(error)")
      }
    }
    return faults
  }
}
