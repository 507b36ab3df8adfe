package import Scripting

/// Finds the channels of an alert: those of the first route that takes it.
package struct AlertRouter: Sendable, Hashable {
  /// The routes in the order in which they are asked.
  package let routes: [AlertRoute]
  /// The names of all channels, where alerts go if there are no routes at all.
  package let channels: [String]

  /// Makes a router from routes whose channels exist.
  package init(routes: [AlertRoute], channels: [String]) {
    self.routes = routes
    self.channels = channels
  }

  /// Reads the `routes` of a configuration.
  ///
  /// - Parameters:
  ///   - value: a list of maps, nil where the configuration has none.
  ///   - channels: the names of the channels that exist.
  /// - Throws: ``InvalidOptions`` with every fault at once, each with the number of its route from 1.
  package init(reading value: Value?, channels: [String]) throws(InvalidOptions) {
    var routes: [AlertRoute] = []
    var findings: [String] = []
    switch value {
    case nil: break
    case .map(let members) where members.isEmpty: break
    case .list(let items):
      for (index, item) in items.enumerated() {
        do {
          routes.append(try AlertRoute(reading: item, channels: channels))
        } catch {
          findings += error.findings.map { "routes[\(index + 1)]: \($0)" }
        }
      }
    case .some(let other):
      findings.append("invalid 'routes': expected a list of routes, got \(LuaText.found(other))")
    }
    guard findings.isEmpty else { throw InvalidOptions(findings: findings) }
    self.init(routes: routes, channels: channels)
  }

  /// The names of the channels that an alert goes to; none if a route drops it or no route takes it.
  package func channels(for alert: Alert) -> [String] {
    guard !routes.isEmpty else { return channels }
    return routes.first { $0.takes(alert) }?.channels ?? []
  }

  /// The hours in which the route of an alert holds it back.
  package func hold(for alert: Alert) -> DailyHours? { routes.first { $0.takes(alert) }?.hold(for: alert) }

  /// What is allowed but probably not meant, one sentence each: routes that are never asked, and alerts that
  /// no route takes.
  package var warnings: [String] {
    guard !routes.isEmpty else { return [] }
    guard let last = routes.firstIndex(where: \.takesEverything) else {
      return ["no route takes every alert, so some may go nowhere; end with { to = { … } }"]
    }
    guard last + 1 < routes.count else { return [] }
    return ["routes[\(last + 1)] takes every alert, so the routes after it are never asked"]
  }
}
