import Scripting
import Testing

@testable import Pipeline

@Suite("Reading the messages of a source")
struct MessageIntakeTests {
  private static func intake(_ options: [String: Value]) throws -> MessageIntake {
    var validation = FieldValidation()
    let fields = validation.fields(
      .map(options), specs: MessageOptions.fields, owner: "source.trial", at: Place(file: "config.lua"))
    guard let fields else {
      throw HostFunctionError(validation.findings.sorted.map(\.description).joined(separator: "\n"))
    }
    #expect(MessageOptions.faults(fields).map(\.message) == [])
    return MessageIntake(MessageOptions(fields: fields))
  }

  private static func batch(_ messages: String..., time: Int64 = 1_000_000) -> MessageBatch {
    let batch = MessageBatch()
    for message in messages { batch.append(message, time: time) }
    return batch
  }

  /// The messages that scripts get of one read, as JSON; faulty ones as their reasons.
  private static func read(_ intake: MessageIntake, _ batch: MessageBatch) -> [String] {
    let parts = intake.parts(of: batch)
    _ = parts.decode()
    _ = intake.inspect(parts, connection: 1)
    return (0..<parts.count).filter { !parts.isSkipped(at: $0) }.map { index in
      parts.fault(at: index)?.reason ?? parts.value(at: index).json
    }
  }

  @Test(
    "the parts of a message have its topic",
    arguments: [
      (["split": "items"], "[1,2]"), (["split": "pairs"], #"{"a":1,"b":2}"#),
      (["decode": "json_lines"], "1\n2"),
    ] as [([String: Value], String)])
  func topics(options: [String: Value], message: String) throws {
    let batch = Self.batch(options["split"] == "pairs" ? #"{"z":0}"# : "[0]", message)
    batch.setTopic("a/b")
    let parts = try Self.intake(options).parts(of: batch)
    #expect((0..<parts.count).map { parts.topic(at: $0) } == ["", "a/b", "a/b"])
  }

  @Test("all sources whose messages come from outside take the options")
  func sources() {
    let specs = Registry.builtIn.specs(of: .source).filter { $0.name != "simulated" }
    for spec in specs {
      let names = Set(spec.fields.map(\.name))
      #expect(names.isSuperset(of: MessageOptions.fields.map(\.name)), "\(spec.constructor)")
    }
  }

  @Test(
    "one message becomes many",
    arguments: [
      (
        ["split": "items"], #"[{"a":"}]\""},[1,[2]],"x\\",null,-1.5]"#,
        [#"{"a":"}]\""}"#, "[1,[2]]", #""x\\""#, "null", "-1.5"]
      ),
      (["split": "items"], "[]", []), (["split": "items"], #"{"a":1}"#, [#"{"a":1}"#]),
      (
        ["split": "items", "split_field": "data"], #"{"arg":1,"data":[{"p":1},{"p":2}]}"#,
        [#"{"p":1}"#, #"{"p":2}"#]
      ),
      (
        ["split": "items", "split_field": "events.1.tickers"], #"{"events":[{"tickers":[7,8]}]}"#, ["7", "8"]
      ),
      (
        ["split": "pairs"], #"{"bit\"coin":"67000","eth":{"p":[1]}}"#,
        [#"{"key":"bit\"coin","value":"67000"}"#, #"{"key":"eth","value":{"p":[1]}}"#]
      ),
      (["split": "pairs"], "[1]", ["[1]"]),
      (
        ["decode": "json_lines"], "{\"a\":1}\n\n {\"a\":2}\r\n{\"a\":3}",
        [#"{"a":1}"#, #"{"a":2}"#, #"{"a":3}"#]
      ),
      (["decode": "json_lines", "split": "items"], "[1,2]\n[3]", ["1", "2", "3"]),
      (["decode": "text"], "not JSON", [#""not JSON""#]),
      (
        ["numbers": ["p", "book.bids"]],
        #"{"p":"67000.5","q":"1","book":{"bids":[["1.0","-2"],[" +3e2 ","x"]],"5":"6"}}"#,
        [#"{"book":{"5":"6","bids":[[1.0,-2.0],[300.0,"x"]]},"p":67000.5,"q":"1"}"#]
      ),
      (["numbers": ["p"]], #"{"p":{"1":"2","n":{"3":"4"}}}"#, [#"{"p":{"1":2.0,"n":{"3":4.0}}}"#]),
      (["numbers": ["p"]], #"{"p":"","p2":"1"}"#, [#"{"p":"","p2":"1"}"#]),
      (["id": "t"], #"{"t":1}"#, [#"{"t":1}"#]),
    ] as [([String: Value], String, [String])])
  func parts(options: [String: Value], message: String, expected: [String]) throws {
    #expect(Self.read(try Self.intake(options), Self.batch(message)) == expected)
  }

  @Test func `text that is no UTF-8 is at fault`() throws {
    let intake = try Self.intake(["decode": "text"])
    let batch = MessageBatch()
    [UInt8(0xff), 0x41].withUnsafeBytes { _ = batch.append($0, time: 1, received: 1) }
    #expect(Self.read(intake, batch) == ["invalid UTF-8 at offset 0"])
  }

  @Test func `a message whose id was there before is skipped, or marked where that is wanted`() throws {
    let skipping = try Self.intake(["id": "t", "id_window": 2])
    #expect(Self.read(skipping, Self.batch(#"{"t":1}"#, #"{"t":"1"}"#, #"{"t":1}"#, #"{"x":1}"#)).count == 3)
    #expect(Self.read(skipping, Self.batch(#"{"t":2}"#, #"{"t":3}"#, #"{"t":1}"#)).count == 3)
    #expect(skipping.repeatedCount == 1)
    let keyed = try Self.intake(["id": "t", "id_key": "s"])
    let same = Self.batch(
      #"{"s":"A","t":1}"#, #"{"s":"B","t":1}"#, #"{"s":"A","t":1}"#, #"{"t":1}"#, #"{"t":1}"#)
    #expect(Self.read(keyed, same) == [#"{"s":"A","t":1}"#, #"{"s":"B","t":1}"#, #"{"t":1}"#])
    let marking = try Self.intake(["id": "t", "repeated": "mark"])
    #expect(Self.read(marking, Self.batch(#"{"t":1}"#, #"{"t":1}"#)).count == 2)
  }

  @Test(
    "the time of a message is what its field says, unless that can't be",
    arguments: [
      ("ms", #"{"E":999500}"#, 999_500), ("ms", #"{"E":"999500"}"#, 999_500), ("s", #"{"E":999}"#, 999_000),
      ("s", #"{"E":999.1234}"#, 999_123), ("s", #"{"E":"999.5"}"#, 999_500),
      ("us", #"{"E":999500123}"#, 999_500),
      ("ns", #"{"E":999500123456}"#, 999_500), ("text", #"{"E":"1970-01-01T00:16:39.5Z"}"#, 999_500),
      ("text", #"{"E":"yesterday"}"#, 1_000_000), ("ms", "{}", 1_000_000), ("ms", #"{"E":-5}"#, 1_000_000),
      ("ms", #"{"E":4600000}"#, 4_600_000), ("ms", #"{"E":4600001}"#, 1_000_000),
      ("s", #"{"E":9223372036854775807}"#, 1_000_000), ("s", #"{"E":1e300}"#, 1_000_000),
    ] as [(String, String, Int64)])
  func times(unit: String, message: String, time: Int64) throws {
    let intake = try Self.intake(["time": ["field": "E", "unit": .text(unit)]])
    let batch = Self.batch(message)
    _ = Self.read(intake, batch)
    #expect(batch.time(at: 0) == time && batch.received(at: 0) == 1_000_000)
  }

  @Test(
    "options that don't fit together are reported",
    arguments: [
      (["split_field": "a"], "split_field: needs 'split', which says how it is split"),
      (["id_key": "s"], "id_key: needs 'id', which names the field that tells messages apart"),
      (["id": "t", "id_key": "s."], "id_key: expected names with dots between, got \"s.\""),
      (["numbers": ["a..b"]], "numbers[1]: expected names with dots between, got \"a..b\""),
      (["time": ["field": ""]], "time.field: expected names with dots between, got \"\""),
      (
        ["decode": "text", "sequence": ["last": "u"]],
        "sequence: can't be used with decode = \"text\", which has no fields"
      ),
    ] as [([String: Value], String)])
  func faults(options: [String: Value], finding: String) throws {
    var validation = FieldValidation()
    let fields = validation.fields(
      .map(options), specs: MessageOptions.fields, owner: "source.trial", at: Place(file: "config.lua"))
    #expect(MessageOptions.faults(try #require(fields)).map { "\($0.field): \($0.message)" } == [finding])
  }
}
