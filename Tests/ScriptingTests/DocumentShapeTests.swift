import Scripting
import Testing

@Suite struct DocumentShapeTests {
  static let documents = [
    #" {"a":1,  "b":2}"#, #" {"a":1,"b":2}"#, #"{"a":1 ,"b":2 }"#, #"{"c":{"a":1,  "b":2}}"#,
    #"{"c":{"a":1,"b":2}}"#,
    #"{"a":1,"b":"x","c":{"d":[1,2],"e":null},"f":true}"#,
    #"{"a":-2.5e3,"b":"été","c":{"d":[],"e":{}},"f":false}"#,
    #"{ "a": 10, "b": "y", "c": {"d": [1, [2]], "e": 1}, "f": 1 }"#,
    #"{"a":1,"b":"x","c":{"d":[1,2],"e":null}}"#,
    #"{"a":1,"b":"x","c":{"d":[1,2],"e":null},"f":true,"g":1}"#,
    #"{"a":[1,2],"b":"x","c":1,"f":1}"#,
    #"{"a":1,"b":"x","b":"y","f":1}"#,
    #"{"a":1,"a":2}"#,
    #"{"a":1}"#, #"{"a":{"a":1}}"#, #"{"a":[1,{"a":2}]}"#, #"{"a":{},"b":1}"#, #"{"a":1,"b":{}}"#,
    #"{"a":1,"b":2,"a":3}"#,
    #"{"b":1,"a":2}"#, #"{"ab":1}"#, #"{"a\u0062":1,"ab":2}"#, #"{"a" : 1}"#, "{}", "[]",
    #"[{"a":1},{"a":2}]"#,
    #"{"a":1,}"#, #"{"a":1,"b"}"#, #"{"a":1,"b":}"#, #"{"a":1"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":1e}"#,
    #"{"a":1}x"#,
    #"{"a":"1}"#, #"{"a":tru}"#, #"{"a":truee}"#, #"{"a":123456789012345678901234567890}"#, #"{"a":1e999}"#,
    #"{"a":"\q"}"#, "\u{FEFF}{\"a\":1}", #"{"a name of more than thirty-two bytes, which is long":1}"#,
    #"{"a name of twenty b":1,"a name of twenty c":2}"#, #"{"a name of twenty b":1,"a name of twenty d":2}"#,
  ]

  /// A document as a batch of its own has it, or its fault.
  private func alone(_ document: String) -> (Value?, String?) { last(of: [document]) }

  private func last(of documents: [String]) -> (Value?, String?) {
    let batch = MessageBatch(nesting: 8)
    for document in documents { batch.append(document, time: 1) }
    _ = batch.decode()
    let index = documents.count - 1
    if let fault = batch.fault(at: index) { return (nil, "\(fault.offset) \(fault.reason)") }
    return (batch.value(at: index), nil)
  }

  @Test("a document is read the same whatever shape those before it had", arguments: documents)
  func shapes(document: String) {
    let expected = alone(document)
    for before in Self.documents {
      for count in 1...2 {
        let found = last(of: Array(repeating: before, count: count) + [document])
        #expect(found == expected, "after \(count) of \(before)")
      }
    }
  }

  @Test("where shapes take turns, each document keeps its own fields")
  func turns() {
    let batch = MessageBatch()
    for number in 0..<400 {
      batch.append(#"{"n":\#(number),"\#(number % 7 < 4 ? "a" : "b")":{"v":"\#(number)"}}"#, time: 1)
    }
    #expect(batch.decode() == 0)
    for number in 0..<400 {
      let name = number % 7 < 4 ? "a" : "b"
      #expect(batch.field("n", at: number) == "\(number)")
      #expect(batch.field("\(name).v", at: number) == "\(number)")
      #expect(batch.field("\(name == "a" ? "b" : "a").v", at: number) == nil)
    }
  }

  @Test("what a handler is charged for a document's names doesn't depend on the documents before it")
  func charge() throws {
    var limits = MachineLimits()
    // Forty names, gone over for each of them where one may stand twice, are more than that.
    limits.steps = 1_000
    let machine = try #require(ScriptMachine(profile: .script, limits: limits, host: nil))
    try machine.load(
      """
      local M = {} M.on = {}
      function M.on.feed(state, m) for name in pairs(m) do end end
      return M
      """, name: "names.lua")
    let handler = try #require(machine.handler("on", "feed"))
    let names = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_bc".map { "\"\($0)\":1" }.joined(separator: ",")
    for before in [[], [#"{"a":{},"0":1}"#]] {
      let batch = MessageBatch()
      for document in before + ["{\"a\":{},\(names)}"] { batch.append(document, time: 1) }
      #expect(batch.decode() == 0)
      let last = before.count
      #expect(
        machine.handle(batch, in: last..<(last + 1), with: handler).failure?.reason.contains("steps") == true)
    }
  }
}
