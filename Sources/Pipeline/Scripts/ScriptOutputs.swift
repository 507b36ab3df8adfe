/// Where the outputs of one script lead.
package struct ScriptOutputs: Sendable, Hashable {
  /// Sources that take messages, by the names that the script uses.
  package var sources: [String: String] = [:]
  /// Channels that publish values, by the names that the script uses.
  package var channels: [String: String] = [:]

  /// The subscriptions of each source that has any, with whether they take items.
  package var subscriptions: [String: [String: Bool]] = [:]

  /// The hosts that the script may send HTTP requests to; `*` stands for any.
  package var hosts: [String] = []

  /// Makes outputs that lead nowhere.
  package init() {}

  /// Finds where the outputs of a script lead: those that it maps, and what can be named directly.
  init(_ script: ScriptConfiguration, of configuration: Configuration) {
    for (name, source) in configuration.sources where source.spec.abilities.contains(.takesMessages) {
      sources[name] = name
    }
    for (name, channel) in configuration.channels where channel.spec.abilities.contains(.publishes) {
      channels[name] = name
    }
    for (name, source) in configuration.sources {
      let subscriptions = source.subscriptions
      if !subscriptions.isEmpty { self.subscriptions[name] = subscriptions }
    }
    hosts = script.hosts
    for (output, target) in script.outputs {
      if let source = sources[target] { sources[output] = source }
      if let channel = channels[target] { channels[output] = channel }
    }
  }
}
