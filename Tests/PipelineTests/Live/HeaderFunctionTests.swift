import Scripting
import Testing

@testable import Pipeline

@Suite("A function that makes the headers of each connection")
struct HeaderFunctionTests {
  private static let environment = ["TOKEN": "hunter2", "API_SECRET": "Jefe", "EMPTY": ""]

  /// The function of the source `feed` in a configuration.
  private func function(_ headers: String, before: String = "") throws -> HeaderFunction {
    let source = """
      \(before)
      return { sources = { feed = source.websocket { url = "wss://example.org", headers = \(headers) } } }
      """
    let registry = Registry.builtIn
    let file = ScriptFile(name: "c.lua", source: source)
    let (configuration, findings) = Configuration.read(
      try ConfigurationFile.evaluate(file, registry: registry), file: "c.lua", registry: registry,
      needsScripts: false, fileExists: { _ in true })
    let component = try #require(configuration?.sources["feed"], "\(findings)")
    let settings: any SourceSettings = try registry.make(component)
    let websocket = try #require(settings as? WebSocketSettings)
    return HeaderFunction(
      try #require(websocket.headersFunction), of: ConfigurationProgram(file: file, registry: registry),
      source: "feed", variables: RevealedVariables { Self.environment[$0] })
  }

  private func fields(_ function: HeaderFunction, connection: Int = 1) throws -> [String] {
    try function.fields(connection: connection, at: Timestamp(milliseconds: 1_700_000_000_123)).map {
      "\($0.name): \($0.value)"
    }
  }

  private func failure(_ headers: String) throws -> String {
    let function = try function(headers)
    do {
      return "no failure, but \(try fields(function))"
    } catch let failure as ScriptFailure {
      return failure.reason
    }
  }

  @Test("It is told the source, the number of the connection and the time, anew for each")
  func context() throws {
    let function = try function(
      "function(ctx) return { B = ctx.source .. ctx.connection, A = tostring(ctx.time), C = prefix } end",
      before: "local prefix = 'before'")
    #expect(try fields(function) == ["A: 1700000000123", "B: feed1", "C: before"])
    #expect(try fields(function, connection: 2) == ["A: 1700000000123", "B: feed2", "C: before"])
  }

  @Test("It reads environment variables, also those that stand around it, and signs with them")
  func signs() throws {
    let text = "what do ya want for nothing?"
    let function = try function(
      """
      function()
        return {
          ["X-Bearer"] = "Bearer " .. token, ["X-Plain"] = env "TOKEN",
          ["X-256"] = hmac.sha256(env "API_SECRET", "\(text)"),
          ["X-256-Base64"] = hmac.sha256(env "API_SECRET", "\(text)", "base64"),
          ["X-512"] = hmac.sha512(env "API_SECRET", "\(text)", "hex"),
        }
      end
      """, before: "local token = env 'TOKEN'")
    // RFC 4231 section 4.3.
    #expect(
      try fields(function) == [
        "X-256: 5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        "X-256-Base64: W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM=",
        "X-512: 164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fd"
          + "caeab1a34d4a6b4b636e070a38bce737",
        "X-Bearer: Bearer hunter2", "X-Plain: hunter2",
      ])
  }

  @Test("An empty table asks for no headers")
  func empty() throws { #expect(try fields(function("function() return {} end")) == []) }

  @Test("What it returns must be a table of texts, and is named with its place otherwise")
  func wrongResults() throws {
    let place = "the function for headers failed: c.lua:2: sources.feed.headers: "
    #expect(try failure("function() return 'x' end") == place + "expected a table of headers, got a text")
    #expect(try failure("function() end") == place + "expected a table of headers, got null")
    #expect(
      try failure("function() return { A = 1 } end")
        == place + "expected a text for the header \"A\", got an integer")
  }

  @Test(
    "A variable that is not set is named with its line, however it was used",
    arguments: [
      ("function() return { A = env 'MISSING' } end", "env: the environment variable MISSING is not set"),
      (
        "function() return { A = 'Bearer ' .. env 'EMPTY' } end",
        "env: the environment variable EMPTY is not set"
      ),
      (
        "function() return { A = hmac.sha256(env 'MISSING', 'x') } end",
        "env: the environment variable MISSING is not set"
      ),
    ])
  func unset(headers: String, reason: String) throws {
    #expect(
      try failure(headers) == "the function for headers failed: c.lua:2: \(reason); set it before the start")
  }

  @Test("One that was asked for around the function is named too")
  func unsetAround() throws {
    let function = try function(
      "function() return { A = 'Bearer ' .. token } end",
      before: "local token, other = env 'MISSING', env 'TOKEN'")
    let failure = #expect(throws: ScriptFailure.self) { try fields(function) }
    #expect(
      failure?.reason == "the function for headers failed: c.lua:2: attempt to concatenate a table value "
        + "(upvalue 'token'); not set in the environment: MISSING")
    let other = try self.function(
      "function() return { A = token } end", before: "local token = env 'MISSING'")
    let returned = #expect(throws: ScriptFailure.self) { try fields(other) }
    #expect(
      returned?.reason
        == "the function for headers failed: c.lua:2: sources.feed.headers: the environment variable MISSING is not set"
    )
  }

  @Test("A user and a password make a login in base64 (RFC 7617, section 2)")
  func basicLogin() throws {
    let function = try function(
      "function() return { Authorization = 'Basic ' .. base64.encode('Aladdin:open sesame') } end")
    #expect(try fields(function) == ["Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="])
  }

  @Test("An error in it tells the line, and never a variable that it has read")
  func redacts() throws {
    let text = try failure("function() error('no luck with ' .. env 'TOKEN') end")
    #expect(text.contains("c.lua:2:") && text.contains("no luck with <secret>"), "\(text)")
    #expect(!text.contains("hunter2"))
  }

  @Test("One that does not end is ended, and the next connection calls it again")
  func endless() throws {
    let function = try function(
      "function(ctx) while ctx.connection == 1 do end return { A = 'now' } end")
    #expect(throws: ScriptFailure.self) { try fields(function) }
    #expect(try fields(function, connection: 2) == ["A: now"])
  }

  @Test("Outside of such a function there is no text to sign with")
  func signsNothingElsewhere() throws {
    #expect(throws: ScriptFailure.self) {
      try function("{}", before: "local x = hmac.sha256(env 'API_SECRET', 'x')")
    }
  }
}
