/// The host's own alerts: what its user has to know about the host itself.
package enum HostAlert: String, Sendable, CaseIterable {
  case scriptSuspended = "script suspended"
  case sourceFailed = "source failed"
  case feedDown = "feed down"
  case subscriptionFailed = "subscription failed"
  case channelFailing = "channel failing"
  case alertGivenUp = "alert given up"
  case storageFailing = "storage failing"
  case storageReplaced = "storage replaced"
  case copyFailing = "storage copy failing"
  case bodyFailing = "body failing"
  case clockSet = "clock set"

  /// How much it matters: what passes by itself, or left something behind to look at, is no emergency.
  package var severity: Severity {
    switch self {
    case .feedDown, .subscriptionFailed, .alertGivenUp, .copyFailing, .bodyFailing, .clockSet: .warning
    case .scriptSuspended, .sourceFailed, .channelFailing, .storageFailing, .storageReplaced: .critical
    }
  }

  /// Whether its end is told.
  package var lasts: Bool {
    switch self {
    case .feedDown, .channelFailing, .storageFailing, .copyFailing: true
    case .scriptSuspended, .sourceFailed, .subscriptionFailed, .alertGivenUp, .storageReplaced, .bodyFailing,
      .clockSet:
      false
    }
  }

  /// Makes an alert about a part of the host; the same at the same time has the same id.
  ///
  /// - Parameter since: when what it is about began, for both its beginning and its end; now if not given.
  package static func make(
    _ kind: HostAlert, _ episode: Alert.Kind = .firing, about part: String, since: Timestamp? = nil,
    at time: Timestamp, text: String
  ) -> Alert {
    let identity = AlertIdentity(
      script: "host", rule: kind.rawValue, key: part,
      episode: UInt64(bitPattern: (since ?? time).milliseconds), kind: episode)
    return Alert(
      id: identity.id, name: kind.rawValue, script: "host", key: part, kind: episode, severity: kind.severity,
      text: text, time: time, lasts: kind.lasts && episode == .firing)
  }
}
