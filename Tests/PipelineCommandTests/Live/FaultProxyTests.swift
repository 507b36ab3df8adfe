import Glibc
import Scripting
import TestPeers
import Testing

/// One program with many sources, each with its own seed of faults between it and the feed.
@Suite(
  "Behind a proxy that breaks connections in every way",
  .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
struct FaultProxyTests {
  private static let cap = 100
  /// How much later than it should a loaded machine may do something, in milliseconds.
  private static let patience = 10_000

  private let folder: TemporaryFolder
  /// Another one each time, so that many faults are met; one that failed can be given again.
  private let seed: Int

  init() throws {
    folder = try TemporaryFolder()
    let given = getenv("PIPELINE_TEST_SEED").flatMap { Int(String(cString: $0)) }
    seed = given ?? Int.random(in: 0..<1_000_000)
  }

  /// Says how to see a failure again.
  private var again: String { "to see it again, set PIPELINE_TEST_SEED=\(seed)" }

  @Test(
    "what was passed on is handled once and in order, and nothing grows: 24 seeds, or 200 with PIPELINE_TEST_LONG"
  )
  func faults() throws {
    let (seeds, connections) = LongTests.areWanted ? (200, 16) : (24, 8)
    let bounds = CommandBounds(seconds: 300)
    let proxy = try RunningCommand(
      program: FeedServer.python ?? "python3",
      [FeedServer.script("fault_proxy.py"), folder.root, "\(seed)", "\(seeds)", "\(connections)"],
      in: folder, hasInput: true, bounds: bounds)
    try proxy.wait(for: "\n", in: .output)
    let port = proxy.text(.output).prefix { $0 != " " }.drop { $0 != "=" }.dropFirst()
    let config = try writeConfiguration(port: String(port), seeds: seeds)
    let run = try RunningCommand(["run", config], in: folder, bounds: bounds)
    // Every seed has had its second connection: from here on nothing may grow any more.
    try proxy.wait(for: "warm", in: .output)
    let early = Footprint(of: run.identifier)
    try proxy.wait(for: "done", in: .output)
    let late = Footprint(of: run.identifier)
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0, "\(again): \(end.errors.suffix(2000))")
    #expect(!end.errors.contains(" error "), "\(again): \(end.errors.suffix(2000))")

    // For each source its epoll set, its socket, and what libcurl opens beside it.
    #expect(late.descriptors <= 5 * seeds + 40, "\(again)")
    #expect(late.threads <= early.threads, "\(again)")
    #expect(late.residentBytes - early.residentBytes < 24 << 20, "\(again): \(early), then \(late)")

    let log = try connectionLog()
    #expect(log.count == seeds * connections, "\(again)")
    try expectHandled(log, connections: connections, config)
    expectReconnects(log)
  }

  private func writeConfiguration(port: String, seeds: Int) throws -> String {
    try folder.write(
      "watch.lua",
      """
      local M = { state = { seen = {} }, key = "seed", on = {} }
      local p = params { first = 0, count = 0 }
      local function note(state, message) state.seen[#state.seen + 1] = message.id end
      for seed = p.first, p.first + p.count - 1 do M.on["feed" .. seed] = note end
      return M
      """)
    // Two hundred connections keep the proxy busy for longer.
    let patience = LongTests.areWanted ? "5s" : "1s"
    return try folder.write(
      "config.lua",
      """
      local sources, from = {}, {}
      for seed = \(seed), \(seed + seeds - 1) do
        local name = "feed" .. seed
        from[#from + 1] = name
        sources[name] = source.websocket {
          url = ("ws://127.0.0.1:\(port)/feed?seed=%d"):format(seed),
          ping = "\(patience)", ping_timeout = "\(patience)", connect_timeout = "\(patience)", compression = seed % 4 > 0,
          reconnect = { first = "20ms", cap = "\(Self.cap)ms" },
        }
      end
      return {
        sources = sources, channels = { main = channel.console {} },
        scripts = {
          watch = { file = "watch.lua", from = from, params = { first = \(seed), count = \(seeds) } },
        },
        storage = storage.sqlite { file = "state.db" },
      }
      """)
  }

  // MARK: What came of it

  /// One connection as the proxy saw it; see `Servers/fault_proxy.py`.
  private struct Connection {
    var seed: Int
    var number: Int
    var plan: Substring
    var isWhole: Bool
    var begun: Int
    var ended: Int
    var ids: [Int]
  }

  private func connectionLog() throws -> [Connection] {
    try folder.read(folder.path("log")).split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      let numbers = words.map { Int($0) ?? -1 }
      guard words.count >= 6 else { throw CommandFailure("the proxy logged \(line)") }
      return Connection(
        seed: numbers[0], number: numbers[1], plan: words[2], isWhole: words[3] == "whole", begun: numbers[4],
        ended: numbers[5], ids: Array(numbers[6...]))
    }
  }

  private func expectHandled(_ log: [Connection], connections: Int, _ config: String) throws {
    var handled: [Int: [Int]] = [:]
    for line in try CommandRun(["state", config], in: folder).output.split(separator: "\n") {
      let row = try Value(json: String(line))
      guard let key = row["key"]?.text.flatMap({ Int($0) }), case .list(let seen)? = row["state"]?["seen"]
      else {
        throw CommandFailure("the state is \(line)")
      }
      handled[key] = seen.compactMap { if case .integer(let id) = $0 { Int(id) } else { nil } }
    }
    for (seed, log) in Dictionary(grouping: log, by: \.seed) {
      var rest = (handled[seed] ?? []).filter { $0 / 10_000 <= connections }[...]
      for connection in log.sorted(by: { $0.number < $1.number }) {
        let own = rest.prefix { $0 / 10_000 == connection.number }
        rest = rest.dropFirst(own.count)
        let isRight =
          connection.isWhole ? connection.ids.elementsEqual(own) : connection.ids.starts(with: own)
        #expect(
          isRight, "\(again): seed \(seed), \(connection): handled \(Array(own))")
      }
      #expect(rest.isEmpty, "\(again): seed \(seed) also handled \(Array(rest))")
    }
  }

  private func expectReconnects(_ log: [Connection]) {
    var waits: [Int] = []
    for (seed, log) in Dictionary(grouping: log, by: \.seed) {
      let log = log.sorted { $0.number < $1.number }
      for (before, after) in zip(log, log.dropFirst()) {
        let wait = after.begun - before.ended
        #expect(wait <= Self.cap + Self.patience, "\(again): seed \(seed) waited \(wait) ms after \(before)")
        waits.append(wait)
      }
    }
    // What the machine adds to a wait grows with its load, and with two hundred connections it is the most of many; the
    // tenth part that it held up least shows what the policy said.
    waits.sort()
    #expect(waits[waits.count / 10] <= Self.cap, "\(again)")
  }
}
