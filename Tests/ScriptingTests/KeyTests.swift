import Scripting
import Testing

@Suite("Keys of messages")
struct KeyTests {
  private static func script(key: String) -> String {
    """
    local M = { state = { count = 0 }, on = {} }
    M.key = \(key)
    function M.on.feed(state, message, ctx)
      state.count = state.count + 1
      if ctx.key ~= message.expected then error(("the key is '%s'"):format(ctx.key)) end
    end
    return M
    """
  }

  @Test(
    "a path, a table of paths and a function of the message each tell whose state a message is about",
    arguments: [
      #""data.s""#, #"{ feed = "data.s", other = "x" }"#,
      "function(message) return message.data.s end", "{ feed = function(message) return message.data.s end }",
    ])
  func forms(key: String) throws {
    let trial = try ScriptTrial(Self.script(key: key))
    for symbol in ["a", "b", "a"] {
      let failure = trial.receive(#"{"data":{"s":"\#(symbol)"},"expected":"\#(symbol)"}"#)
      #expect(failure == nil, "\(failure?.reason ?? "")")
    }
    #expect(try trial.state("a")["count"] == 2)
    #expect(try trial.state("b")["count"] == 1)
  }

  @Test("a function can make a key of several fields")
  func composed() throws {
    let trial = try ScriptTrial(
      Self.script(key: #"function(message) return message.venue .. "/" .. message.pair end"#))
    #expect(trial.receive(#"{"venue":"kraken","pair":"XBT","expected":"kraken/XBT"}"#) == nil)
    #expect(try trial.state("kraken/XBT")["count"] == 1)
  }

  @Test(
    "a message without a key is skipped and counted, and the next one is handled",
    arguments: [#""data.s""#, "function(message) return message.data and message.data.s end"])
  func missing(key: String) throws {
    let trial = try ScriptTrial(Self.script(key: key))
    #expect(trial.receive(#"{"heartbeat":1}"#) == nil)
    #expect(trial.machine.skippedCount == 1)
    #expect(trial.receive(#"{"data":{"s":"a"},"expected":"a"}"#) == nil)
    #expect(trial.machine.skippedCount == 1)
    #expect(trial.machine.keyCount == 1)
  }

  @Test("a whole number is a key by its digits")
  func number() throws {
    let trial = try ScriptTrial(Self.script(key: #""data.s""#))
    #expect(trial.receive(#"{"data":{"s":17},"expected":"17"}"#) == nil)
    #expect(try trial.state("17")["count"] == 1)
  }

  @Test("a key function that fails, or gives a table, fails the message alone")
  func faults() throws {
    let trial = try ScriptTrial(Self.script(key: "function(message) return message.data.s end"))
    #expect(trial.receive("{}")?.reason.hasPrefix("trial.lua:2: ") == true)
    #expect(trial.receive(#"{"data":{"s":{}}}"#) != nil)
    #expect(trial.receive(#"{"data":{"s":"a"},"expected":"a"}"#) == nil)
    #expect(trial.machine.keyCount == 1)
  }
}
