import Testing

@testable import Scripting

@Suite("Base64 in scripts")
struct Base64Tests {
  /// What Lua returns as `is`.
  private func evaluate(_ source: String, steps: UInt64 = 10_000_000) throws -> Value {
    var limits = MachineLimits()
    limits.steps = steps
    let machine = try #require(ScriptMachine(profile: .configuration, limits: limits))
    try machine.load(source, name: "text.lua")
    return try #require(machine.result["is"])
  }

  @Test(
    "the vectors of RFC 4648, section 10, there and back",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(text: String, coded: String) throws {
    #expect(try evaluate("return { is = base64.encode('\(text)') }") == .text(coded))
    #expect(try evaluate("return { is = base64.decode('\(coded)') }") == .text(text))
    let bare = String(coded.prefix { $0 != "=" })
    #expect(try evaluate("return { is = base64.encode('\(text)', 'url') }") == .text(bare))
    #expect(try evaluate("return { is = base64.decode('\(bare)') }") == .text(text))
  }

  @Test("every byte comes back, in either form and any length")
  func bytes() throws {
    let source = """
      local bytes = {}
      for i = 0, 255 do bytes[#bytes + 1] = string.char(i) end
      local all = table.concat(bytes)
      for length = 0, 256 do
        local text = all:sub(256 - length + 1)
        for _, form in ipairs { "standard", "url" } do
          local coded = base64.encode(text, form)
          if base64.decode(coded) ~= text then return { is = form .. length } end
          if form == "url" and coded:find("[^%w_-]") then return { is = "not for a URL: " .. coded } end
          if form == "standard" and #coded % 4 ~= 0 then return { is = "no padding: " .. coded } end
        end
      end
      return { is = "good" }
      """
    #expect(try evaluate(source) == "good")
  }

  @Test(
    "anything else is an error with its place",
    arguments: [
      ("'Zm9v!'", "the text ends within a byte"), ("'Zm 9'", "got something else at character 3"),
      ("'Zg='", "groups of four"), ("'Zg==='", "groups of four"),
      ("'Z==='", "got something else at character 2"),
      ("'A'", "the text ends within a byte"), ("'=A=='", "got something else at character 1"),
      ("{}", "string expected"), ("json.null", "string expected"),
    ])
  func refusals(argument: String, reason: String) throws {
    let failure = #expect(throws: ScriptFailure.self) { try evaluate("return base64.decode(\(argument))") }
    #expect(
      failure?.reason.hasPrefix("text.lua:1: ") == true && failure?.reason.contains(reason) == true,
      "\(failure?.reason ?? "")")
  }

  @Test("long texts are charged, and none gets too long")
  func hostile() throws {
    let charged = #expect(throws: ScriptFailure.self) {
      try evaluate(
        "local s = ('x'):rep(1000000) for i = 1, 100 do base64.encode(s) end return { is = 1 }",
        steps: 1_000_000)
    }
    #expect(charged?.reason.contains("steps") == true, "\(charged?.reason ?? "")")
    #expect(throws: ScriptFailure.self) {
      try evaluate("local s = ('x'):rep(60000000) return { is = #base64.encode(s) }", steps: 100_000_000)
    }
  }
}
