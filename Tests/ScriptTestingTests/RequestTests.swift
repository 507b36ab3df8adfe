import ScriptTesting
import Testing

@Suite("HTTP requests of a script")
struct RequestTests {
  private func passes(
    _ body: String, script: String = RequestTests.script, location: SourceLocation = #_sourceLocation
  ) async throws {
    let (report, text) = try await TestFolder().run(TestFolder.test(body), script: script)
    #expect(report.exitStatus == 0, "\(text)", sourceLocation: location)
    #expect(report.passedCount == 1, sourceLocation: location)
  }

  /// Asks for what a message is about, and notes the reply.
  private static let script = """
    local M = { on = {}, actions = {}, key = "s" }
    M.state = { name = json.null }
    function M.on.ask(state, message)
      effect.http { url = "https://api.example.org/" .. message.s, reply = "found", id = message.id,
        headers = message.headers, json = message.body, method = message.method, pace = "100ms" }
      if message.fail then error("no") end
    end
    function M.actions.found(state, reply, ctx)
      state.name = reply.ok and reply.json.name or reply.error or reply.text or reply.status
    end
    return M
    """

  @Test("a request is claimed with what goes out, and its reply reaches the action of the same key")
  func reply() async throws {
    try await passes(
      """
        t.receive("ask", { s = "btc" })
        t.effect { http = "https://api.example.org/btc", method = "GET", key = "btc" }
        t.receive("ask", { s = "eth", body = { a = 1 }, headers = { ["X-A"] = "b" } })
        t.effect { http = "https://api.example.org/eth", method = "POST", body = { a = 1 },
          headers = { ["Content-Type"] = "application/json", ["X-A"] = "b" } }
        t.reply("eth", { json = { name = "Ether" } })   t.state("eth", { name = "Ether" })
        t.reply { status = 404, text = "unknown" }      t.state("btc", { name = "unknown" })
        t.advance("1h")                                 t.nothing()
      """)
  }

  @Test("a reply may be a status alone, or an error")
  func failures() async throws {
    try await passes(
      """
        t.receive("ask", { s = "a" })             t.effect { http = "https://api.example.org/a" }
        t.reply { status = 503 }                  t.state("a", { name = 503 })
        t.receive("ask", { s = "a" })             t.effect { http = "https://api.example.org/a" }
        t.reply { error = "connection refused" }  t.state("a", { name = "connection refused" })
      """)
  }

  @Test("each request gets exactly one reply: in time, or that it timed out, was replaced or interrupted")
  func exactlyOne() async throws {
    try await passes(
      """
        t.receive("ask", { s = "a" })            t.effect { http = "https://api.example.org/a" }
        t.advance("89s")                         t.nothing()
        t.advance("1s")                          t.state("a", { name = "timeout" })
        t.reply { status = 500 }                 t.nothing()
        t.receive("ask", { s = "a", id = "x" })  t.effect { http = "https://api.example.org/a" }
        t.receive("ask", { s = "a", id = "x" })  t.effect { http = "https://api.example.org/a" }
                                                 t.state("a", { name = "replaced" })
        t.reply { status = 500 }                 t.nothing()
        t.reply { status = 501 }                 t.state("a", { name = 501 })
        t.receive("ask", { s = "b" })            t.effect { http = "https://api.example.org/b" }
        t.restart()                              t.state("b", { name = "interrupted" })
        t.advance("1h")                          t.nothing()
      """)
  }

  @Test("a handler that fails has asked for nothing")
  func undo() async throws {
    try await passes(
      """
        t.receive("ask", { s = "a", fail = true })  t.error("no")
        t.advance("1h")                             t.nothing()
      """)
  }

  @Test(
    "what is wrong with a request is said at its line",
    arguments: [
      (#"{ reply = "found" }"#, "invalid 'url': expected a text, got nothing"),
      (#"{ url = "ftp://example.org/", reply = "found" }"#, "expected an http or https URL, got 'ftp'"),
      (#"{ url = "no url", reply = "found" }"#, "expected an http or https URL, got something else"),
      (#"{ url = "https://example.org/", reply = "fuond" }"#, "'fuond'; did you mean 'found'?"),
      (
        #"{ url = "https://example.org/", reply = "found", json = {}, text = "x" }"#,
        "no other body beside 'json'"
      ),
      (#"{ url = "https://example.org/", reply = "found", method = "BREW" }"#, "invalid 'method'"),
      (#"{ url = "https://example.org/", reply = "found", retry = 3 }"#, "unknown option 'retry'"),
    ])
  func faults(options: String, expected: String) async throws {
    let script = """
      local M = { on = {}, actions = { found = function() end } }
      function M.on.ask() effect.http \(options) end
      return M
      """
    let (_, text) = try await TestFolder().run(
      TestFolder.test("t.receive(\"ask\", {})\nt.error(\"alert.lua:2: effect.http: \")"), script: script)
    let (_, failing) = try await TestFolder().run(
      TestFolder.test("t.receive(\"ask\", {})\nt.nothing()"), script: script)
    #expect(text.contains("1 passed"), "\(text)")
    #expect(failing.contains(expected), "\(failing)")
  }

  @Test("requests that wait for their replies are bounded")
  func bounded() async throws {
    try await passes(
      """
        t.receive("ask", {})
        for i = 1, 1000 do t.effect { method = "GET" } end
        t.receive("ask", {})  t.error("more than 1000 requests wait for their replies")
      """,
      script: """
        local M = { on = {}, actions = { found = function() end } }
        function M.on.ask() for i = 1, 1000 do effect.http { url = "https://example.org/", reply = "found" } end end
        return M
        """)
  }
}
