import Scripting
import Testing

@testable import Pipeline

@Suite("Secrets")
struct SecretTests {
  @Test("A secret is never printed, whichever way it is asked")
  func neverPrinted() throws {
    let secret = try #require(DemoSource.read(["token": "hunter2"]).fields?.secret("token"))
    var dumped = ""
    dump(secret, to: &dumped)
    dump(["a": secret], to: &dumped)
    let texts = [
      "\(secret)", String(reflecting: secret), "\([secret])", dumped, "\(Optional(secret) as Any)",
    ]
    #expect(texts.allSatisfy { !$0.contains("hunter2") })
    #expect("\(secret)" == "<secret>")
    #expect(try secret.resolve { _ in nil } == "hunter2")
  }

  @Test("A variable is read when the secret is used, not when the configuration is read")
  func lateResolution() throws {
    let secret = try #require(DemoSource.read(["token": DemoSource.env("TOKEN")]).fields?.secret("token"))
    #expect(try secret.resolve { $0 == "TOKEN" ? "first" : nil } == "first")
    #expect(try secret.resolve { $0 == "TOKEN" ? "second" : nil } == "second")
  }

  @Test("A variable that isn't set is named with its place", arguments: [nil, ""])
  func unset(text: String?) throws {
    let secret = try #require(DemoSource.read(["token": DemoSource.env("TOKEN")]).fields?.secret("token"))
    let error = #expect(throws: SecretError.self) { try secret.resolve { _ in text } }
    #expect(
      error?.description
        == "config.lua:14: sources.btc.token: the environment variable TOKEN is not set; set it before the start"
    )
  }

  @Test("A variable that should hold a URL is checked when it is used, and not printed")
  func variableWithURL() throws {
    let secret = try #require(DemoSource.read(["url": DemoSource.env("FEED")]).fields?.secret("url"))
    #expect(try secret.resolve { _ in "wss://u:p@example.org" } == "wss://u:p@example.org")
    let error = #expect(throws: SecretError.self) { try secret.resolve { _ in "http://hunter2" } }
    #expect(error?.description.contains("hunter2") == false)
    #expect(
      error?.description.contains("expected a ws:// or wss:// URL in the environment variable FEED") == true)
  }

  @Test("A secret in the wrong shape is not printed either")
  func wrongShape() {
    let findings = DemoSource.read(["token": ["hunter2"], "headers": ["X": 4_711]]).findings.joined()
    #expect(!findings.contains("hunter2") && !findings.contains("4711"))
  }

  @Test("User, password and query of a wrong URL are not printed")
  func redactedURL() {
    let findings = DemoSource.read(["url": "http://me:hunter2@example.org/feed?key=hunter3"]).findings
    #expect(
      findings == [
        "config.lua:12: sources.btc.url: expected a ws:// or wss:// URL, got \"http://…@example.org/feed?…\""
      ])
  }

  @Test("Variables inside a message are filled in when it is sent, and print as their names")
  func messages() throws {
    let login: Value = ["op": "login", "args": [DemoSource.env("TOKEN")]]
    let message = try #require(DemoSource.read(["open": [login]]).fields?.messages("open").first)
    #expect("\(message)" == "{ args = { env \"TOKEN\" }, op = \"login\" }")
    #expect(try message.resolve { _ in "hunter2" } == ["op": "login", "args": ["hunter2"]])
    #expect(try message.text { _ in "hunter2" } == "{\"args\":[\"hunter2\"],\"op\":\"login\"}")
    #expect(try MessageTemplate("hello").text { _ in nil } == "hello")
    let error = #expect(throws: SecretError.self) { try message.resolve { _ in nil } }
    #expect(error?.finding.place.description == "config.lua:14: sources.btc.open[1].args[1]")
  }

  @Test("The process environment gives a variable that every process has, and nil for others")
  func processEnvironment() {
    #expect(ProcessEnvironment.value(of: "PATH")?.isEmpty == false)
    #expect(ProcessEnvironment.value(of: "NO_SUCH_VARIABLE_OF_PIPELINE") == nil)
  }
}
