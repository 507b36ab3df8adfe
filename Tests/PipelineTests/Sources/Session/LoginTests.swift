import Scripting
import Testing

@testable import Pipeline

@Suite("What is said to a server first")
struct LoginTests {
  @Test func `steps go out one after the other, each once the one before it is answered`() throws {
    var trial = try SessionTrial([
      "login": [
        ["expect": ["event": "hello"]],
        ["send": ["op": "login"], "expect": ["event": "login", "code": "0"]],
        ["send": "go"],
      ], "open": ["first", ["second": 2]],
    ])
    #expect(try trial.open() == [])
    let data1 = trial.receive(#"{"price":1}"#).isData
    #expect(data1)
    let answer15 = trial.receive(#"{"event":"hello","version":2}"#)
    #expect(answer15 == ([.send(#"{"op":"login"}"#)], false))
    let answer16 = trial.receive(#"{"event":"login","code":0}"#)
    #expect(answer16 == ([], true))
    let answer17 = trial.receive(#"{"event":"login","code":"0"}"#)
    #expect(answer17 == ([.send("go"), .send("first"), .send(#"{"second":2}"#)], false))
    #expect(trial.machine.nextDue == nil && !trial.machine.watchesMessages)
  }

  @Test(
    "a login that is refused or not answered gives the connection up",
    arguments: [
      (
        Optional(#"{"event":"error","message":"bad hunter2"}"#),
        #"login step 1 was refused: the server answered {"event":"error","message":"bad …"}"#
      ), (nil, "login step 1 was not answered within 3s"),
    ])
  func failedLogin(answer: String?, reason: String) throws {
    var trial = try SessionTrial([
      "login": [
        [
          "send": ["token": ["$env": "TOKEN", "$line": 1]], "expect": ["event": "login"],
          "refuse": ["event": "error"], "within": "3s",
        ]
      ], "open": ["never"],
    ])
    #expect(try trial.open { $0 == "TOKEN" ? "hunter2" : nil } == [.send(#"{"token":"hunter2"}"#)])
    let requests = answer.map { trial.receive($0).requests } ?? trial.advance(to: 3_000)
    #expect(requests == [.fail(reason)])
    #expect(!trial.machine.isOpen && trial.machine.nextDue == nil)
  }

  @Test func `a variable that isn't set is an error of the opening`() throws {
    var trial = try SessionTrial(["open": [["token": ["$env": "TOKEN", "$line": 1]]]])
    #expect(throws: SecretError.self) { try trial.open() }
    #expect(!trial.machine.isOpen)
  }

  @Test func `messages keep their pace, and where to resume goes into them`() throws {
    var trial = try SessionTrial(["pace": "100ms", "open": ["a", "b", ["from": "{position}"]]])
    #expect(try trial.open(position: "41") == [.send("a")])
    #expect(trial.machine.nextDue == Timestamp(milliseconds: 100))
    trial.machine.send("of a script", at: trial.now)
    #expect(trial.advance(to: 99) == [])
    #expect(trial.advance(to: 299) == [.send("b"), .send(#"{"from":"41"}"#)])
    #expect(trial.advance(to: 300) == [.send("of a script")])
  }
}
