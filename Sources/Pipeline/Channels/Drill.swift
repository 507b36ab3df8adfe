/// A try of a channel: an alert that says of itself that it is none.
package struct Drill: Sendable {
  /// The name of the channel.
  package let channel: String
  /// The channel that would take over, if one is configured.
  package let fallback: String?
  private let target: any Channel

  /// Makes the drills of a configuration's channels, or of one, sorted by their names.
  ///
  /// - Throws: what a channel says that can't be made.
  package static func all(
    _ configuration: Configuration, only name: String? = nil, registry: Registry,
    context: ChannelContext = ChannelContext()
  ) throws -> [Drill] {
    var context = context
    context.program = context.program ?? configuration.program
    return try configuration.channels.filter { name == nil || $0.key == name }.sorted { $0.key < $1.key }.map
    {
      let settings: any ChannelFactory = try registry.make($0.value)
      return Drill(
        channel: $0.key, fallback: settings.policy.fallback,
        target: try settings.makeChannel(name: $0.key, context: context))
    }
  }

  /// Sends the drill once, without retries or fallback, and gives the channel's answer.
  package func send(at now: Timestamp) async -> DeliveryOutcome {
    let alert = alert(at: now)
    let outcome = await target.deliver(alert, id: OutboxRow(alert: alert, channel: channel, queued: now).id)
    await target.close()
    return outcome
  }

  /// The alert: marked in its name, its text and its labels.
  func alert(at now: Timestamp) -> Alert {
    let identity = AlertIdentity(
      script: "host", rule: "drill", key: channel, episode: UInt64(bitPattern: now.milliseconds),
      kind: .firing)
    return Alert(
      id: identity.id, name: "drill", script: "host", key: channel, severity: .info,
      text: "DRILL: a test of the channel '\(channel)'; nothing has happened", time: now,
      labels: ["drill": "true"])
  }
}
