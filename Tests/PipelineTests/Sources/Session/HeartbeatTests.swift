import Scripting
import Testing

@testable import Pipeline

@Suite("Heartbeats and echoes")
struct HeartbeatTests {
  @Test func `a heartbeat goes out again and again, and its answer is awaited`() throws {
    var trial = try SessionTrial([
      "heartbeat": ["every": "20s", "send": "ping", "expect": "pong", "within": "5s"]
    ])
    #expect(try trial.open() == [])
    #expect(trial.advance(to: 20_000) == [.send("ping")])
    let answer23 = trial.receive("pong")
    #expect(answer23 == ([], false))
    #expect(trial.advance(to: 44_999) == [.send("ping")])
    #expect(trial.advance(to: 45_000) == [.fail("no answer to the heartbeat within 5s")])
  }

  @Test
  func `while not all that came was read, nothing is missing, and what is awaited has its time from then on`()
    throws
  {
    var trial = try SessionTrial([
      "heartbeat": ["every": "20s", "send": "ping", "expect": "pong", "within": "5s"],
      "login": [["send": "hello", "expect": "welcome", "within": "3s"]],
      "subscriptions": [
        "trades": [
          "send": "trades", "expect": "ok", "within": "4s", "match": ["ch": "trades"], "stale_after": "30s",
        ]
      ],
    ])
    #expect(try trial.open() == [.send("hello")])
    func at(_ milliseconds: Int64, isDrained: Bool) -> [SessionMachine.Request] {
      trial.machine.advance(to: Timestamp(milliseconds: milliseconds), isDrained: isDrained)
      return trial.machine.takeRequests()
    }
    #expect(at(10_000, isDrained: false) == [])
    #expect(at(12_999, isDrained: true) == [])
    trial.now = Timestamp(milliseconds: 12_999)
    #expect(trial.receive("welcome") == ([.send("trades")], false))
    #expect(at(20_000, isDrained: false) == [.send("ping")])
    #expect(at(50_000, isDrained: false) == [])
    #expect(at(53_999, isDrained: true) == [])
    #expect(at(54_000, isDrained: true) == [SessionTrial.report("trades", [], .unanswered(.seconds(4)))])
    trial.now = Timestamp(milliseconds: 54_999)
    #expect(trial.receive("pong") == ([], false))
    #expect(at(60_000, isDrained: false) == [.send("ping")])
    #expect(at(64_999, isDrained: true) == [])
    #expect(at(65_000, isDrained: true) == [.fail("no answer to the heartbeat within 5s")])
  }

  @Test func `a subscription is not silent while not all that came was read`() throws {
    var trial = try SessionTrial([
      "subscriptions": ["trades": ["send": "trades", "match": ["ch": "trades"], "stale_after": "30s"]]
    ])
    _ = try trial.open()
    trial.machine.advance(to: Timestamp(milliseconds: 50_000), isDrained: false)
    #expect(trial.machine.nextDue == Timestamp(milliseconds: 80_000))
    #expect(
      trial.advance(to: 80_000) == [
        SessionTrial.report("trades", [], .silent(.seconds(30))), .send("trades"),
      ])
  }

  @Test func `a server that sends heartbeats on its own is given up when they stop`() throws {
    var trial = try SessionTrial([
      "heartbeat": ["every": "10s", "expect": ["type": "heartbeat"], "within": "5s"]
    ])
    _ = try trial.open()
    #expect(trial.advance(to: 9_000) == [])
    let answer24 = trial.receive(#"{"type":"heartbeat"}"#)
    #expect(answer24 == ([], false))
    #expect(trial.advance(to: 23_999) == [])
    #expect(trial.advance(to: 24_000) == [.fail("no heartbeat of the server within 5s")])
  }

  @Test(
    "an echo answers with the fields of what it answers",
    arguments: [
      (#"{"ping":1492420473027}"#, #"{"pong":1492420473027}"#),
      (#"{"type":"ping","data":{"id":"a\"b"},"n":1.5}"#, #"{"id":"a\"b","note":"n is 1.5","op":"pong"}"#),
      ("are you there?", "yes {still}"),
    ])
  func echoes(message: String, answer: String) throws {
    var trial = try SessionTrial([
      "echo": [
        ["match": ["ping": "{any}"], "send": ["pong": "{ping}"]],
        ["match": ["type": "ping"], "send": ["op": "pong", "id": "{data.id}", "note": "n is {n}"]],
        ["match": "are you there?", "send": "yes {still}"],
      ]
    ])
    _ = try trial.open()
    let answer25 = trial.receive(message)
    #expect(answer25 == ([.send(answer)], false))
    let answer26 = trial.receive(#"{"type":"trade"}"#)
    #expect(answer26 == ([], true))
  }

  @Test func `nothing of an old connection reaches a new one`() throws {
    var trial = try SessionTrial(
      ["heartbeat": ["every": "20s", "send": "ping", "expect": "pong"]].merging(
        SessionTrial.numbered(["items": ["A"]])
      ) { $1 })
    _ = try trial.open()
    _ = trial.advance(to: 20_000)
    trial.machine.close()
    #expect(trial.machine.nextDue == nil)
    #expect(trial.advance(to: 100_000) == [])
    #expect(try trial.open() == [.send(#"{"id":2,"symbols":["A"]}"#)])
    let answer27 = trial.receive(#"{"id":1,"result":null}"#)
    #expect(answer27 == ([], true))
    #expect(trial.machine.nextDue == Timestamp(milliseconds: 105_000))
  }
}
