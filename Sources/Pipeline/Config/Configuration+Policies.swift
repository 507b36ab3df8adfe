extension Configuration {
  /// How the channels deliver, by their names.
  ///
  /// - Throws: ``RegistryError`` for a channel that can't be made from its options.
  package func deliveryPolicies(_ registry: Registry) throws -> [String: DeliveryPolicy] {
    var policies: [String: DeliveryPolicy] = [:]
    for (name, component) in channels {
      let settings: any ChannelSettings = try registry.make(component)
      policies[name] = settings.policy
    }
    return policies
  }
}
