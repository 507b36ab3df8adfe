import Testing

@testable import Pipeline

@Suite("Taking Lua text apart")
struct LuaLexerTests {
  private static func kinds(_ text: String) throws -> [LuaToken.Kind] {
    try LuaLexer.tokens(of: text).dropLast().map(\.kind)
  }

  @Test(
    "Each kind of word",
    arguments: [
      ("local x1 = _y", [.keyword("local"), .name("x1"), .symbol("="), .name("_y")]),
      ("0xFFp-2 1e+9 .5 3..2", [.number("0xFFp-2"), .number("1e+9"), .number(".5"), .number("3..2")]),
      (
        "a..b ... a.b",
        [.name("a"), .symbol(".."), .name("b"), .symbol("..."), .name("a"), .symbol("."), .name("b")]
      ),
      (
        "a<=b~=c//d<<e::f",
        [
          .name("a"), .symbol("<="), .name("b"), .symbol("~="), .name("c"), .symbol("//"), .name("d"),
          .symbol("<<"),
          .name("e"), .symbol("::"), .name("f"),
        ]
      ),
      (#""a\"b\n" 'c"d'"#, [.text("a\"b\n"), .text("c\"d")]),
      (
        "[[a]] [==[b]]]==] t[1]",
        [
          .text("a"), .text("b]]"), .name("t"), .symbol("["), .number("1"), .symbol("]"),
        ]
      ),
      ("[[\nfirst line is left out]]", [.text("first line is left out")]),
      ("\"a\\z\n   b\"", [.text("ab")]),
      ("#t", [.symbol("#"), .name("t")]),
      ("a -- b\n--[[ c\nd ]] e --[==[ ]] ]==] f", [.name("a"), .name("e"), .name("f")]),
      (
        "grüße",
        [
          .name("gr"), .symbol("\u{fffd}"), .symbol("\u{fffd}"), .symbol("\u{fffd}"), .symbol("\u{fffd}"),
          .name("e"),
        ]
      ),
    ] as [(String, [LuaToken.Kind])])
  func words(text: String, kinds: [LuaToken.Kind]) throws {
    // A text that begins with # would be the shell's.
    #expect(try Self.kinds(" " + text) == kinds)
  }

  @Test("Lines are counted through texts and comments, and a shell's first line is passed over")
  func lines() throws {
    let tokens = try LuaLexer.tokens(of: "#!/usr/bin/lua\na\n[[\n\n]] b --[[\n]] c\n\"x\\\ny\" d")
    #expect(tokens.map(\.line) == [2, 3, 5, 6, 7, 8, 8])
  }

  @Test(
    "What has no end says so with its line", arguments: ["\n\"a", "\n'a\n'", "\n[[a", "\n--[[a", "\n\"a\\"])
  func endless(text: String) {
    #expect(throws: LuaSyntaxError.self) { try LuaLexer.tokens(of: text) }
    do { _ = try LuaLexer.tokens(of: text) } catch { #expect(error.line == 2) }
  }
}
