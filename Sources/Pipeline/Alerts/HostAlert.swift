/// The host's own alerts: what its user has to know about the host itself.
package enum HostAlert: String, Sendable, CaseIterable {
  case scriptSuspended = "script suspended"
  case sourceFailed = "source failed"
  case channelFailing = "channel failing"
  case storageFailing = "storage failing"
  case storageReplaced = "storage replaced"

  /// Makes an alert about a part of the host; the same at the same time has the same id.
  package static func make(_ kind: HostAlert, about part: String, at time: Timestamp, text: String) -> Alert {
    let identity = AlertIdentity(
      script: "host", rule: kind.rawValue, key: part, episode: UInt64(bitPattern: time.milliseconds),
      kind: .firing)
    return Alert(
      id: identity.id, name: kind.rawValue, script: "host", key: part, severity: .critical, text: text,
      time: time)
  }
}
