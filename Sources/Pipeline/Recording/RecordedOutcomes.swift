/// What a recording tells further on that a replay has to know before it gets there.
package struct RecordedOutcomes: Sendable {
  /// How many replies to a request are still to come.
  private var replyCounts: [RecordedReply.Request: Int] = [:]
  /// Ends of runs that no message of a source led to.
  package private(set) var kills: [RecordedKill] = []

  /// Makes outcomes without any.
  package init() {}

  /// Takes what a line tells, if it is of a script.
  mutating func add(_ happening: RecordedHappening) {
    switch happening {
    case .reply(let reply): replyCounts[reply.request, default: 0] += 1
    case .kill(let kill) where kill.source.isEmpty: kills.append(kill)
    case .kill, .event, .gap, .history, .version: break
    }
  }

  /// Adds what another file tells.
  package mutating func merge(_ other: RecordedOutcomes) {
    replyCounts.merge(other.replyCounts) { $0 + $1 }
    kills += other.kills
  }

  /// Claims one of the replies to come for a request; false where there is none.
  mutating func takeReply(to request: RecordedReply.Request) -> Bool {
    guard let count = replyCounts[request], count > 0 else { return false }
    replyCounts[request] = count - 1
    return true
  }
}
