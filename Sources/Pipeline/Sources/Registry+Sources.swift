extension Registry {
  /// Adds the built-in sources; each makes its settings, which the host's drivers carry out.
  package mutating func registerSources() {
    register(WebSocketSettings.self)
    register(HTTPSettings.self)
    register(EventStreamSettings.self)
    register(MQTTSettings.self)
    register(SimulatedSettings.self)
    register(FileSettings.self)
    register(StdinSettings.self)
  }
}
