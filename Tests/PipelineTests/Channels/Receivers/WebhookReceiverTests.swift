import Glibc
import HTTP
import Scripting
import TestPeers
import Testing

@testable import Pipeline

@Suite(
  "A webhook with a real receiver",
  .enabled(if: PythonServer.isAvailable, Comment(rawValue: PythonServer.reason)))
struct WebhookReceiverTests {
  private func outcome(_ url: String, _ options: [String: Value] = [:]) async throws -> DeliveryOutcome {
    let options = options.merging(["url": .text(url)]) { given, _ in given }
    return try await ConfiguredChannel.make(WebhookSettings.self, options).deliver(.sample(), id: "1-phone")
  }

  @Test("the alert arrives as JSON, with its id as the Idempotency-Key and the same at a repeat")
  func delivered() async throws {
    let receiver = try Receiver("webhook-delivered")
    let channel = try ConfiguredChannel.make(
      WebhookSettings.self, ["url": .text(try receiver.url("/sequence?codes=500,200")), "method": "PUT"])
    #expect(
      await channel.deliver(.sample(labels: ["market": "spot"]), id: "1-phone")
        == .retry(after: nil, reason: "\(try receiver.origin()) answered 500"))
    #expect(await channel.deliver(.sample(labels: ["market": "spot"]), id: "1-phone") == .delivered)
    let requests = try await receiver.requests()
    #expect(requests.count == 2 && requests[0] == requests[1])
    let request = try #require(requests.first)
    #expect(request["method"] == "PUT")
    #expect(request["headers"]?["idempotency-key"] == "1-phone")
    #expect(request["headers"]?["content-type"] == "application/json")
    #expect(
      request["body"]?.text
        == #"{"time":"2026-01-01T00:00:00.000Z","kind":"firing","severity":"warning","script":"prices","#
        + #""name":"over level","key":"btc","text":"bitcoin at 70010.00","value":70010.0,"#
        + #""labels":{"market":"spot"},"id":"1-phone"}"#)
  }

  @Test("headers are sent, those from the environment too, and may name another type of content")
  func headers() async throws {
    let receiver = try Receiver("webhook-headers")
    // PATH is the one variable that every test process has.
    let outcome = try await outcome(
      try receiver.url("/status/204"),
      ["headers": ["X-Path": ["$env": "PATH", "$line": 1], "content-type": "application/vnd.x+json"]])
    #expect(outcome == .delivered)
    let headers = try await receiver.requests().first?["headers"]
    #expect(headers?["x-path"]?.text == ProcessEnvironment.value(of: "PATH"))
    #expect(headers?["content-type"] == "application/vnd.x+json")
  }

  @Test(
    "429 and 5xx are worth another attempt, not before the time that is asked for",
    arguments: [
      (429, "7", Milliseconds.seconds(7)), (503, "120", .seconds(120)), (429, "0.65", .seconds(1)),
      (429, "", nil), (429, "soon", nil), (500, "", nil), (502, "", nil), (429, "0", .zero),
    ])
  func retry(code: Int, retryAfter: String, wait: Milliseconds?) async throws {
    let receiver = try Receiver("webhook-retry")
    let outcome = try await outcome(try receiver.url("/status/\(code)?Retry-After=\(retryAfter)&body=busy"))
    #expect(outcome == .retry(after: wait, reason: "\(try receiver.origin()) answered \(code): busy"))
  }

  @Test("a date is taken by the receiver's own clock, in each of HTTP's forms")
  func dates() async throws {
    let receiver = try Receiver("webhook-dates")
    let forms = [
      "Thu, 01 Jan 2026 00:01:30 GMT", "Thursday, 01-Jan-26 00:01:30 GMT", "Thu Jan  1 00:01:30 2026",
      "1767225690", "1767225690000",
    ]
    for form in forms {
      let asked = form.replacing(" ", with: "%20").replacing(",", with: "%2C")
      let outcome = try await outcome(
        try receiver.url("/status/429?Date=Thu,%2001%20Jan%202026%2000:00:00%20GMT&Retry-After=\(asked)"))
      #expect(outcome == .retry(after: .seconds(90), reason: "\(try receiver.origin()) answered 429"))
    }
  }

  @Test("any other answer is a dead letter with the receiver's reason", arguments: [301, 400, 401, 404, 410])
  func refused(code: Int) async throws {
    let receiver = try Receiver("webhook-refused")
    guard
      case .failed(let reason) = try await outcome(try receiver.url("/status/\(code)?body=no%0Asuch%20thing"))
    else {
      Issue.record("\(code) is not a dead letter")
      return
    }
    #expect(reason.hasPrefix("\(try receiver.origin()) answered \(code)"))
    #expect(reason.hasSuffix(": no such thing"))
    #expect(reason.contains("write the URL it leads to") == (code == 301))
  }

  @Test("a receiver that is slow, resets or isn't there is tried again, with the cause")
  func unreachable() async throws {
    let receiver = try Receiver("webhook-unreachable")
    let origin = try receiver.origin()
    #expect(
      try await outcome(try receiver.url("/slow"), ["timeout": "100ms"])
        == .retry(after: nil, reason: "no answer from \(origin) within 100 ms"))
    guard case .retry(nil, let reset) = try await outcome(try receiver.url("/reset")) else {
      Issue.record("a reset is not tried again")
      return
    }
    #expect(reset.hasPrefix("the connection to \(origin) broke: "))
    #expect(
      try await outcome("http://127.0.0.1:1/secret")
        == .retry(
          after: nil, reason: "cannot connect to http://127.0.0.1:1 (port 1): Connection refused"))
  }

  @Test("an accepted alert is not sent again because the answer's body breaks off")
  func brokenBody() async throws {
    let receiver = try Receiver("webhook-half")
    #expect(try await outcome(try receiver.url("/half")) == .delivered)
  }

  @Test("a receiver is trusted by its certificate and host name, unless that is switched off")
  func certificates() async throws {
    let receiver = try Receiver("webhook-tls")
    let authority: [String: Value] = ["ca_file": .text(receiver.authority)]
    #expect(try await outcome(try receiver.url("/status/200", "https"), authority) == .delivered)
    for (site, options) in [("wrong", authority), ("https", [:])] {
      guard case .retry(nil, let reason) = try await outcome(try receiver.url("/status/200", site), options)
      else {
        Issue.record("a wrong certificate is no reason to try again")
        return
      }
      #expect(reason.hasPrefix("the certificate of \(try receiver.origin(site)) was refused"))
    }
    #expect(
      try await outcome(try receiver.url("/status/200", "wrong"), ["insecure_skip_verify": true])
        == .delivered)
    #expect(try await receiver.requests().count == 2)
  }

  @Test("what is secret stays out of reasons, even if the receiver repeats it")
  func secrets() async throws {
    let receiver = try Receiver("webhook-secrets")
    let outcome = try await outcome(
      try receiver.url("/status/403?body=token%20t0psecret%20is%20unknown"),
      ["headers": ["Authorization": "t0psecret"]])
    #expect(outcome == .failed(reason: "\(try receiver.origin()) answered 403: token … is unknown"))
  }

  @Test("a cancelled delivery ends at once and stays worth another attempt")
  func cancelled() async throws {
    let receiver = try Receiver("webhook-cancelled")
    let channel = try ConfiguredChannel.make(
      WebhookSettings.self, ["url": .text(try receiver.url("/slow")), "timeout": "10m"])
    let delivery = Task { await channel.deliver(.sample(), id: "1-phone") }
    while try await receiver.requests().isEmpty { await Task.yield() }
    delivery.cancel()
    #expect(await delivery.value == .retry(after: nil, reason: "the attempt was cancelled"))
  }
}
