import Scripting
import Testing

@testable import Pipeline

@Suite("Where the keys of a source's messages stand")
struct MessageKeysTests {
  private func runner(_ name: String, key: String, inputs: [String] = ["price"]) throws -> ScriptRunner {
    let handlers = inputs.map { "\($0) = function() end" }.joined(separator: ", ")
    let source = "return { state = {}, key = \(key), on = { \(handlers) } }"
    return try ScriptRunner(name: name, file: ScriptFile(name: "\(name).lua", source: source))
  }

  /// What is known of a source that scripts with these keys read.
  private func keys(_ keys: [String]) throws -> MessageKeys? {
    let runners = try keys.enumerated().map { try runner("s\($0)", key: $1) }
    let feeds = runners.map { EngineWiring.Feed(runner: $0, input: "price") }
    return EngineWiring(
      runners: runners, feeds: [feeds], router: AlertRouter(routes: [], channels: [])
    ).keys(of: 0)
  }

  @Test("one path for all scripts is theirs together")
  func shared() throws {
    #expect(try keys(["'data.s'", "{ price = 'data.s', other = 'x' }"])?.sharedPath == "data.s")
  }

  @Test("several paths, or scripts without keys, are no common key")
  func several() throws {
    let two = try keys(["'s'", "'pair'"])
    #expect(two?.paths.map(\.text) == ["s", "pair"] && two?.sharedPath == nil)
    let mixed = try keys(["'s'", "nil"])
    #expect(mixed?.paths.map(\.text) == ["s"] && mixed?.sharedPath == nil)
    let none = try keys(["nil"])
    #expect(none?.paths == [] && none?.sharedPath == nil)
    #expect(try keys([])?.sharedPath == nil)
  }

  @Test("what a function finds can't be seen")
  func function() throws { #expect(try keys(["'s'", "function(message) return message.s end"]) == nil) }

  @Test("messages are told apart by all paths together")
  func hashes() {
    let keys = MessageKeys(paths: [FieldPath("s"), FieldPath("side")], isShared: false)
    let batch = MessageBatch()
    for text in [
      #"{"s":"A","side":1}"#, #"{"s":"A","side":2}"#, #"{"side":1,"s":"A","p":3}"#, #"{"p":1}"#, "no JSON",
    ] {
      batch.append(text, time: 0)
    }
    _ = batch.decode()
    let hashes = (0..<5).map { keys.hash(of: batch, at: $0) }
    #expect(hashes[0] == hashes[2] && hashes[3] == hashes[4])
    #expect(Set(hashes).count == 3)
  }
}
