import Glibc
import Scripting
import TestPeers
import Testing

/// One script that is slower than the feeds it reads, while their connections break.
@Suite(
  "Behind a proxy that breaks connections, with a script that is slow",
  .enabled(if: FeedServer.isAvailable, Comment(rawValue: FeedServer.reason)))
struct SlowScriptFaultTests {
  /// What the script keeps of a feed.
  private struct Kept {
    var seen: [Int]
    var missed: Int
  }

  private let folder: TemporaryFolder
  private let proxy: FaultProxy
  private let bounds = CommandBounds(seconds: LongTests.areWanted ? 900 : 300)

  init() throws {
    folder = try TemporaryFolder()
    let (seeds, connections) = LongTests.areWanted ? (20, 8) : (10, 5)
    proxy = try FaultProxy(in: folder, seeds: seeds, connections: connections, bounds: bounds)
  }

  @Test("with block every message that was passed on is handled once, in order")
  func block() throws {
    let (log, kept, end) = try run("block")
    #expect(end.errors.contains("(queue): nothing more is read of it"), "\(proxy.again)")
    for seed in proxy.seeds {
      let kept = try #require(kept[seed], "\(proxy.again): nothing of \(seed)")
      #expect(kept.missed == 0, "\(proxy.again)")
      for connection in log[seed] ?? [] {
        let own = kept.seen.filter { $0 / 10_000 == connection.number }
        let isRight = connection.isWhole ? own == connection.ids : connection.ids.starts(with: own)
        #expect(isRight, "\(proxy.again): \(connection): handled \(own)")
      }
      #expect(inOrder(kept.seen.map { $0 / 10_000 }), "\(proxy.again): \(kept.seen)")
    }
  }

  @Test(
    "what gives way is told and counted exactly, and the rest is handled once, in order",
    arguments: [
      ("drop_oldest", "the oldest messages give way"), ("latest_per_key", "messages give way to later"),
    ]
  )
  func drop(overflow: String, warning: String) throws {
    let (log, kept, end) = try run(overflow)
    #expect(end.errors.contains("(queue): \(warning)"), "\(proxy.again)")
    let told = toldLosses(end)
    for seed in proxy.seeds {
      let kept = try #require(kept[seed], "\(proxy.again): nothing of \(seed)")
      let connections = log[seed] ?? []
      for connection in connections {
        var rest = connection.ids[...]
        for id in kept.seen where id / 10_000 == connection.number {
          let place = rest.firstIndex(of: id)
          #expect(place != nil, "\(proxy.again): \(connection): handled \(kept.seen)")
          rest = rest[(place.map { $0 + 1 } ?? rest.endIndex)...]
        }
      }
      // The last message, which no connection of the log has, is always handled.
      let count = kept.seen.count - 1 + kept.missed
      let whole = connections.filter(\.isWhole).reduce(0) { $0 + $1.ids.count }
      let all = connections.reduce(0) { $0 + $1.ids.count }
      #expect(
        whole...all ~= count,
        "\(proxy.again): \(seed): \(count) of \(whole) to \(all): \(kept), \(connections)")
      #expect(told[seed, default: 0] == kept.missed, "\(proxy.again): \(seed)")
      #expect(inOrder(kept.seen.map { $0 / 10_000 }), "\(proxy.again): \(kept.seen)")
    }
    #expect(kept.values.contains { $0.missed > 0 }, "\(proxy.again)")
  }

  private func inOrder(_ numbers: [Int]) -> Bool { zip(numbers, numbers.dropFirst()).allSatisfy { $0 <= $1 } }

  // MARK: - The run

  private func run(_ overflow: String) throws -> ([Int: [FaultProxy.Connection]], [Int: Kept], CommandRun) {
    let config = try writeConfiguration(overflow)
    let run = try RunningCommand(["run", config], in: folder, bounds: bounds)
    try run.wait(for: "\"last of", times: proxy.seedCount, in: .output)
    run.send(signal: SIGTERM)
    let end = try run.finish()
    #expect(end.status == 0, "\(proxy.again): \(end.errors.suffix(2000))")
    #expect(!end.errors.contains(" error "), "\(proxy.again): \(end.errors.suffix(2000))")
    #expect(!end.errors.contains("are not handled, since"), "\(proxy.again): \(end.errors.suffix(2000))")
    return (try proxy.log(), try kept(config), end)
  }

  private func writeConfiguration(_ overflow: String) throws -> String {
    try folder.write(
      "watch.lua",
      """
      local M = { state = { seen = {}, missed = 0 }, key = "seed", on = {}, events = {} }
      local p = params { first = 0, count = 0 }
      local function note(state, message)
        for i = 1, 400000 do local unused = i * i end
        state.seen[#state.seen + 1] = message.id
        if message.last then alert.send { name = "last", text = "last of " .. message.seed } end
      end
      for seed = p.first, p.first + p.count - 1 do M.on["feed" .. seed] = note end
      function M.events.gap(state, gap)
        if gap.reason == "overflow" then state.missed = state.missed + gap.missed end
      end
      return M
      """)
    return try proxy.writeConfiguration(
      """
      ping = "1s", ping_timeout = "1s", connect_timeout = "1s", compression = seed % 4 > 0,
      reconnect = { first = "20ms", cap = "100ms" }, queue = "64KiB", overflow = "\(overflow)",
      """,
      limits: "{ time = \"1m\" }")
  }

  private func kept(_ config: String) throws -> [Int: Kept] {
    var kept: [Int: Kept] = [:]
    for line in try CommandRun(["state", config], in: folder).output.split(separator: "\n") {
      let row = try Value(json: String(line))
      guard let key = row["key"]?.text.flatMap({ Int($0) }), case .list(let seen)? = row["state"]?["seen"],
        case .integer(let missed)? = row["state"]?["missed"]
      else {
        throw CommandFailure("the state is \(line)")
      }
      let ids = seen.compactMap { if case .integer(let id) = $0 { Int(id) } else { nil } }
      kept[key] = Kept(seen: ids, missed: Int(missed))
    }
    return kept
  }

  /// How many messages the log says gave way, by their seed.
  private func toldLosses(_ end: CommandRun) -> [Int: Int] {
    var losses: [Int: Int] = [:]
    for line in end.errors.split(separator: "\n") where line.hasSuffix(" gave way") {
      guard let name = line.firstRange(of: " feed")?.upperBound,
        let count = line.firstRange(of: " messages of ")?.lowerBound
      else { continue }
      let seed = Int(line[name...].prefix { $0.isNumber }) ?? -1
      losses[seed, default: 0] += line[..<count].split(separator: " ").last.flatMap { Int($0) } ?? 0
    }
    return losses
  }
}
