import Scripting
import Testing

@testable import Pipeline

@Suite("Messages that are nobody's business")
struct IgnoredMessageTests {
  @Test func `what is ignored reaches no script, and answers that are awaited count all the same`() throws {
    var trial = try SessionTrial([
      "subscriptions": [
        "trades": [
          "send": ["op": "subscribe", "symbols": ["{item}"]], "items": ["A", "B"], "chunk": 1,
          "expect": ["event": "subscribe", "symbol": "{item}"],
        ]
      ],
      "ignore": [["event": "subscribe"], ["event": "notice"], "hello"],
    ])
    _ = try trial.open()
    #expect(trial.receive("hello").isData == false)
    #expect(trial.receive("hello you").isData == true)
    #expect(trial.receive(#"{"event":"notice","text":"soon"}"#).isData == false)
    #expect(trial.receive(#"{"event":"trade"}"#).isData == true)
    let answer = trial.receive(#"{"event":"subscribe","symbol":"A"}"#)
    #expect(
      answer.requests == [SessionTrial.report("trades", ["A"], .subscribed)] && !answer.isData)
    #expect(trial.receive(#"{"event":"subscribe","symbol":"B"}"#).requests.count == 1)
    // Nothing is awaited any more.
    #expect(trial.receive(#"{"event":"subscribe","symbol":"B"}"#).isData == false)
    #expect(trial.receive(#"{"event":"trade"}"#).isData == true)
  }

  @Test func `an item goes out in lower case where a server wants that, and is known as it was given`() throws
  {
    var trial = try SessionTrial([
      "subscriptions": [
        "trades": [
          "send": ["params": ["{item:lower}@trade"], "id": "{id}"], "items": ["BTCUSDT", "ethusdt"],
          "expect": ["id": "{id}"],
        ],
        "one": ["send": ["name": "{item:lower}"], "items": ["X"], "chunk": 1],
      ]
    ])
    #expect(
      try trial.open() == [
        .send(#"{"name":"x"}"#), .send(#"{"id":2,"params":["btcusdt@trade","ethusdt@trade"]}"#),
      ])
    #expect(
      trial.receive(#"{"id":2}"#).requests == [
        SessionTrial.report("trades", ["BTCUSDT", "ethusdt"], .subscribed)
      ])
    #expect(
      trial.change("trades", ["SOLUSDT"], isWanted: true) == [
        .send(#"{"id":3,"params":["solusdt@trade"]}"#)
      ])
  }

  @Test func `room for one item alone in lower case needs chunks of one`() throws {
    let (fields, _) = SessionTrial.read([
      "subscriptions": ["a": ["send": ["name": "{item:lower}"], "items": ["X"]]]
    ])
    #expect(
      SessionSettings.faults(try #require(fields)).map(\.message) == [
        "expected chunk = 1, since {item} stands outside of a list"
      ])
  }
}
