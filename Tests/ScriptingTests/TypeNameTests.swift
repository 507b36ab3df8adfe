import Scripting
import Testing

@Suite("Types by the names that scripts know")
struct TypeNameTests {
  @Test("every way to make text of a value agrees, and none shows what the host makes it of")
  func texts() throws {
    let trial = try ScriptTrial(
      state: "{ count = 0, last = json.null, list = {}, mean = stats.sma { count = 2 } }",
      body: """
        local seen = {}
        for i, value in ipairs { json.null, event.map, event.list, state.list, state.mean, ctx or {}, print or type, event } do
          local text = tostring(value)
          local formats = { ("%s"):format(value), ("%5s"):format(value):gsub("^ +", ""), ("%.9s"):format(value) }
          for _, other in ipairs(formats) do
            if other ~= text:sub(1, 9) and other ~= text then error(text .. " is also " .. other) end
          end
          if text ~= type(value) then error(text .. " is of type " .. type(value)) end
          seen[i] = text
        end
        return seen
        """)
    let failure = trial.receive(#"{"map":{},"list":[]}"#)
    #expect(failure == nil, "\(failure?.reason ?? "")")
    #expect(
      try trial.state()["last"] == [
        "null", "table", "table", "table", "statistic", "table", "function", "table",
      ])
  }

  /// What a script may try with a value, and how the error ends; `V` stands for the value.
  static let uses = [
    ("V + 1", "attempt to perform arithmetic on W"), ("1 - V", "attempt to perform arithmetic on W"),
    ("-V", "attempt to perform arithmetic on W"),
    ("2 ^ V", "attempt to perform arithmetic on W"), ("V // 2 % 3", "attempt to perform arithmetic on W"),
    ("V | 1", "attempt to perform bitwise operation on W"),
    ("~V", "attempt to perform bitwise operation on W"),
    ("1 << V", "attempt to perform bitwise operation on W"), ("V .. \"x\"", "attempt to concatenate W"),
    ("\"x\" .. 5 .. V", "attempt to concatenate W"), ("V < 5", "attempt to compare T with number"),
    ("5 <= V", "attempt to compare number with T"), ("V >= V", "attempt to compare T with T"),
    ("V()", "attempt to call W"),
    ("table.concat({ V })", "invalid value (T) at index 1 in table for 'concat'"),
    ("table.concat({}, V)", "bad argument #2 to 'concat' (string expected, got T)"),
    ("table.sort({ 1, V })", "attempt to compare"), ("table.insert({}, V, 1)", "(number expected, got T)"),
    ("table.insert(state.list, V, 1)", "(number expected, got T)"),
    ("table.remove(state.list, V)", "(number expected, got T)"),
    ("math.max(V, 1)", "bad argument #1 to 'max' (number expected, got T)"),
    ("math.floor(V)", "bad argument #1 to 'floor' (number expected, got T)"),
    ("math.random(V)", "bad argument #1 to 'random' (number expected, got T)"),
    ("(\"x\"):rep(V)", "(number expected, got T)"), ("string.upper(V)", "(string expected, got T)"),
    ("(\"x\"):find(V)", "(string expected, got T)"),
    ("(\"x\"):gsub(\"x\", function() return V end)", "invalid replacement value (a T)"),
    ("(\"%d\"):format(V)", "(number expected, got T)"), ("(\"%5.1f\"):format(V)", "(number expected, got T)"),
    ("string.pack(\"i4\", V)", "(number or string expected, got T)"),
    ("utf8.char(V)", "(number expected, got T)"), ("utf8.len(V)", "(string expected, got T)"),
    ("select(V, 1)", "(number expected, got T)"), ("tonumber(\"1\", V)", "(number expected, got T)"),
    ("setmetatable(V, {})", "(table expected, got T)"),
    ("setmetatable({}, V)", "(nil or table expected, got T)"),
    ("json.decode(V)", "(string expected, got T)"), ("json.array(V)", "(table expected, got T)"),
    ("require(V)", "(string expected, got T)"), ("error(V)", "error object is E, not text"),
    ("error()", "error object is a nil, not text"), ("num(V)", "expected a number or its text, got T"),
    ("stats.add(state.mean, V)", "expected a number, got T"),
    ("state.count.x.y", "attempt to index a number value"),
    ("xpcall(error, V)", "(function expected, got T)"), ("({})[V]()", "attempt to call a nil value"),
  ]

  @Test("errors call json.null and the parts of a message by those names", arguments: uses)
  func errors(_ use: String, _ expected: String) throws {
    for (value, type, operand, object) in [
      ("event.v", "null", "json.null", "json.null"), ("event.map", "table", "a table value", "a table"),
    ] {
      if type == "table", ["setmetatable({}, V)", "json.array(V)"].contains(use) { continue }
      let trial = try ScriptTrial(
        state: "{ count = 0, last = json.null, list = {}, mean = stats.sma { count = 2 } }",
        body: "local r = \(use.replacing("V", with: value)) return r")
      let reason = trial.receive(#"{"v":null,"map":{"a":1},"list":[]}"#)?.reason ?? "no failure"
      let wanted = expected.replacing("W", with: operand).replacing("T", with: type).replacing(
        "E", with: object)
      #expect(reason.contains(wanted), "\(use.replacing("V", with: value)): \(reason)")
      #expect(!reason.contains("userdata"))
      #expect(reason.hasPrefix("trial.lua:6: ") || use.hasPrefix("error("), "\(reason)")
    }
  }

  @Test("functions that answer for any value answer for null")
  func anyValue() throws {
    let trial = try ScriptTrial(
      body:
        "return { math.type(event.v) or 'none', math.tointeger(event.v) or 'none', tonumber(event.v) or 'none' }"
    )
    #expect(trial.receive(#"{"v":null}"#) == nil)
    #expect(try trial.state()["last"] == ["none", "none", "none"])
  }
}
