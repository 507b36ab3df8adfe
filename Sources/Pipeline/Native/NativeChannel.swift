/// A way out for alerts written in Swift, which a host adds to its registry.
///
/// The host's outbox gives it what every channel has: alerts are stored before they are delivered, one after the
/// other, tried again with back-off, and kept as dead letters when they are given up.
public protocol NativeChannel: Sendable {
  /// Delivers an alert; it counts as delivered when this returns.
  ///
  /// - Parameters:
  ///   - alert: what to tell.
  ///   - id: the same at each repeat of this delivery, so that a receiver can recognise one.
  /// - Throws: ``UndeliverableAlert`` where another attempt can't go better; any other error is tried again.
  func deliver(_ alert: Alert, id: String) async throws
}

/// Why an alert is given up at once.
public struct UndeliverableAlert: Error, Hashable, CustomStringConvertible {
  /// The reason, which the log and the dead letter tell.
  public let description: String

  /// Makes an error from its reason, without any secret.
  public init(_ reason: String) { description = reason }
}

/// A native channel under the name that a configuration gives it.
struct NativeChannelAdapter: Channel {
  let name: String
  let channel: any NativeChannel

  func deliver(_ alert: Alert, id: String) async -> DeliveryOutcome {
    do {
      try await channel.deliver(alert, id: id)
      return .delivered
    } catch let error as UndeliverableAlert {
      return .failed(reason: error.description)
    } catch {
      return .retry(after: nil, reason: "\(error)")
    }
  }
}

/// A native channel as a configuration uses it.
struct NativeChannelSettings: ChannelFactory {
  let channel: any NativeChannel

  var policy: DeliveryPolicy { DeliveryPolicy() }

  func makeChannel(name: String, context: ChannelContext) -> any Channel {
    NativeChannelAdapter(name: name, channel: channel)
  }
}
