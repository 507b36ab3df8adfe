package import Composable

/// The engine's logic: connections first, then scripts, then what becomes of their alerts.
///
/// The same reducer runs live, in replays and in tests; only the ``EngineClient`` differs.
package struct Engine: Reducer {
  package typealias State = EngineState
  package typealias Action = EngineAction

  package let wiring: EngineWiring
  package let client: EngineClient

  /// Makes the logic of one configuration.
  package init(wiring: EngineWiring, client: EngineClient) {
    self.wiring = wiring
    self.client = client
  }

  package var body: some Reducer<EngineState, EngineAction> {
    Connectivity(wiring: wiring, client: client)
    Scripts(wiring: wiring, client: client)
    Deliveries(wiring: wiring, client: client)
  }
}

extension EngineState {
  /// When the engine wants a tick, nil for never.
  package func nextDue(_ wiring: EngineWiring) -> Timestamp? {
    var next = wiring.nextDue
    func consider(_ other: Timestamp?) { if let other { next = min(next ?? other, other) } }
    // The end of a commit brings about the next one.
    if commitsUnderWay == 0 { consider(flushDue) }
    consider(outbox.nextDue)
    for source in sources.indices {
      consider(sources[source].wakeUp)
      consider(sources[source].watch.due)
    }
    return next
  }
}
