import Scripting
import TestPeers
import Testing

/// What goes into a script as JSON and comes out again, by every way there is.
@Suite("From JSON through Lua to JSON")
struct RoundTripTests {
  private static let source = """
    local M = { state = { kept = json.null, copied = json.null, walked = json.null, text = "" }, on = {} }

    local function copy(value)
      if type(value) ~= "table" then return value end
      local result = json.encode(value):sub(1, 1) == "[" and json.array {} or {}
      for key, item in pairs(value) do result[key] = copy(item) end
      return result
    end

    function M.on.feed(state, m)
      state.kept = m.v                                   -- the message itself
      state.copied = json.decode(json.encode(m)).v       -- text and tables
      state.walked = copy(m.v)                           -- made by the script, item by item
      state.text = json.encode(state.kept)               -- out of state again
      alert.send(m.v, copy(m.v), state.copied)           -- to the host
      if json.encode(json.decode(state.text)) ~= state.text then error("text changed") end
      if json.encode(copy(state.walked)) ~= json.encode(state.walked) then error("state changed") end
    end
    return M
    """

  private func check(_ value: Value, in trial: ScriptTrial) throws {
    let message = #"{"v":\#(value.json)}"#
    let failure = trial.receive(message)
    guard failure == nil else {
      Issue.record("\(message): \(failure?.reason ?? "")")
      return
    }
    let state = try trial.state()
    for field in ["kept", "copied", "walked"] where state[field]?.json != value.json {
      Issue.record("\(field) of \(message) is \(state[field]?.json ?? "nothing")")
    }
    #expect(try state["text"].flatMap(\.text).map { try Value(json: $0).json } == value.json)
    #expect(trial.sent.last?.map(\.json) == [value.json, value.json, value.json])
    trial.host.sent.removeAll()
    // A stored row brings the same back.
    let row = trial.machine.row(of: 0)
    let next = try ScriptTrial(Self.source)
    var text = row
    try text.withUTF8 { bytes in try next.machine.restore(key: "", row: UnsafeRawBufferPointer(bytes)) }
    #expect(next.machine.row(of: 0) == row)
  }

  @Test("any value comes back the same, by each way")
  func values() throws {
    var random = SystemRandomNumberGenerator()
    let trial = try ScriptTrial(Self.source)
    for _ in 0..<(LongTests.areWanted ? 50_000 : 500) {
      try check(.random(depth: 4, using: &random), in: trial)
    }
  }

  @Test("a message is encoded as a table of the same content, whatever its sender wrote")
  func canonical() throws {
    let trial = try ScriptTrial(body: "return json.encode(event)")
    let sent = ##"{"z":-0,"b":1,"\u0061":"\u0041\/<DEL>","b":[1.50,1E2,{"y":1,"x":2}],"aa":0}"##
    #expect(trial.receive(sent.replacing("<DEL>", with: "\u{7F}")) == nil)
    #expect(
      try trial.state()["last"] == ##"{"a":"A/\u007f","aa":0,"b":[1.5,100.0,{"x":2,"y":1}],"z":0}"##)
  }

  @Test(
    "so do the edges of what numbers and texts can be",
    arguments: [
      "9223372036854775807", "-9223372036854775808", "0", "-0.0", "5e-324", "1.7976931348623157e+308",
      "0.1", "1e+22", "1.0", "123456789012345680.0", #""""#, #""\u0000\u001f\u007f\"\\/""#, #""\u2028😀""#,
      "[]", "{}", "[[],{}]", #"{"":0}"#, #"{"a":{"$pairs":[1]}}"#, #"{"$pairs":[[1,2]]}"#,
      "[null,false,true]",
      #"{"1":1,"2":2}"#, #"{"a.b":{"c":[]}}"#,
    ])
  func edges(json: String) throws {
    let value = try Value(json: json)
    let trial = try ScriptTrial(Self.source)
    // A map of that name is stored in another form, which its own text doesn't have.
    if !json.contains("$pairs") { return try check(value, in: trial) }
    #expect(trial.receive(#"{"v":\#(json)}"#) == nil)
    #expect(trial.sent.last?.map(\.json) == [value.json, value.json, value.json])
  }

  static let accepted = SharedInputs.files(in: "json-test-suite").filter { file in
    SharedInputs.bytes("json-test-suite/\(file)").withUnsafeBytes { (try? Value(json: $0)) != nil }
  }

  @Test(
    "and every text of the public suite that is accepted",
    .enabled(if: !accepted.isEmpty, "the shared inputs are not here"), arguments: accepted)
  func suite(file: String) throws {
    let bytes = SharedInputs.bytes("json-test-suite/\(file)")
    let value = try bytes.withUnsafeBytes { try Value(json: $0) }
    let trial = try ScriptTrial(body: "return event")
    let batch = MessageBatch()
    bytes.withUnsafeBytes { _ = batch.append($0, time: 1, received: 1) }
    #expect(batch.decode() == 0)
    let handler = try #require(trial.machine.handler("on", "feed"))
    // The script's own marker for a healthy message is a field, so scalars and lists are handed on as they are.
    let (_, failure) = trial.machine.handle(batch, in: 0..<1, with: handler)
    if case .map = value {
      #expect(failure == nil, "\(failure?.reason ?? "")")
      #expect(try trial.state()["last"]?.json == value.json)
    }
    try check(value, in: ScriptTrial(Self.source))
  }
}
