import Composable
import Scripting
import TestPeers
import Testing

@testable import Pipeline

@Suite struct SourceSoakTests {
  @Test("a source keeps nothing over 2,000 connections of every fate, or 100,000 with PIPELINE_TEST_LONG")
  func soak() async {
    let cycles = LongTests.areWanted ? 100_000 : 2_000
    // A process of its own, so that its memory is that of the source alone.
    await #expect(processExitsWith: .success) { [cycles = cycles as Int] in
      do {
        let source = try SoakedSource()
        try await source.run(1_000)
        let before = Footprint()
        try await source.run(cycles)
        let after = Footprint()
        let growth = after.residentBytes - before.residentBytes
        // 100,000 connections that kept 21 bytes each would be more.
        precondition(growth < 2 << 20, "\(growth) bytes more after \(cycles) connections")
        precondition(after.descriptors == before.descriptors, "\(after) after \(before)")
        precondition(after.threads <= before.threads, "\(after) after \(before)")
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }
}

/// A source with a session, a script and its rules, on a transport that exists in words only.
private actor SoakedSource {
  /// How a connection ends.
  private enum Fate: Int, CaseIterable {
    case refused
    case deadline
    case login
    case closed
    case silence
    case heartbeat
    case script
  }

  private final class World {
    var now = Timestamp(milliseconds: 1_767_225_600_000)
    var requests: [SourceMachine.Request] = []
  }

  private static let script = """
    local M = { key = "instId", state = { px = 0, gaps = 0 }, on = {}, events = {} }
    local over = alert.rule { name = "over", crosses_above = 0.5 }
    function M.on.feed(state, message) state.px = message.px over:check(message.px) end
    function M.events.gap(state) state.gaps = state.gaps + 1 end
    return M
    """

  private let world = World()
  private let component: ConfiguredComponent
  private var session: SessionMachine
  private var store: Store<EngineState, EngineAction>?
  private var count = 0

  init() throws {
    let (component, findings) = try PresetTrial.component(
      "source.preset 'okx.trades' { symbols = { 'A', 'B' }, id_window = 50, stale_after = '60s' }")
    self.component = try #require(component, "\(findings)")
    session = SessionMachine(try Registry.builtIn.make(self.component, as: WebSocketSettings.self).session)
  }

  func run(_ cycles: Int) throws {
    let store = try self.store ?? makeStore()
    self.store = store
    for _ in 0..<cycles { try connect(store) }
  }

  private func makeStore() throws -> Store<EngineState, EngineAction> {
    let settings: WebSocketSettings = try Registry.builtIn.make(component)
    let runner = try ScriptRunner(name: "soak", file: ScriptFile(name: "soak.lua", source: Self.script))
    let wiring = EngineWiring(
      runners: [runner], feeds: [[EngineWiring.Feed(runner: runner, input: "feed")]],
      router: AlertRouter(routes: [], channels: ["screen"]), intakes: [component.makeIntake()])
    let world = world
    let client = EngineClient(
      now: { world.now }, random: { $0.lowerBound },
      commit: { _, changes in .send(.stored(changes: changes, nil)) },
      deliver: { .send(.delivered($0, .delivered)) },
      perform: { _, requests in
        world.requests += requests
        return .none
      },
      log: { _, _, _ in }, raised: { _ in })
    let state = EngineState(
      sources: [EngineState.Source(name: "feed", machine: SourceMachine(settings.machine))],
      outbox: Outbox(channels: [("screen", DeliveryPolicy())], seed: 1))
    let engine = Engine(wiring: wiring, client: client)
    let store = Store(initialState: state, isolation: self) { engine }
    store.send(.start)
    return store
  }

  private func connect(_ store: Store<EngineState, EngineAction>) throws {
    count += 1
    let requests = world.requests
    world.requests.removeAll(keepingCapacity: true)
    let number = requests.compactMap { if case .connect(let number) = $0 { number } else { nil } }.last
    guard let number else { throw HostFunctionError("no connection was asked for, but \(requests)") }
    func close(_ code: Int, _ reason: String) {
      session.close()
      store.send(.source(0, .closed(connection: number, .init(code: code, reason: reason))))
    }
    let fate = Fate.allCases[count % Fate.allCases.count]
    switch fate {
    case .refused: close(503, "no")
    case .deadline: pass(.seconds(10), store)
    default:
      store.send(.source(0, .opened(connection: number)))
      try talk(store, number, answers: fate != .login)
      switch fate {
      case .silence: pass(.seconds(60), store)
      case .heartbeat:
        session.advance(to: world.now + .seconds(20))
        session.advance(to: world.now + .seconds(30))
        let isGivenUp = session.takeRequests().contains { if case .fail = $0 { true } else { false } }
        precondition(isGivenUp, "the heartbeat was not missed")
        close(1006, "no heartbeat")
      case .script:
        session.close()
        store.send(.source(0, .disconnect))
        store.send(.source(0, .connect))
      default: close(1012, "restart")
      }
    }
    session.close()
    // The wait for the next attempt is over.
    if fate != .script { pass(.minutes(2), store) }
  }

  /// Lets time pass, and the source know it.
  private func pass(_ span: Milliseconds, _ store: Store<EngineState, EngineAction>) {
    world.now = world.now + span
    store.send(.source(0, .timer))
    store.send(.tick)
  }

  /// Subscribes, and takes data over a connection.
  private func talk(
    _ store: Store<EngineState, EngineAction>, _ connection: Int, answers: Bool
  ) throws {
    try session.open(at: world.now, position: "")
    guard answers else {
      session.advance(to: world.now + .seconds(10))
      let isTold = session.takeRequests().contains { if case .report = $0 { true } else { false } }
      return precondition(isTold, "nobody missed the answer")
    }
    var messages = ["A", "B"].map { #"{"event":"subscribe","arg":{"channel":"trades","instId":"\#($0)"}}"# }
    for id in [count - 1, count] {
      let trade =
        #"{"instId":"A","tradeId":"\#(id)","px":"\#(id % 2)","sz":"1","ts":"\#(world.now.milliseconds)"}"#
      messages.append(#"{"arg":{"channel":"trades","instId":"A"},"data":[\#(trade)]}"#)
    }
    let batch = MessageBatch()
    for message in messages { batch.append(message, time: world.now.milliseconds) }
    _ = batch.decode()
    for index in 0..<batch.count where session.take(batch, at: index, now: world.now) {
      batch.skip(at: index)
    }
    precondition(session.takeRequests().count == 3, "a request and two reports were expected")
    store.send(.batch(batch, source: 0, connection: connection, position: nil))
  }
}
