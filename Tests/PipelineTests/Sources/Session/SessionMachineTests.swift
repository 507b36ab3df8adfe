import Scripting
import Testing

@testable import Pipeline

@Suite("What is said to a server")
struct SessionMachineTests {
  /// A machine with what it asked for, on a clock moved by hand.
  struct Trial {
    var machine: SessionMachine
    var now = Timestamp(milliseconds: 0)

    init(_ options: [String: Value]) throws {
      machine = SessionMachine(try Self.settings(options))
    }

    static func settings(_ options: [String: Value]) throws -> SessionSettings {
      let (fields, findings) = read(options)
      guard let fields else { throw HostFunctionError(findings.joined(separator: "\n")) }
      return SessionSettings(fields: fields)
    }

    static func read(_ options: [String: Value]) -> (FieldReader?, [String]) {
      var validation = FieldValidation()
      let fields = validation.fields(
        .map(options), specs: SessionSettings.fields, owner: "source.trial", at: Place(file: "config.lua"))
      return (fields, validation.findings.sorted.map(\.description))
    }

    mutating func open(position: String = "", _ variables: (String) -> String? = { _ in nil }) throws
      -> [SessionMachine.Request]
    {
      try machine.open(at: now, position: position, variables)
      return machine.takeRequests()
    }

    /// Lets a message come; what was asked for, and whether scripts get it.
    mutating func receive(_ message: String) -> (requests: [SessionMachine.Request], isData: Bool) {
      let batch = MessageBatch()
      batch.append(message, time: now.milliseconds)
      _ = batch.decode()
      let isData = !machine.take(batch, at: 0, now: now)
      return (machine.takeRequests(), isData)
    }

    /// Moves the clock and lets happen what falls due by then.
    mutating func advance(to milliseconds: Int64, isQuiet: Bool = false) -> [SessionMachine.Request] {
      var requests: [SessionMachine.Request] = []
      let end = Timestamp(milliseconds: milliseconds)
      while let due = machine.nextDue, due <= end {
        now = max(now, due)
        machine.advance(to: now, isQuiet: isQuiet)
        let new = machine.takeRequests()
        requests += new
        if new.isEmpty, machine.nextDue == due { break }
      }
      now = end
      return requests
    }

    mutating func change(_ name: String, _ items: [String], isWanted: Bool) -> [SessionMachine.Request] {
      machine.change(
        SubscriptionChange(subscription: name, items: items, isWanted: isWanted), at: now)
      return machine.takeRequests()
    }
  }

  static func report(
    _ name: String, _ items: [String], _ outcome: SubscriptionReport.Outcome
  ) -> SessionMachine.Request {
    .report(SubscriptionReport(subscription: name, items: items, outcome: outcome))
  }

  // MARK: - Logins

  @Test func `steps go out one after the other, each once the one before it is answered`() throws {
    var trial = try Trial([
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
    var trial = try Trial([
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
    var trial = try Trial(["open": [["token": ["$env": "TOKEN", "$line": 1]]]])
    #expect(throws: SecretError.self) { try trial.open() }
    #expect(!trial.machine.isOpen)
  }

  @Test func `messages keep their pace, and where to resume goes into them`() throws {
    var trial = try Trial(["pace": "100ms", "open": ["a", "b", ["from": "{position}"]]])
    #expect(try trial.open(position: "41") == [.send("a")])
    #expect(trial.machine.nextDue == Timestamp(milliseconds: 100))
    trial.machine.send("of a script", at: trial.now)
    #expect(trial.advance(to: 99) == [])
    #expect(trial.advance(to: 299) == [.send("b"), .send(#"{"from":"41"}"#)])
    #expect(trial.advance(to: 300) == [.send("of a script")])
  }

  // MARK: - Subscriptions

  static let numbered: [String: Value] = [
    "send": ["id": "{id}", "symbols": ["{item}"]], "cancel": ["id": "{id}", "drop": "{items}"],
    "expect": ["id": "{id}", "result": nil], "refuse": ["id": "{id}", "error": "{any}"], "within": "5s",
  ]

  static func numbered(_ more: [String: Value]) -> [String: Value] {
    ["subscriptions": ["trades": .map(numbered.merging(more) { $1 })]]
  }

  @Test func `a long list goes out in chunks, each confirmed by its number`() throws {
    var trial = try Trial(Self.numbered(["items": ["A", "B", "C"], "chunk": 2]))
    #expect(
      try trial.open() == [
        .send(#"{"id":1,"symbols":["A","B"]}"#), .send(#"{"id":2,"symbols":["C"]}"#),
      ])
    let answer18 = trial.receive(#"{"id":3,"result":null}"#)
    #expect(answer18 == ([], true))
    let answer19 = trial.receive(#"{"id":2,"result":null}"#)
    #expect(answer19 == ([Self.report("trades", ["C"], .subscribed)], false))
    let answer20 = trial.receive(#"{"id":2,"result":null}"#)
    #expect(answer20 == ([], true), "answered already")
    let answer21 = trial.receive(#"{"id":1,"result":null}"#)
    #expect(answer21 == ([Self.report("trades", ["A", "B"], .subscribed)], false))
    #expect(!trial.machine.watchesMessages)
  }

  @Test func `a chunk that is refused is halved until the item at fault is found, and the rest runs`() throws
  {
    var trial = try Trial(Self.numbered(["items": ["A", "B", "C", "D"]]))
    #expect(try trial.open() == [.send(#"{"id":1,"symbols":["A","B","C","D"]}"#)])
    let requests8 = trial.receive(#"{"id":1,"error":"unknown"}"#).requests
    #expect(
      requests8 == [
        .send(#"{"id":2,"symbols":["A","B"]}"#), .send(#"{"id":3,"symbols":["C","D"]}"#),
      ])
    let requests9 = trial.receive(#"{"id":2,"result":null}"#).requests
    #expect(requests9 == [Self.report("trades", ["A", "B"], .subscribed)])
    let requests10 = trial.receive(#"{"id":3,"error":"unknown"}"#).requests
    #expect(
      requests10 == [
        .send(#"{"id":4,"symbols":["C"]}"#), .send(#"{"id":5,"symbols":["D"]}"#),
      ])
    let refusal = #"{"id":4,"error":"unknown C"}"#
    let requests11 = trial.receive(refusal).requests
    #expect(requests11 == [Self.report("trades", ["C"], .refused(refusal))])
    let requests12 = trial.receive(#"{"id":5,"result":null}"#).requests
    #expect(requests12 == [Self.report("trades", ["D"], .subscribed)])
  }

  @Test func `answers that name an item settle it alone`() throws {
    var trial = try Trial([
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
    #expect(requests13 == [Self.report("ticker", ["X"], .refused(refusal))])
    #expect(
      trial.advance(to: 10_000) == [Self.report("ticker", ["Y"], .unanswered(.seconds(10)))])
  }

  @Test func `requests whose answers look alike wait for each other`() throws {
    let plain: Value = ["send": ["sub": "{item}"], "chunk": 1, "items": ["A", "B"], "expect": ["ok": true]]
    var trial = try Trial(["subscriptions": ["one": plain]])
    #expect(try trial.open() == [.send(#"{"sub":"A"}"#)])
    let requests14 = trial.receive(#"{"ok":true}"#).requests
    #expect(
      requests14 == [
        Self.report("one", ["A"], .subscribed), .send(#"{"sub":"B"}"#),
      ])
    // Silence is told and doesn't hold up what comes after it.
    #expect(trial.advance(to: 10_000) == [Self.report("one", ["B"], .unanswered(.seconds(10)))])
  }

  @Test func `wishes of scripts are carried out at once, and remembered over connections`() throws {
    var trial = try Trial(Self.numbered(["items": ["A"]]))
    _ = try trial.open()
    #expect(trial.change("trades", ["B", "A"], isWanted: true) == [.send(#"{"id":2,"symbols":["B"]}"#)])
    #expect(
      trial.change("trades", ["A"], isWanted: false) == [
        .send(#"{"drop":["A"],"id":3}"#), Self.report("trades", ["A"], .unsubscribed),
      ])
    #expect(trial.change("trades", ["A"], isWanted: false) == [])
    #expect(trial.change("unknown", ["A"], isWanted: true) == [])
    trial.machine.close()
    #expect(trial.change("trades", ["C"], isWanted: true) == [])
    #expect(try trial.open() == [.send(#"{"id":4,"symbols":["B","C"]}"#)])
    #expect(
      trial.change("trades", [], isWanted: false) == [
        .send(#"{"drop":["B","C"],"id":5}"#), Self.report("trades", ["B", "C"], .unsubscribed),
      ])
    trial.machine.close()
    #expect(try trial.open() == [])
    #expect(trial.change("trades", [], isWanted: true) == [.send(#"{"id":6,"symbols":["B","C"]}"#)])
  }

  @Test func `what waits for its turn needs no cancelling`() throws {
    var trial = try Trial(
      ["pace": "1s"].merging(Self.numbered(["items": ["A", "B"], "chunk": 1])) { $1 })
    #expect(try trial.open() == [.send(#"{"id":1,"symbols":["A"]}"#)])
    #expect(trial.change("trades", ["B"], isWanted: false) == [])
    #expect(trial.advance(to: 4_999) == [])
    #expect(trial.advance(to: 5_000) == [Self.report("trades", ["A"], .unanswered(.seconds(5)))])
  }

  @Test func `a silent subscription is asked for again, and gives up the connection in the end`() throws {
    var trial = try Trial([
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
        Self.report("trades", [], .silent(.seconds(10))), .send("trades"),
      ])
    let back = trial.receive(#"{"ch":"trades"}"#)
    #expect(back == ([Self.report("trades", [], .subscribed)], true))
    let answer22 = trial.receive(#"{"ch":"trades"}"#)
    #expect(answer22 == ([], true))
    let silent = trial.advance(to: 36_000)
    #expect(silent.count == 2)
    #expect(
      trial.advance(to: 46_000) == [
        Self.report("trades", [], .silent(.seconds(10))),
        .fail("no data of subscription 'trades' for 10s, and it was asked for again"),
      ])
  }

  // MARK: - Heartbeats and echoes

  @Test func `a heartbeat goes out again and again, and its answer is awaited`() throws {
    var trial = try Trial([
      "heartbeat": ["every": "20s", "send": "ping", "expect": "pong", "within": "5s"]
    ])
    #expect(try trial.open() == [])
    #expect(trial.advance(to: 20_000) == [.send("ping")])
    let answer23 = trial.receive("pong")
    #expect(answer23 == ([], false))
    #expect(trial.advance(to: 44_999) == [.send("ping")])
    #expect(trial.advance(to: 45_000) == [.fail("no answer to the heartbeat within 5s")])
  }

  @Test func `while not all that came was read, nothing is missing, and heartbeats go out`() throws {
    let options: [String: Value] = [
      "heartbeat": ["every": "20s", "send": "ping", "expect": "pong", "within": "5s"],
      "login": [["send": "hello", "expect": "welcome", "within": "3s"]],
    ]
    var trial = try Trial(options)
    #expect(try trial.open() == [.send("hello")])
    func at(_ milliseconds: Int64, isDrained: Bool) -> [SessionMachine.Request] {
      trial.machine.advance(to: Timestamp(milliseconds: milliseconds), isDrained: isDrained)
      return trial.machine.takeRequests()
    }
    #expect(at(10_000, isDrained: false) == [])
    #expect(trial.receive("welcome").isData == false)
    #expect(at(20_000, isDrained: false) == [.send("ping")])
    #expect(at(30_000, isDrained: false) == [])
    #expect(at(30_001, isDrained: true) == [.fail("no answer to the heartbeat within 5s")])
  }

  @Test func `a server that sends heartbeats on its own is given up when they stop`() throws {
    var trial = try Trial(["heartbeat": ["every": "10s", "expect": ["type": "heartbeat"], "within": "5s"]])
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
    var trial = try Trial([
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
    var trial = try Trial(
      ["heartbeat": ["every": "20s", "send": "ping", "expect": "pong"]].merging(
        Self.numbered(["items": ["A"]])
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

  // MARK: - Options

  @Test(
    "options that don't fit together are reported",
    arguments: [
      (["login": [["within": "1s"]]], "login[1]: expected 'send', 'expect' or both, got neither"),
      (["heartbeat": ["every": "1s"]], "heartbeat: expected 'send', 'expect' or both, got neither"),
      (
        ["subscriptions": ["a": ["send": ["op": "x"], "items": ["A"]]]],
        "subscriptions.a.send: expected {items}, or {item} in an element of a list, to say where items go"
      ),
      (
        ["subscriptions": ["a": ["send": ["op": "{item}"]]]],
        "subscriptions.a.chunk: expected chunk = 1, since {item} stands outside of a list"
      ),
      (
        ["subscriptions": ["a": ["send": "x", "stale_after": "1s"]]],
        "subscriptions.a.stale_after: needs 'match', which says what its data are like"
      ),
      (
        ["subscriptions": ["a": ["send": ["{item}"], "items": ["A", "A"]]]],
        "subscriptions.a.items: an item stands twice"
      ),
    ] as [([String: Value], String)])
  func faults(options: [String: Value], finding: String) throws {
    let (fields, findings) = Trial.read(options)
    #expect(findings == [])
    let faults = SessionSettings.faults(try #require(fields))
    #expect(faults.map { "\($0.field): \($0.message)" } == [finding])
  }
}

extension SessionMachineTests {
  @Test func `changes are folded, and read back as they were written`() throws {
    var changes = SubscriptionChanges()
    let isNew4 = changes.note(SubscriptionChange(subscription: "a", items: ["X", "Y"], isWanted: true))
    #expect(isNew4)
    let isNew5 = changes.note(SubscriptionChange(subscription: "a", items: ["X"], isWanted: true))
    #expect(!isNew5)
    let isNew6 = changes.note(SubscriptionChange(subscription: "a", items: ["Y"], isWanted: false))
    #expect(isNew6)
    let isNew7 = changes.note(SubscriptionChange(subscription: "b", items: [], isWanted: false))
    #expect(isNew7)
    #expect(
      changes.all == [
        SubscriptionChange(subscription: "a", items: [], isWanted: true),
        SubscriptionChange(subscription: "a", items: ["Y"], isWanted: false),
        SubscriptionChange(subscription: "a", items: ["X"], isWanted: true),
        SubscriptionChange(subscription: "b", items: [], isWanted: false),
      ])
    #expect(SubscriptionChanges(encoded: changes.encoded) == changes)
    #expect(SubscriptionChanges(encoded: "[]") == nil && SubscriptionChanges(encoded: "{") == nil)
  }
}
