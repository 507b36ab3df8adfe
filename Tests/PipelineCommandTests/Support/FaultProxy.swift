import Glibc

/// The feed behind the proxy of `Servers/fault_proxy.py`, for one test.
struct FaultProxy {
  /// One connection as the proxy saw it.
  struct Connection {
    var seed: Int
    var number: Int
    var plan: Substring
    /// Whether all of its messages were there for the client before its end.
    var isWhole: Bool
    /// The messages that were passed on, in that order.
    var ids: [Int]
  }

  /// The first of its seeds: another one each time, so that many faults are met; one that failed can be given again.
  let firstSeed: Int
  let seedCount: Int
  /// How many connections of each seed are broken in some way.
  let connectionCount: Int
  private let folder: TemporaryFolder
  private let process: RunningCommand

  init(in folder: TemporaryFolder, seeds: Int, connections: Int, bounds: CommandBounds) throws {
    let given = getenv("PIPELINE_TEST_SEED").flatMap { Int(String(cString: $0)) }
    firstSeed = given ?? Int.random(in: 0..<1_000_000)
    (seedCount, connectionCount) = (seeds, connections)
    self.folder = folder
    process = try RunningCommand(
      program: FeedServer.python ?? "python3",
      [FeedServer.script("fault_proxy.py"), folder.root, "\(firstSeed)", "\(seeds)", "\(connections)"],
      in: folder, hasInput: true, bounds: bounds)
    try wait(for: "\n")
  }

  var seeds: Range<Int> { firstSeed..<firstSeed + seedCount }

  /// Says how to see a failure again.
  var again: String { "to see it again, set PIPELINE_TEST_SEED=\(firstSeed)" }

  /// Writes a configuration with a source for each seed, which all feed `watch.lua`, and a storage.
  ///
  /// - Parameters:
  ///   - options: those of the sources in Lua, which knows the `seed`.
  ///   - limits: those of the script in Lua.
  func writeConfiguration(_ options: String, limits: String = "{}") throws -> String {
    let port = process.text(.output).prefix { $0 != " " }.drop { $0 != "=" }.dropFirst()
    return try folder.write(
      "config.lua",
      """
      local sources, from = {}, {}
      for seed = \(seeds.lowerBound), \(seeds.upperBound - 1) do
        local name = "feed" .. seed
        from[#from + 1] = name
        sources[name] = source.websocket {
          url = ("ws://127.0.0.1:\(port)/feed?seed=%d"):format(seed), \(options)
        }
      end
      return {
        sources = sources, channels = { main = channel.console {} },
        scripts = {
          watch = {
            file = "watch.lua", from = from, params = { first = \(firstSeed), count = \(seedCount) },
            limits = \(limits),
          },
        },
        storage = storage.sqlite { file = "state.db" },
      }
      """)
  }

  /// Waits for what the proxy prints.
  func wait(for text: String) throws { try process.wait(for: text, in: .output) }

  /// The connections that are over, by their seed and in their order.
  func log() throws -> [Int: [Connection]] {
    let connections = try folder.read(folder.path("log")).split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      let numbers = words.map { Int($0) ?? -1 }
      guard words.count >= 6 else { throw CommandFailure("the proxy logged \(line)") }
      return Connection(
        seed: numbers[0], number: numbers[1], plan: words[2], isWhole: words[3] == "whole",
        ids: Array(numbers[6...]))
    }
    return Dictionary(grouping: connections, by: \.seed).mapValues { $0.sorted { $0.number < $1.number } }
  }
}
