import Scripting
import Testing

/// Hard payloads of the shared inputs, handed to a script as messages.
@Suite("Hard payloads")
struct PayloadTests {
  struct Payload: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]
    var decoder: String
    var testDescription: String { name }
  }

  /// What a script must see of a message: its JSON and a claim in Lua, or why and where it is refused.
  enum Expectation {
    case value(String, claim: String = "true")
    case fault(offset: Int?, reason: String = "")
  }

  static let payloads: [Payload] = SharedInputs.text("payloads.tsv").split(separator: "\n").map { line in
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
    let digits = Array(fields[1].utf8)
    let bytes = stride(from: 0, to: digits.count, by: 2).map { index in
      UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16) ?? 0
    }
    return Payload(name: String(fields[0]), bytes: bytes, decoder: String(fields[2]))
  }

  static let expectations: [String: Expectation] = [
    "price as text": .value(
      #"{"bitcoin":"67123.45"}"#, claim: "m.bitcoin == '67123.45' and num(m.bitcoin) == 67123.45"),
    "int64 max": .value(
      #"{"id":9223372036854775807}"#,
      claim: "m.id == math.maxinteger and math.type(m.id) == 'integer'"),
    "beyond int64": .value(#"{"id":"9223372036854775808"}"#, claim: "m.id == '9223372036854775808'"),
    "order id": .value(#"{"i":8389766036995847940}"#, claim: "m.i == 8389766036995847940"),
    "one point zero": .value(
      #"{"p":1.0,"q":1}"#, claim: "math.type(m.p) == 'float' and math.type(m.q) == 'integer'"),
    "minus zero": .value("[-0.0,0]", claim: "1 / m[1] == -math.huge and math.type(m[2]) == 'integer'"),
    "exponent": .value(#"{"p":7.3e-07}"#, claim: "m.p == 7.3e-07"),
    "null in array": .value(#"[1,null,"x"]"#, claim: "#m == 3 and m[2] == json.null"),
    "empty array and object": .value(#"{"a":[],"b":{}}"#),
    "duplicate key": .value(#"{"x":2}"#, claim: "m.x == 2"),
    "keys by case": .value(
      #"{"E":1700000000000,"e":"trade"}"#, claim: "m.e == 'trade' and m.E == 1700000000000"),
    "bom": .value(#"{"x":1}"#),
    "two boms": .fault(offset: 3),
    "trailing nul": .fault(offset: 7),
    "two texts": .fault(offset: 7),
    "bare nan": .fault(offset: 5),
    "invalid utf-8 in string": .fault(offset: 6),
    "lone surrogate escape": .fault(offset: 6),
    "surrogate pair escape": .value(#"{"s":"😀"}"#, claim: "#m.s == 4 and m.s == '\\xf0\\x9f\\x98\\x80'"),
    "nul escape": .value(#"{"s":"a\u0000b"}"#, claim: "#m.s == 3 and m.s == 'a\\0b'"),
    "gzip without decode": .fault(offset: 0, reason: "gzip"),
    "empty message": .fault(offset: 0),
    "scalar": .value("42", claim: "m == 42"),
    "deep": .fault(offset: nil, reason: "512"),
    "long number": .value(#"{"p":0.1111111111111111}"#, claim: "m.p == 0.1111111111111111"),
    "huge exponent": .fault(offset: nil, reason: "p"),
  ]

  @Test(
    "every payload without compression has its expectation",
    .enabled(if: !payloads.isEmpty, "the shared inputs are not here"))
  func complete() {
    let named = Set(Self.payloads.filter { $0.decoder == "json" }.map(\.name))
    #expect(named == Set(Self.expectations.keys))
  }

  @Test(
    "is seen by a script as said, or refused with its place",
    arguments: payloads.filter { $0.decoder == "json" })
  func judged(_ payload: Payload) throws {
    let batch = MessageBatch()
    payload.bytes.withUnsafeBytes { bytes in _ = batch.append(bytes, time: 1, received: 1) }
    batch.append(#"{"next":1}"#, time: 2)
    let faults = batch.decode()
    switch try #require(Self.expectations[payload.name]) {
    case .fault(let offset, let reason):
      #expect(faults == 1)
      let fault = try #require(batch.fault(at: 0))
      if let offset { #expect(fault.offset == offset) }
      #expect(fault.reason.contains(reason), "\(fault.reason)")
      let trial = try ScriptTrial(body: "return event")
      let handler = try #require(trial.machine.handler("on", "feed"))
      #expect(trial.machine.handle(batch, in: 0..<2, with: handler).next == 2)
      #expect(try trial.state()["last"] == ["next": 1], "the message after it is handled")
    case .value(let json, let claim):
      #expect(faults == 0)
      let trial = try ScriptTrial(
        """
        local M = { state = { last = json.null, text = "" }, on = {} }
        function M.on.feed(state, m)
          if not (\(claim)) then error("seen otherwise: " .. json.encode(m)) end
          state.last, state.text = m, json.encode(m)
        end
        return M
        """)
      let handler = try #require(trial.machine.handler("on", "feed"))
      let (_, failure) = trial.machine.handle(batch, in: 0..<1, with: handler)
      #expect(failure == nil, "\(failure?.reason ?? "")")
      #expect(try trial.state()["last"]?.json == json)
      #expect(try trial.state()["text"] == .text(json), "and encoded the same")
    }
  }
}
