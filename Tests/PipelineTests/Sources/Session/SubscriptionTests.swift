import Scripting
import Testing

@testable import Pipeline

@Suite("What a server is asked for")
struct SubscriptionTests {
  @Test func `a long list goes out in chunks, each confirmed by its number`() throws {
    var trial = try SessionTrial(SessionTrial.numbered(["items": ["A", "B", "C"], "chunk": 2]))
    #expect(
      try trial.open() == [
        .send(#"{"id":1,"symbols":["A","B"]}"#), .send(#"{"id":2,"symbols":["C"]}"#),
      ])
    let answer18 = trial.receive(#"{"id":3,"result":null}"#)
    #expect(answer18 == ([], true))
    let answer19 = trial.receive(#"{"id":2,"result":null}"#)
    #expect(answer19 == ([SessionTrial.report("trades", ["C"], .subscribed)], false))
    let answer20 = trial.receive(#"{"id":2,"result":null}"#)
    #expect(answer20 == ([], true), "answered already")
    let answer21 = trial.receive(#"{"id":1,"result":null}"#)
    #expect(answer21 == ([SessionTrial.report("trades", ["A", "B"], .subscribed)], false))
    #expect(!trial.machine.watchesMessages)
  }

  @Test func `a chunk that is refused is halved until the item at fault is found, and the rest runs`() throws
  {
    var trial = try SessionTrial(SessionTrial.numbered(["items": ["A", "B", "C", "D"]]))
    #expect(try trial.open() == [.send(#"{"id":1,"symbols":["A","B","C","D"]}"#)])
    let requests8 = trial.receive(#"{"id":1,"error":"unknown"}"#).requests
    #expect(
      requests8 == [
        .send(#"{"id":2,"symbols":["A","B"]}"#), .send(#"{"id":3,"symbols":["C","D"]}"#),
      ])
    let requests9 = trial.receive(#"{"id":2,"result":null}"#).requests
    #expect(requests9 == [SessionTrial.report("trades", ["A", "B"], .subscribed)])
    let requests10 = trial.receive(#"{"id":3,"error":"unknown"}"#).requests
    #expect(
      requests10 == [
        .send(#"{"id":4,"symbols":["C"]}"#), .send(#"{"id":5,"symbols":["D"]}"#),
      ])
    let refusal = #"{"id":4,"error":"unknown C"}"#
    let requests11 = trial.receive(refusal).requests
    #expect(requests11 == [SessionTrial.report("trades", ["C"], .refused(refusal))])
    let requests12 = trial.receive(#"{"id":5,"result":null}"#).requests
    #expect(requests12 == [SessionTrial.report("trades", ["D"], .subscribed)])
  }

  @Test func `answers that name an item settle it alone`() throws {
    var trial = try SessionTrial([
      "subscriptions": [
        "ticker": [
          "send": ["args": [["channel": "ticker", "instId": "{item}"]]], "items": ["X", "Y"],
          "expect": ["event": "subscribe", "arg": ["instId": "{item}"]],
          "refuse": ["event": "error", "msg": "no instId:{item}."],
        ]
      ]
    ])
    #expect(
      try trial.open() == [
        .send(
          #"{"args":[{"channel":"ticker","instId":"X"},{"channel":"ticker","instId":"Y"}]}"#)
      ])
    let refusal = #"{"event":"error","msg":"no instId:X."}"#
    let requests13 = trial.receive(refusal).requests
    #expect(requests13 == [SessionTrial.report("ticker", ["X"], .refused(refusal))])
    #expect(
      trial.advance(to: 10_000) == [SessionTrial.report("ticker", ["Y"], .unanswered(.seconds(10)))])
  }

  @Test func `requests whose answers look alike wait for each other`() throws {
    let plain: Value = ["send": ["sub": "{item}"], "chunk": 1, "items": ["A", "B"], "expect": ["ok": true]]
    var trial = try SessionTrial(["subscriptions": ["one": plain]])
    #expect(try trial.open() == [.send(#"{"sub":"A"}"#)])
    let requests14 = trial.receive(#"{"ok":true}"#).requests
    #expect(
      requests14 == [
        SessionTrial.report("one", ["A"], .subscribed), .send(#"{"sub":"B"}"#),
      ])
    // Silence is told and doesn't hold up what comes after it.
    #expect(trial.advance(to: 10_000) == [SessionTrial.report("one", ["B"], .unanswered(.seconds(10)))])
  }

  @Test func `wishes of scripts are carried out at once, and remembered over connections`() throws {
    var trial = try SessionTrial(SessionTrial.numbered(["items": ["A"]]))
    _ = try trial.open()
    #expect(trial.change("trades", ["B", "A"], isWanted: true) == [.send(#"{"id":2,"symbols":["B"]}"#)])
    #expect(
      trial.change("trades", ["A"], isWanted: false) == [
        .send(#"{"drop":["A"],"id":3}"#), SessionTrial.report("trades", ["A"], .unsubscribed),
      ])
    #expect(trial.change("trades", ["A"], isWanted: false) == [])
    #expect(trial.change("unknown", ["A"], isWanted: true) == [])
    trial.machine.close()
    #expect(trial.change("trades", ["C"], isWanted: true) == [])
    #expect(try trial.open() == [.send(#"{"id":4,"symbols":["B","C"]}"#)])
    #expect(
      trial.change("trades", [], isWanted: false) == [
        .send(#"{"drop":["B","C"],"id":5}"#), SessionTrial.report("trades", ["B", "C"], .unsubscribed),
      ])
    trial.machine.close()
    #expect(try trial.open() == [])
    #expect(trial.change("trades", [], isWanted: true) == [.send(#"{"id":6,"symbols":["B","C"]}"#)])
  }

  @Test func `what waits for its turn needs no cancelling`() throws {
    var trial = try SessionTrial(
      ["pace": "1s"].merging(SessionTrial.numbered(["items": ["A", "B"], "chunk": 1])) { $1 })
    #expect(try trial.open() == [.send(#"{"id":1,"symbols":["A"]}"#)])
    #expect(trial.change("trades", ["B"], isWanted: false) == [])
    #expect(trial.advance(to: 4_999) == [])
    #expect(trial.advance(to: 5_000) == [SessionTrial.report("trades", ["A"], .unanswered(.seconds(5)))])
  }

  @Test func `a silent subscription is asked for again, and gives up the connection in the end`() throws {
    var trial = try SessionTrial([
      "subscriptions": [
        "trades": ["send": "trades", "match": ["ch": "trades"], "stale_after": "10s"],
        "books": ["send": "books"],
      ]
    ])
    _ = try trial.open()
    #expect(trial.advance(to: 6_000) == [])
    let data2 = trial.receive(#"{"ch":"books"}"#).isData
    #expect(data2)
    let data3 = trial.receive(#"{"ch":"trades"}"#).isData
    #expect(data3)
    #expect(trial.advance(to: 15_999) == [])
    #expect(trial.advance(to: 16_000, isQuiet: true) == [], "the market is closed")
    #expect(
      trial.advance(to: 26_000) == [
        SessionTrial.report("trades", [], .silent(.seconds(10))), .send("trades"),
      ])
    let back = trial.receive(#"{"ch":"trades"}"#)
    #expect(back == ([SessionTrial.report("trades", [], .subscribed)], true))
    let answer22 = trial.receive(#"{"ch":"trades"}"#)
    #expect(answer22 == ([], true))
    let silent = trial.advance(to: 36_000)
    #expect(silent.count == 2)
    #expect(
      trial.advance(to: 46_000) == [
        SessionTrial.report("trades", [], .silent(.seconds(10))),
        .fail("no data of subscription 'trades' for 10s, and it was asked for again"),
      ])
  }
}
