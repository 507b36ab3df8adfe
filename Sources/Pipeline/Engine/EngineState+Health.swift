extension EngineState {
  /// What is wrong with the host, in a few words; nil while all is well.
  func trouble(_ wiring: EngineWiring, at now: Timestamp) -> String? {
    if let storageFailure { return "the storage fails: \(storageFailure.description)" }
    for source in sources {
      if let failure = source.failure { return "source '\(source.name)' is over: \(failure)" }
      switch source.status {
      case nil, .connected: continue
      // What came to its end is no trouble.
      case .disconnected where source.isFinished: continue
      case .connecting, .stale, .disconnected:
        return "source '\(source.name)' is \(source.status?.name ?? "unknown")"
      }
    }
    if let script = wiring.runners.first(where: { $0.isSuspended(at: now) }) {
      return "script '\(script.name)' is suspended"
    }
    return outbox.downChannels.first.map { "channel '\($0)' is down" }
  }
}
