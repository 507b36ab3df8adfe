import Scripting
import Testing

@testable import Pipeline

/// Where histories come from, what of them counts, and how recordings keep them.
@Suite struct HistoryTests {
  private static let place = History.Input(script: "s", input: "price")
  private static let now = Timestamp(milliseconds: 100_000)

  private func settings(_ options: String) throws -> WarmUpSettings {
    let (configuration, findings) = try configuration("file = 'history', \(options)")
    let settings = configuration?.scripts["s"]?.warmUps["price"]
    return try #require(settings, "\(findings)")
  }

  private func configuration(_ warmUp: String, script: String = "") throws -> (Configuration?, Findings) {
    let text = """
      return {
        sources = { feed = source.stdin {} },
        scripts = { s = { file = "s.lua", from = { price = "feed" }, \(script) warm_up = { price = { \(warmUp) } } } },
      }
      """
    let registry = Registry.builtIn
    let value = try ConfigurationFile.evaluate(
      ScriptFile(name: "config.lua", source: text), registry: registry)
    return Configuration.read(value, file: "config.lua", registry: registry) { _ in true }
  }

  private func read(_ texts: [String], _ options: String) throws -> History {
    let settings = try settings(options)
    var history = History()
    var reader = HistoryReader(Self.place, settings, options: settings.messages, now: Self.now)
    for text in texts {
      var text = text
      text.withUTF8 { reader.add(UnsafeRawBufferPointer($0), at: Self.now) }
    }
    reader.finish(into: &history)
    return history
  }

  private func texts(_ history: History) -> [String] {
    history.messages.map { String(decoding: $0.message, as: UTF8.self) }
  }

  @Test func `messages come in the order of their times, and those of one time as they stand`() throws {
    let history = try read(
      [#"{"t":3,"n":1}"#, #"{"t":1,"n":2}"#, #"{"t":3,"n":3}"#, #"{"t":2,"n":4}"#], "time = { field = 't' }")
    #expect(history.messages.map(\.time.milliseconds) == [1, 2, 3, 3])
    #expect(texts(history).last == #"{"t":3,"n":3}"#)
    #expect(history.failures.isEmpty && history.notes.isEmpty)
  }

  @Test func `of too many the newest count, and that is told`() throws {
    let all = (1...50).map { "{\"t\":\(($0 * 37) % 50)}" }
    let few = try read(all, "time = { field = 't' }, max_messages = 3")
    #expect(texts(few) == [#"{"t":47}"#, #"{"t":48}"#, #"{"t":49}"#])
    #expect(
      few.notes.map(\.text) == [
        "M.on.price: 47 messages of its history are beyond 'max_messages' or 'max_bytes'; the newest count"
      ])
    let large = (1...4).map { "{\"t\":\($0),\"pad\":\"\(String(repeating: "x", count: 500))\"}" }
    let small = try read(large, "time = { field = 't' }, max_bytes = '1KiB'")
    #expect(small.messages.map(\.time.milliseconds) == [4])
  }

  @Test func `what is too old or in the future is passed over`() throws {
    let old = try read(
      [#"{"t":39999}"#, #"{"t":40000}"#, #"{"t":100001}"#], "time = { field = 't' }, last = '1m'")
    #expect(texts(old) == [#"{"t":40000}"#])
    #expect(
      old.notes.map(\.text) == [
        "M.on.price: 1 messages of its history are later than the start and were passed over"
      ])
    let none = try read([#"{"t":1}"#], "time = { field = 't' }, last = '1m', required = true")
    #expect(
      none.failures == [
        .init(input: Self.place, reason: "all its messages are older than 'last' allows", isRequired: true)
      ])
  }

  @Test func `what can't be read is told once with its count`() throws {
    let history = try read(["{", "{\"n\":1}", "[1,"], "")
    #expect(texts(history) == [#"{"n":1}"#])
    #expect(history.notes.count == 1)
    #expect(
      history.notes[0].text.hasPrefix("M.on.price: 2 of 3 messages of its history can't be read: message 1"))
    #expect(try read(["{"], "").failures[0].reason.hasPrefix("message 1 can't be decoded: "))
  }

  @Test(
    "options that don't fit are refused, each at its place",
    arguments: [
      ("", "scripts.s.warm_up.price: expected 'file' or 'http', got neither; add file = \"history.ndjson\""),
      (
        "file = 'a', http = 'http://a/'",
        "scripts.s.warm_up.price: expected either 'file' or 'http', got both; remove one"
      ),
      ("file = 'a', headers = { A = 'b' }", "scripts.s.warm_up.price.headers: needs 'http'"),
      (
        "http = 'ftp://a/'",
        "scripts.s.warm_up.price.http: expected an http:// or https:// URL, got \"ftp://a/\""
      ),
      (
        "file = 'a', splits = 'items'",
        "scripts.s.warm_up.price.splits: unknown option of warm_up of a script"
      ),
      ("file = 'a', split_field = 'x'", "scripts.s.warm_up.price.split_field: needs 'split'"),
    ])
  func refusals(options: String, expected: String) throws {
    let (configuration, findings) = try configuration(options)
    #expect(configuration == nil)
    #expect(findings.description.contains(expected), "\(findings)")
  }

  @Test func `a recording keeps a history to the byte`() throws {
    let recorded = [
      RecordedHistory(
        time: Timestamp(milliseconds: 5), script: "s", input: "price", topic: "a/b",
        message: Array("{\"n\": 1.10,\n \"e\":\"\\u00e9\"}".utf8)),
      RecordedHistory(
        time: Timestamp(milliseconds: -7), script: "s", input: "price", message: Array("plain".utf8),
        isText: true),
    ]
    for message in recorded {
      let read = try message.bytes.dropLast().withUnsafeBytes { try RecordedLine($0).ofScript }
      #expect(read == .history(message))
    }
  }

  // MARK: - Rules

  private func armed(_ rule: AlertRule, _ values: [Double], then live: [Double]) -> [Bool] {
    var (state, window) = (RuleState(), RuleWindow())
    var time = Timestamp(milliseconds: 0)
    for value in values {
      time = time + .seconds(1)
      let outcome = rule.check(&state, &window, value: value, at: time, context: .history)
      #expect(outcome == .nothing)
      #expect(state.nextDue == nil)
    }
    return live.map { value in
      time = time + .seconds(1)
      return rule.check(&state, &window, value: value, at: time) != .nothing
    }
  }

  @Test func `rules are armed by a history as they say for a first value`() {
    let above = AlertRule(name: "r", condition: .above(10))
    #expect(armed(above, [5, 20], then: [20]) == [true])
    let armedAbove = AlertRule(name: "r", condition: .above(10), first: .arm)
    #expect(armed(armedAbove, [5, 20], then: [20, 5, 20]) == [false, false, true])
    let up = AlertRule(name: "r", condition: .crossesAbove(10), clearBelow: 8)
    #expect(armed(up, [5], then: [20]) == [true])
    #expect(armed(up, [5, 20], then: [20, 5, 20]) == [false, false, true])
    #expect(armed(up, [5, 20, 9], then: [11]) == [false])
    let either = AlertRule(name: "r", condition: .crosses(10))
    #expect(armed(either, [5, 20], then: [21, 5]) == [false, true])
    let long = AlertRule(name: "r", condition: .above(10), forDuration: .minutes(1))
    #expect(armed(long, [20, 20], then: [20]) == [false])
    let silent = AlertRule(name: "r", condition: .noData(for: .minutes(1)))
    #expect(armed(silent, [20, 20], then: [20]) == [false])
  }
}
