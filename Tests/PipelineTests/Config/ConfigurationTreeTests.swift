import Scripting
import Testing

@testable import Pipeline

@Suite("Any tree as a configuration")
struct ConfigurationTreeTests {
  /// Names that lead deep into the reading, and some that don't.
  private static let names = [
    "sources", "scripts", "channels", "routes", "storage", "a", "b", "a.b", "to", "file", "from", "params",
    "limits",
    "outputs", "url", "headers", "open", "reconnect", "first", "position", "$line", "$component", "$fields",
    "$env",
    "kind", "symbols", "steps", "memory", "", "ä\n",
  ]

  private static let texts = [
    "a", "b", "a.b", "x.lua", "ws://a/{position}", "10s", "16MB", "prices", "source.websocket",
    "source.simulated",
    "source.file", "source.preset", "okx.books", "channel.console", "source", ".", "", "\u{0}",
  ]

  private static func tree(_ random: inout SeededRandom, depth: Int) -> Value {
    let kinds: UInt64 = depth == 0 ? 6 : 14
    switch random.below(kinds) {
    case 0: return .null
    case 1: return .bool(random.below(2) == 0)
    case 2: return .integer(Int64(truncatingIfNeeded: random.next()))
    case 3: return .number(Double(bitPattern: random.next()))
    case 4, 5: return .text(texts[Int(random.below(UInt64(texts.count)))])
    case 6, 7: return .list((0..<random.below(4)).map { _ in tree(&random, depth: depth - 1) })
    case 8, 9:
      let constructor = texts[Int(random.below(UInt64(texts.count)))]
      return [
        "$component": .text(constructor), "$preset": tree(&random, depth: 0),
        "$line": .integer(Int64(random.below(99))),
        "$fields": tree(&random, depth: depth - 1),
      ]
    default:
      var members: [String: Value] = [:]
      for _ in 0..<random.below(6) {
        members[names[Int(random.below(UInt64(names.count)))]] = tree(&random, depth: depth - 1)
      }
      return .map(members)
    }
  }

  @Test("It is read or refused with findings that each name the file, on one line", arguments: 1...50)
  func trees(seed: Int) {
    var registry = Registry()
    registry.registerSources()
    registry.registerPresets()
    var random = SeededRandom(seed: UInt64(seed))
    for _ in 0..<100 {
      var sections: [String: Value] = [:]
      for name in Self.names.prefix(5) { sections[name] = Self.tree(&random, depth: 5) }
      let (configuration, findings) = Configuration.read(
        .map(sections), file: "config.lua", registry: registry, fileExists: { !$0.contains("b") })
      #expect((configuration == nil) == !findings.isEmpty)
      let texts = findings.sorted.map(\.description)
      #expect(texts.allSatisfy { $0.hasPrefix("config.lua:") && !$0.contains("\n") && $0.utf8.count < 1_500 })
    }
  }

  @Test("The same tree gives the same findings in the same order")
  func stable() {
    var random = SeededRandom(seed: 3)
    let tree: Value = [
      "sources": Self.tree(&random, depth: 6), "scripts": ["a": 1, "b": 2, "c": ["file": 3, "x": 1]],
    ]
    let texts = (0..<20).map { _ in
      Configuration.read(tree, file: "c", registry: Registry(), fileExists: { _ in true }).1.description
    }
    #expect(Set(texts).count == 1)
  }
}
