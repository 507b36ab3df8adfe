import Scripting
import Testing

@Suite("Handlers that are run twice from the same state")
struct HiddenStateTests {
  private static func trial(_ before: String, _ body: String, state: String = "{ n = 0 }") throws
    -> ScriptTrial
  {
    let trial = try ScriptTrial(
      "\(before)\nlocal M = { state = \(state), on = {} }\nfunction M.on.feed(state, m, ctx)\n\(body)\nend\nreturn M"
    )
    trial.machine.setRunsTwice(true)
    return trial
  }

  @Test("one that keeps all in state is accepted, with its effects once")
  func clean() throws {
    let trial = try Self.trial(
      "local limit, cache = 3, {}",
      """
      state.n = state.n + 1
      table.insert(state.list, { at = ctx.time, random = math.random(1000) })
      cache[m.v] = cache[m.v] or m.v * 2
      stats.add(state.mean, m.v)
      if m.clear then state.maybe = nil end
      alert.send(state.n, cache[m.v], stats.value(state.mean))
      """, state: "{ n = 0, list = {}, maybe = 1, mean = stats.sma { count = 2 } }")
    let once = try Self.trial("", "state.n = state.n + 1")
    once.machine.setRunsTwice(false)
    for v in 1...5 {
      let failure = trial.receive(#"{"v":\#(v)\#(v == 3 ? #","clear":true"# : "")}"#)
      #expect(failure == nil, "\(failure?.reason ?? "")")
    }
    #expect(try trial.state()["n"] == 5)
    #expect(trial.sent.map { $0[0] } == [1, 2, 3, 4, 5])
    #expect(trial.sent.last == [5, 10, .number(4.5)])
    guard case .list(let list)? = try trial.state()["list"] else {
      Issue.record("expected a list")
      return
    }
    #expect(list.count == 5 && Set(list).count == 5, "random numbers go on from message to message")
  }

  @Test(
    "one that keeps something elsewhere fails with the difference and the name",
    arguments: [
      ("local count = 0", "count = count + 1 state.n = count", "state.n: 1, then 2", "'count'"),
      (
        "local seen = {}", "if not seen[m.v] then alert.send('new') end seen[m.v] = true",
        #"alert.send["new"], then nothing"#, "'seen"
      ),
      ("", "total = (total or 0) + m.v state.n = total", "state.n: 7, then 14", "'total'"),
      (
        "local cache = { deep = { n = 0 } }", "cache.deep.n = cache.deep.n + 1 state.n = cache.deep.n",
        "state.n: 1, then 2", "'cache.deep.n'"
      ),
      (
        "local last local function set(v) last = v end local function get() return last end",
        "if get() == m.v then error('again') end set(m.v) state.n = 1", "once it failed: trial.lua:4: again",
        "'last'"
      ),
    ])
  func hidden(before: String, body: String, difference: String, name: String) throws {
    let trial = try Self.trial(before, body)
    let failure = try #require(trial.receive(#"{"v":7}"#))
    #expect(failure.reason.hasPrefix("trial.lua: M.on.feed was run twice from the same state"))
    #expect(failure.reason.contains(difference), "\(failure.reason)")
    #expect(failure.reason.contains(name) || name == "'last'", "\(failure.reason)")
    #expect(try trial.state()["n"] == 0, "state is as before")
    #expect(trial.sent.isEmpty, "no effect is left")
  }
}
