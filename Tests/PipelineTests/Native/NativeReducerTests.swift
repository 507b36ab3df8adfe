import Scripting
import Testing

@testable import Pipeline

/// Reducers written in Swift among scripts.
@Suite("Reducers written in Swift")
struct NativeReducerTests {
  /// Sums up numbers by their sign, tells each, and refuses zero.
  private struct Sum: NativeReducer {
    struct State: NativeState {
      var sum: Int64 = 0
      var isWarm = false

      init() {}
      init(stored value: Value) throws {
        if case .integer(let sum)? = value["sum"] { self.sum = sum }
        isWarm = value["warm"] == .bool(true)
      }
      var stored: Value { ["sum": .integer(sum), "warm": .bool(isWarm)] }
    }

    struct Zero: Error, CustomStringConvertible { let description = "zero has no sign" }

    let topics = ["sums"]

    func key(of message: NativeMessage) -> String? {
      guard let number = message.value["n"]?.double else { return nil }
      return number < 0 ? "minus" : "plus"
    }

    func reduce(into state: inout State, message: NativeMessage) throws -> [NativeEffect] {
      guard case .integer(let number)? = message.value["n"], number != 0 else { throw Zero() }
      state.sum += number
      state.isWarm = state.isWarm || message.isReplayed
      return [
        .emit(topic: "sums", ["sum": .integer(state.sum), "of": .text(message.input)]),
        .alert(name: "sum", text: "\(state.sum)"), .log("sum \(state.sum)"),
      ]
    }
  }

  private static let script = """
    local M = { on = {}, state = { seen = "" } }
    function M.on.sums(state, sum, ctx)
      state.seen = state.seen .. sum.sum .. (ctx.replayed and "r " or " ")
    end
    return M
    """

  private static var registry: Registry {
    var registry = Registry.builtIn
    registry.register(
      reducer: ComponentSpec(
        kind: .reducer, name: "sum", summary: "Sums up", fields: [],
        example: "sum = { reducer = reducer.sum {}, from = { \"feed\" } }")
    ) { _ in Sum() }
    return registry
  }

  private let folder = StorageFolder()

  private func assembly(
    warmUp: String = "warm_up = { feed = { file = 'history' } }"
  ) throws -> (Assembly?, Findings) {
    try TextFile.create(folder.file("watch.lua"), Self.script)
    try TextFile.create(
      folder.file("history"),
      #"{"n":5}"# + "\n" + #"{"n":0}"# + "\n" + #"{"n":-2}"# + "\n" + #"{"n":4}"# + "\n")
    try TextFile.create(
      folder.file("config.lua"),
      """
      return {
        sources = { feed = source.stdin {} },
        scripts = {
          sum = { reducer = reducer.sum {}, from = { "feed" }, \(warmUp) },
          watch = { file = "watch.lua", from = { sums = "sum.sums" } },
        },
      }
      """)
    return Assembly.load(folder.file("config.lua"), registry: Self.registry)
  }

  /// Warms up from files, unless something is stored, takes a message, and gives what happened and what is known.
  @MainActor private func play(
    _ assembly: Assembly, _ message: String, storage: MemoryStorage, recorded: [RecordedHistory] = []
  ) -> (events: [VirtualEngine.Event], seen: String?) {
    let now = Timestamp(milliseconds: 100_000)
    let engine = VirtualEngine(
      wiring: assembly.wiring, sourceNames: assembly.sourceNames, channels: [], now: now, storage: storage)
    let history = HistoryLoader(assembly.configuration, now: now).read({ _ in true }, recorded: recorded)
    #expect(engine.warmUp(with: history) == nil)
    engine.start()
    let batch = MessageBatch()
    batch.append(message, time: now.milliseconds + 1)
    engine.receive(batch, source: 0)
    engine.flush()
    return (engine.takeEvents(), engine.runner(named: "watch")?.rows[""])
  }

  @Test func `a reducer that has nothing stored begins with its history, of which nothing leaves`()
    async throws
  {
    let (assembly, findings) = try assembly()
    let storage = MemoryStorage()
    let (events, seen) = await play(try #require(assembly, "\(findings)"), #"{"n":1}"#, storage: storage)
    #expect(seen == #"{"seen":"5r -2r 9r 10 "}"#)
    let alerts = events.compactMap { if case .alert(let alert) = $0 { alert } else { nil } }
    #expect(alerts.map(\.text) == ["10"])
    let failures = events.compactMap { if case .quarantined(let row) = $0 { row } else { nil } }
    #expect(failures.map(\.reason) == ["zero has no sign"])
    #expect(failures.map { String(decoding: $0.message, as: UTF8.self) } == [#"{"n":0}"#])
    let lines = events.compactMap { if case .log(_, "sum", let text) = $0 { text } else { nil } }
    #expect(
      lines == ["M.on.feed was warmed up with 4 messages, of which 1 failed: zero has no sign", "sum 10"])
    // The second start goes on from what is stored.
    let (again, other) = Assembly.load(folder.file("config.lua"), registry: Self.registry)
    let (_, later) = await play(try #require(again, "\(other)"), #"{"n":1}"#, storage: storage)
    #expect(later == #"{"seen":"5r -2r 9r 10 11 "}"#)
  }

  @Test func `what a recording holds of a history goes before the file`() async throws {
    let (assembly, findings) = try assembly()
    let recorded = RecordedHistory(
      time: Timestamp(milliseconds: 7), script: "sum", input: "feed", message: Array(#"{"n":100}"#.utf8))
    let (_, seen) = await play(
      try #require(assembly, "\(findings)"), #"{"n":1}"#, storage: MemoryStorage(), recorded: [recorded])
    #expect(seen == #"{"seen":"100r 101 "}"#)
  }

  @Test func `the options of its history are checked as those of scripts`() throws {
    let (assembly, findings) = try assembly(warmUp: "warm_up = { feed = { fil = 'history' } }")
    #expect(assembly == nil)
    #expect(findings.description.contains("scripts.sum.warm_up.feed.fil: unknown option"), "\(findings)")
  }

  @Test func `a message that the source sent before is marked, also where it is handed on`() async throws {
    let (assembly, findings) = try assembly(warmUp: "")
    let loaded = try #require(assembly, "\(findings)")
    let seen = await MainActor.run {
      let engine = VirtualEngine(
        wiring: loaded.wiring, sourceNames: loaded.sourceNames, channels: [],
        now: Timestamp(milliseconds: 0))
      engine.start()
      let batch = MessageBatch()
      batch.append(#"{"n":1}"#, time: 1, replayed: true)
      batch.append(#"{"n":1}"#, time: 2)
      engine.receive(batch, source: 0)
      return engine.runner(named: "watch")?.rows[""]
    }
    #expect(seen == #"{"seen":"1r 2 "}"#)
  }
}
