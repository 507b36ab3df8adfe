import Scripting
import Testing

@testable import Pipeline

@Suite("Options of what waits")
struct QueueOptionsTests {
  private static func read(_ source: String, _ options: [String: Value]) -> (
    QueueOptions?, findings: [String]
  ) {
    var registry = Registry()
    registry.registerSources()
    var validation = FieldValidation(folder: "demo/", fileExists: { _ in true })
    let call: Value = ["$component": .text("source.\(source)"), "$line": 7, "$fields": .map(options)]
    let place = Place(file: "config.lua", path: "sources.s")
    let component = validation.component(call, kind: .source, name: "s", registry: registry, at: place)
    return (component?.queue, validation.findings.sorted.map(\.description))
  }

  private static let required: [String: [String: Value]] = [
    "websocket": ["url": "wss://example.org"], "sse": ["url": "https://example.org"],
    "http": ["url": "https://example.org"], "mqtt": ["url": "mqtts://example.org", "topics": ["a"]],
    "simulated": [:],
  ]

  @Test(
    "every source that comes over a network has them, with 8 MB and block", arguments: required.keys.sorted())
  func defaults(source: String) {
    let (options, findings) = Self.read(source, Self.required[source] ?? [:])
    #expect(findings == [])
    #expect(options == QueueOptions(overflow: .block, maximumBytes: 8_000_000))
  }

  @Test("a source that waits itself has none", arguments: ["stdin", "file"])
  func none(source: String) {
    let (options, findings) = Self.read(source, source == "file" ? ["path": "a"] : [:])
    #expect(options == nil && findings == [])
    #expect(
      Self.read(source, ["path": "a", "overflow": "block"]).findings.first?.contains("overflow") == true)
  }

  @Test("they are read as they are written")
  func given() {
    let (options, findings) = Self.read("simulated", ["queue": "1MiB", "overflow": "drop_oldest"])
    #expect(findings == [])
    #expect(options == QueueOptions(overflow: .dropOldest, maximumBytes: 1 << 20))
  }

  @Test(
    "what has no key can't give way by it",
    arguments: [("decode", "text"), ("decode", "json_lines"), ("split", "items")])
  func contradictions(option: String, value: String) {
    let options: [String: Value] = [
      "url": "wss://example.org", "overflow": "latest_per_key", option: .text(value),
    ]
    let findings = Self.read("websocket", options).findings
    #expect(
      findings.count == 1 && findings.first?.contains("one JSON text of one key") == true, "\(findings)")
  }

  @Test("a bound that is too small, and a policy that doesn't exist, are named")
  func faults() {
    #expect(
      Self.read("simulated", ["queue": "10KB"]).findings.first?.contains("between 64KiB and") == true)
    #expect(
      Self.read("simulated", ["overflow": "drop"]).findings.first?.contains(
        "\"block\", \"drop_oldest\" or \"latest_per_key\"") == true)
  }
}
