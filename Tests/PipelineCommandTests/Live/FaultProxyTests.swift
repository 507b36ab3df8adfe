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

  private let folder: TemporaryFolder
  private let proxy: FaultProxy
  private let bounds = CommandBounds(seconds: LongTests.areWanted ? 900 : 300)

  init() throws {
    folder = try TemporaryFolder()
    let (seeds, connections) = LongTests.areWanted ? (200, 16) : (24, 8)
    proxy = try FaultProxy(in: folder, seeds: seeds, connections: connections, bounds: bounds)
  }

  @Test(
    "what was passed on is handled once and in order, and nothing grows: 24 seeds, or 200 with PIPELINE_TEST_LONG"
  )
  func faults() throws {
    let config = try writeConfiguration()
    let run = try RunningCommand(["run", config], in: folder, bounds: bounds)
    // Every seed has had its second connection: from here on nothing may grow any more.
    try proxy.wait(for: "warm")
    let early = Footprint(of: run.identifier)
    try proxy.wait(for: "done")
    let late = Footprint(of: run.identifier)
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0, "\(proxy.again): \(end.errors.suffix(2000))")
    #expect(!end.errors.contains(" error "), "\(proxy.again): \(end.errors.suffix(2000))")

    // For each source its epoll set, its socket, and what libcurl opens beside it.
    #expect(late.descriptors <= 5 * proxy.seedCount + 40, "\(proxy.again)")
    #expect(late.threads <= early.threads, "\(proxy.again)")
    #expect(late.residentBytes - early.residentBytes < 24 << 20, "\(proxy.again): \(early), then \(late)")

    let log = try proxy.log()
    #expect(log.count == proxy.seedCount, "\(proxy.again)")
    #expect(log.values.allSatisfy { $0.count == proxy.connectionCount }, "\(proxy.again)")
    try expectHandled(log, config)
    expectWaits(end)
  }

  private func writeConfiguration() throws -> String {
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
    return try proxy.writeConfiguration(
      """
      ping = "\(patience)", ping_timeout = "\(patience)", connect_timeout = "\(patience)",
      compression = seed % 4 > 0, reconnect = { first = "20ms", cap = "\(Self.cap)ms" },
      """)
  }

  // MARK: - What came of it

  private func expectHandled(_ log: [Int: [FaultProxy.Connection]], _ config: String) throws {
    var handled: [Int: [Int]] = [:]
    for line in try CommandRun(["state", config], in: folder).output.split(separator: "\n") {
      let row = try Value(json: String(line))
      guard let key = row["key"]?.text.flatMap({ Int($0) }), case .list(let seen)? = row["state"]?["seen"]
      else {
        throw CommandFailure("the state is \(line)")
      }
      handled[key] = seen.compactMap { if case .integer(let id) = $0 { Int(id) } else { nil } }
    }
    for (seed, log) in log {
      var rest = (handled[seed] ?? []).filter { $0 / 10_000 <= proxy.connectionCount }[...]
      for connection in log {
        let own = rest.prefix { $0 / 10_000 == connection.number }
        rest = rest.dropFirst(own.count)
        let isRight =
          connection.isWhole ? connection.ids.elementsEqual(own) : connection.ids.starts(with: own)
        #expect(isRight, "\(proxy.again): seed \(seed), \(connection): handled \(Array(own))")
      }
      #expect(rest.isEmpty, "\(proxy.again): seed \(seed) also handled \(Array(rest))")
    }
  }

  /// Judges the waits that the sources chose, as the log tells them; how long they took is the machine's affair.
  private func expectWaits(_ end: CommandRun) {
    var waits: [Int] = []
    for line in end.errors.split(separator: "\n") where line.firstRange(of: ": disconnected (") != nil {
      guard let mark = line.firstRange(of: "; next attempt in ")?.upperBound else {
        #expect(line.hasSuffix("the program ends"), "\(proxy.again): \(line)")
        continue
      }
      let wait = line[mark...]
      guard let count = Int(wait.prefix { $0.isNumber }), wait == "\(count)ms" || wait == "0s" else {
        Issue.record("\(proxy.again): \(line)")
        continue
      }
      waits.append(count)
    }
    // The log leaves lines out where there are too many.
    #expect(waits.count >= proxy.seedCount, "\(proxy.again)")
    #expect(waits.allSatisfy { $0 <= Self.cap }, "\(proxy.again): \(waits)")
    // Spread by chance over all of it.
    #expect(Set(waits).count > 10, "\(proxy.again): \(waits)")
  }
}
