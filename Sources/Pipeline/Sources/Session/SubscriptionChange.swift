import Scripting

/// A wish of a script about a subscription of a source.
package struct SubscriptionChange: Sendable, Hashable {
  /// The name that the configuration gives the subscription.
  package var subscription: String
  /// The items it is about; empty for the subscription as a whole.
  package var items: [String]
  /// Whether they are wanted from now on, or no more.
  package var isWanted: Bool

  /// Makes a wish.
  package init(subscription: String, items: [String], isWanted: Bool) {
    self.subscription = subscription
    self.items = items
    self.isWanted = isWanted
  }
}

/// What scripts changed of the subscriptions of one source, beyond what its configuration says.
package struct SubscriptionChanges: Sendable, Hashable {
  private struct Entry: Sendable, Hashable {
    /// nil while it is as configured.
    var isOn: Bool?
    var items: [String: Bool] = [:]
  }

  /// The most items of one subscription that are remembered.
  package static let itemLimit = 10_000

  private var entries: [String: Entry] = [:]

  /// Makes an empty set of changes.
  package init() {}

  /// Notes a wish; false if it changes nothing or goes beyond what is remembered.
  package mutating func note(_ change: SubscriptionChange) -> Bool {
    let before = entries[change.subscription]
    var entry = before ?? Entry()
    if change.items.isEmpty {
      entry.isOn = change.isWanted
      if !change.isWanted { entry.items = entry.items.filter { !$0.value } }
    } else {
      if change.isWanted { entry.isOn = true }
      for item in change.items { entry.items[item] = change.isWanted }
    }
    guard entry != before, entry.items.count <= Self.itemLimit else { return false }
    entries[change.subscription] = entry
    return true
  }

  /// The wishes that lead from the configuration to here, in a fixed order.
  package var all: [SubscriptionChange] {
    entries.sorted { $0.key < $1.key }.flatMap { name, entry in
      var changes: [SubscriptionChange] = []
      if let isOn = entry.isOn {
        changes.append(SubscriptionChange(subscription: name, items: [], isWanted: isOn))
      }
      for isWanted in [false, true] {
        let items = entry.items.filter { $0.value == isWanted }.keys.sorted()
        guard !items.isEmpty, entry.isOn != false || !isWanted else { continue }
        changes.append(SubscriptionChange(subscription: name, items: items, isWanted: isWanted))
      }
      return changes
    }
  }

  /// The changes as text, for storage.
  package var encoded: String {
    let names = entries.mapValues { entry -> Value in
      var members: [String: Value] = ["items": .map(entry.items.mapValues { .bool($0) })]
      if let isOn = entry.isOn { members["on"] = .bool(isOn) }
      return .map(members)
    }
    return Value.map(names).json
  }

  /// Reads what ``encoded`` wrote; nil for anything else.
  package init?(encoded: String) {
    guard case .map(let names)? = try? Value(json: encoded) else { return nil }
    for (name, value) in names {
      guard case .map(let items)? = value["items"] else { return nil }
      var entry = Entry()
      if case .bool(let isOn)? = value["on"] { entry.isOn = isOn }
      for (item, isWanted) in items { entry.items[item] = isWanted == .bool(true) }
      entries[name] = entry
    }
  }

  /// The name under which the changes of a source are stored among the positions, which no source can have.
  package static func storageName(of source: String) -> String { "\u{1}subscriptions/\(source)" }
}

/// What became of a subscription, or of some of its items.
package struct SubscriptionReport: Sendable, Hashable {
  package enum Outcome: Sendable, Hashable {
    case subscribed
    case unsubscribed
    /// The server refused it; its answer, cut short.
    case refused(String)
    /// No answer came within the time.
    case unanswered(Milliseconds)
    /// Nothing of its data came for so long.
    case silent(Milliseconds)
  }

  package var subscription: String
  /// The items it is about; empty for the subscription as a whole.
  package var items: [String]
  package var outcome: Outcome

  /// Makes a report.
  package init(subscription: String, items: [String], outcome: Outcome) {
    self.subscription = subscription
    self.items = items
    self.outcome = outcome
  }

  /// The name that scripts see.
  package var state: String {
    switch outcome {
    case .subscribed: "subscribed"
    case .unsubscribed: "unsubscribed"
    case .refused: "refused"
    case .unanswered: "unanswered"
    case .silent: "silent"
    }
  }

  /// Why, in words; nil where nothing is wrong.
  package var reason: String? {
    switch outcome {
    case .subscribed, .unsubscribed: nil
    case .refused(let answer): "the server answered \(answer)"
    case .unanswered(let span): "the server did not answer within \(span)"
    case .silent(let span): "no data for \(span)"
    }
  }

  /// The subscription with its items, as logs name it.
  package var title: String {
    guard !items.isEmpty else { return "subscription '\(subscription)'" }
    let shown = items.prefix(5).joined(separator: ", ")
    return "subscription '\(subscription)' (\(shown)\(items.count > 5 ? " and \(items.count - 5) more" : ""))"
  }
}
