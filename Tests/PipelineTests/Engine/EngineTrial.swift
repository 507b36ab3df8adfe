import Composable
import Scripting
import Testing

@testable import Pipeline

/// An engine with one script and one source, on a clock moved by hand.
actor EngineTrial {
  /// What leaves the engine, by kind.
  final class World {
    var now = Timestamp(milliseconds: 0)
    var commits: [(commit: Commit, changes: Int)] = []
    var deliveries: [Delivery] = []
    var requests: [SourceMachine.Request] = []
    var logs: [String] = []
    var alerts: [Alert] = []
    var sent: [String] = []
    var actions = 0
  }

  let world = World()
  private let wiring: EngineWiring
  private var engine: Store<EngineState, EngineAction>?
  private var storedCount = 0

  /// - Parameters:
  ///   - channels: the names of the channels, which get every alert.
  ///   - machine: what the source's machine is made with.
  ///   - watchesFeeds: whether a source without data raises an alert.
  ///   - keepsState: whether commits are kept.
  init(
    script source: String, file: String = "trial.lua", channels: [String] = ["screen"],
    machine: SourceMachine.Settings = .untilEnd, watchesFeeds: Bool = false, keepsState: Bool = true
  ) async throws {
    let runner = try ScriptRunner(name: "trial", file: ScriptFile(name: file, source: source))
    let feeds = runner.inputs.map { EngineWiring.Feed(runner: runner, input: $0) }
    wiring = EngineWiring(
      runners: [runner], feeds: [feeds], router: AlertRouter(routes: [], channels: channels))
    let world = world
    var client = EngineClient(
      now: { world.now }, random: { $0.lowerBound },
      commit: { commit, changes in
        world.commits.append((commit, changes))
        return .none
      },
      deliver: { delivery in
        world.deliveries.append(delivery)
        return .none
      },
      perform: { _, requests in
        world.requests += requests
        return .none
      },
      log: { _, _, text in world.logs.append(text) }, raised: { world.alerts.append($0) })
    client.watchesFeeds = watchesFeeds
    client.keepsState = keepsState
    client.send = { source, text in world.sent.append("\(source): \(text)") }
    let machine = SourceMachine(machine)
    let state = EngineState(
      sources: [EngineState.Source(name: "feed", machine: machine)],
      outbox: Outbox(channels: channels.map { ($0, DeliveryPolicy()) }, seed: 1))
    self.engine = nil
    let engine = Engine(wiring: wiring, client: client)
    self.engine = Store(initialState: state, isolation: self) { engine }
    send(.start)
    send(.source(0, .opened(connection: 1)))
  }

  func send(_ action: EngineAction) { self.engine?.send(action) }

  /// Hands messages over as one read gave them, a second apart.
  func read(
    _ messages: [String], from start: Int64, step: Int64 = 1_000, position: String? = nil,
    replayed: Bool = false, connection: Int = 1
  ) {
    let batch = MessageBatch()
    for (index, message) in messages.enumerated() {
      batch.append(message, time: start + Int64(index) * step, replayed: replayed)
    }
    world.now = Timestamp(milliseconds: start + Int64(max(messages.count - 1, 0)) * step)
    world.actions += 1
    send(.batch(batch, source: 0, connection: connection, position: position))
  }

  func tick(at time: Int64) {
    world.now = Timestamp(milliseconds: time)
    send(.tick)
  }

  var nextDue: Timestamp? { self.engine?.withState { $0.nextDue(wiring) } ?? nil }
  var alerts: [Alert] { world.alerts }
  var deliveries: [Delivery] { world.deliveries }

  /// Says of all commits that are under way that they are durable.
  func store() {
    while storedCount < world.commits.count {
      storedCount += 1
      send(.stored(changes: world.commits[storedCount - 1].changes, nil))
    }
  }

  var alertTexts: [String] { world.alerts.map(\.text) }
  var commitCount: Int { world.commits.count }
  var deliveryCount: Int { world.deliveries.count }
  var logs: [String] { world.logs }
  var sent: [String] { world.sent }
  var deliveredTexts: [String] { world.deliveries.map(\.alert.text) }
  func positions(ofCommit index: Int) -> [String: String] { world.commits[index].commit.positions }
  func quarantine(ofCommit index: Int) -> [QuarantineRow] { world.commits[index].commit.quarantine }
  func changes(ofCommit index: Int) -> Int { world.commits[index].changes }
  var alertTimes: [Int64] { world.alerts.map(\.time.milliseconds) }
}
