/// What a configured channel is made from, where it reads its options itself.
package typealias ChannelSettings = ChannelFactory & ComponentSettings

/// What a configured channel is made from.
package protocol ChannelFactory: Sendable {
  /// How its deliveries are made.
  var policy: DeliveryPolicy { get }

  /// Makes the channel under the name that the configuration gives it; secrets are taken from the environment
  /// here.
  func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel
}
