import Composable
import TestPeers
import Testing

@testable import HTTP

@Suite(
  "HTTP against a real server", .enabled(if: PythonServer.isAvailable, Comment(rawValue: PythonServer.reason))
)
struct HTTPTransportTests {
  private let server: PythonServer
  private let loop = TransferLoop()

  init() throws { server = try PythonServer.http() }

  private func url(_ path: String, _ name: String = "http") throws -> String {
    "\(name == "https" || name == "wrong" ? "https" : "http")://127.0.0.1:\(try server.port(name))\(path)"
  }

  private func transport(_ change: (inout HTTPTransport.Options) -> Void = { _ in }) -> HTTPTransport {
    var options = HTTPTransport.Options()
    options.tls.authoritiesFile = server.certificates.authority
    change(&options)
    return HTTPTransport(loop, options: options)
  }

  /// The failure of a request, which must have one.
  private func failure(
    _ request: HTTPClient.Request, _ change: (inout HTTPTransport.Options) -> Void = { _ in }
  ) async -> TransferFailure? {
    await #expect(throws: TransferFailure.self) { try await transport(change).send(request) }
  }

  private func text(_ response: HTTPClient.Response) -> String {
    String(decoding: response.body, as: UTF8.self)
  }

  // MARK: Requests and answers

  @Test("method, headers and body arrive as they were given", arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func request(method: String) async throws {
    let response = try await transport().send(
      HTTPClient.Request(
        try url("/echo"), method: method,
        headers: [HTTPClient.Field("Content-Type", "application/json"), HTTPClient.Field("X-Empty", "")],
        body: Array(#"{"a":"é"}"#.utf8)))
    #expect(response.status == 200)
    #expect(response.header("content-type") == "application/json; charset=utf-8")
    let echo = text(response)
    #expect(echo.contains("\"method\": \"\(method)\""))
    #expect(echo.contains(#""Content-Type": "application/json""#))
    #expect(echo.contains(#""X-Empty": """#))
    #expect(echo.contains(#""body": "{\"a\":\"\u00e9\"}""#))
    #expect(echo.contains(#""User-Agent": "pipeline""#))
    #expect(!echo.contains("Expect"))
  }

  @Test("a request without a body sends none, and calls it nothing")
  func noBody() async throws {
    let echo = text(try await transport().send(HTTPClient.Request(try url("/echo"))))
    #expect(echo.contains(#""method": "GET""#) && echo.contains(#""body": """#))
    #expect(!echo.contains("Content-Type") && !echo.contains("Content-Length"))
    let head = try await transport().send(HTTPClient.Request(try url("/big?size=10"), method: "HEAD"))
    #expect(head.status == 200 && head.body.isEmpty && head.header("Content-Length") == "10")
  }

  @Test("every status is an answer", arguments: [200, 204, 404, 429, 500, 503])
  func status(code: Int) async throws {
    let path = "/status/\(code)?Retry-After=30&body=\(code == 204 ? "" : "why")"
    let response = try await transport().send(HTTPClient.Request(try url(path)))
    #expect(response.status == code)
    #expect(response.header("retry-after") == "30")
    #expect(text(response) == (code == 204 ? "" : "why"))
  }

  @Test("requests that run together each get their own answer")
  func together() async throws {
    let transport = transport()
    let base = try url("/status/200?body=")
    let bodies = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for number in 0..<40 {
        group.addTask {
          let response = try await transport.send(HTTPClient.Request("\(base)\(number)"))
          return (number, String(decoding: response.body, as: UTF8.self))
        }
      }
      return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    #expect(bodies == Dictionary(uniqueKeysWithValues: (0..<40).map { ($0, "\($0)") }))
  }

  // MARK: Bounds

  @Test("an answer up to the bound is taken, and one byte more refused")
  func responseBound() async throws {
    let transport = transport { $0.maximumResponseBytes = 1_000 }
    let response = try await transport.send(HTTPClient.Request(try url("/big?size=1000")))
    #expect(response.body.count == 1_000)
    let failure = await failure(HTTPClient.Request(try url("/big?size=1001"))) {
      $0.maximumResponseBytes = 1_000
    }
    #expect(failure?.kind == .tooLarge)
    #expect(failure?.description.contains("is larger than 1000 bytes") == true)
    #expect(await self.failure(HTTPClient.Request(try url("/big-head")))?.kind == .tooLarge)
  }

  @Test(
    "where only the acceptance counts, an answer stands whatever becomes of its body",
    arguments: ["/big?size=100000", "/half", "/trickle"])
  func cutBody(path: String) async throws {
    let response = try await transport {
      $0.maximumResponseBytes = 1_000
      $0.cutsLongBodies = true
    }.send(HTTPClient.Request(try url(path), timeout: .milliseconds(500)))
    #expect(response.status == 200 && response.body.count <= 1_000)
  }

  @Test("a body beyond the bound is not sent")
  func requestBound() async throws {
    let origin = try url("")
    let failure = await failure(
      HTTPClient.Request("\(origin)/echo", method: "POST", body: [UInt8](repeating: 0x78, count: 101))
    ) { $0.maximumRequestBytes = 100 }
    #expect(
      failure == TransferFailure(.invalid, "the body for \(origin) has 101 bytes, more than 100"))
  }

  @Test(
    "an answer that doesn't come, or not completely, ends with the time-out",
    arguments: ["/slow", "/trickle"])
  func timeout(path: String) async throws {
    let origin = try url("")
    let failure = await failure(
      HTTPClient.Request("\(origin)\(path)?log=timeout", timeout: .milliseconds(200)))
    #expect(failure == TransferFailure(.timeout, "no answer from \(origin) within 200 ms"))
  }

  @Test("a cancelled request ends at once, and the server sees the connection go")
  func cancel() async throws {
    let transport = transport()
    let slow = try url("/slow?log=cancel")
    let task = Task { try await transport.send(HTTPClient.Request(slow, timeout: .seconds(3_000))) }
    // The request has arrived when its log is there.
    let log = HTTPClient.Request(try url("/log?of=cancel"))
    while text(try await transport.send(log)) == "[]" { await Task.yield() }
    // A program started meanwhile must not hold the connection open.
    let child = try ChildProcess(["cat"])
    defer { child.end() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let gone = try await transport.send(HTTPClient.Request(try url("/gone?of=cancel")))
    #expect(text(gone) == "gone")
  }

  @Test("a request of a task that is cancelled already doesn't begin")
  func cancelledBefore() async throws {
    let transport = transport()
    let slow = try url("/slow?log=cancelled-before")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(HTTPClient.Request(slow, timeout: .seconds(3_000)))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  // MARK: Failures

  @Test("a reset and an answer cut short are told", arguments: ["/reset", "/half"])
  func broken(path: String) async throws {
    let origin = try url("")
    let failure = await failure(HTTPClient.Request("\(origin)\(path)"))
    #expect(failure?.kind == .dropped)
    #expect(failure?.description.hasPrefix("the connection to \(origin) broke: ") == true)
  }

  @Test("nobody at the port, and a name that doesn't exist")
  func unreachable() async throws {
    let refused = await failure(HTTPClient.Request("http://127.0.0.1:1/x"))
    #expect(
      refused
        == TransferFailure(.connect, "cannot connect to http://127.0.0.1:1 (port 1): Connection refused"))
    let unknown = await failure(HTTPClient.Request("http://nowhere.invalid/x"))
    #expect(unknown?.kind == .nameResolution)
    #expect(unknown?.description.hasPrefix("cannot resolve the name nowhere.invalid of http://") == true)
  }

  @Test("a certificate is checked, its host name too, unless that is switched off")
  func certificates() async throws {
    #expect(try await transport().send(HTTPClient.Request(try url("/status/200", "https"))).status == 200)
    let wrong = HTTPClient.Request(try url("/status/200", "wrong"))
    let wrongName = await failure(wrong)
    #expect(wrongName?.kind == .tls)
    #expect(wrongName?.description.contains("check the host name and ca_file") == true)
    let unknown = await failure(HTTPClient.Request(try url("/status/200", "https"))) {
      $0.tls.authoritiesFile = nil
    }
    #expect(unknown?.kind == .tls)
    #expect(try await transport { $0.tls.isVerified = false }.send(wrong).status == 200)
    let plain = await failure(
      HTTPClient.Request("https://127.0.0.1:\(try server.port("http"))/status/200"))
    #expect(plain?.kind == .tls)
    #expect(plain?.description.hasSuffix("the port may not speak TLS") == true)
  }

  @Test(
    "what can't be asked is refused before anything is sent",
    arguments: [
      HTTPClient.Request("file:///etc/passwd"), HTTPClient.Request("ftp://127.0.0.1/x"),
      HTTPClient.Request("no url"), HTTPClient.Request(""),
      HTTPClient.Request("http://127.0.0.1/", method: "GET /x"),
      HTTPClient.Request("http://127.0.0.1/", headers: [HTTPClient.Field("a b", "x")]),
      HTTPClient.Request("http://127.0.0.1/", headers: [HTTPClient.Field("a", "x\r\nb: y")]),
    ])
  func invalid(request: HTTPClient.Request) async {
    #expect(await failure(request)?.kind == .invalid)
  }

  @Test("no error shows what may be secret")
  func secrets() async throws {
    let port = try server.port("http")
    let secret = "s3cr3t"
    let requests = [
      HTTPClient.Request("http://ann:\(secret)@127.0.0.1:1/\(secret)?key=\(secret)"),
      HTTPClient.Request("http://ann:\(secret)@127.0.0.1:\(port)/reset?key=\(secret)"),
      HTTPClient.Request("http://127.0.0.1:\(port)/redirect?to=ftp://\(secret)/"),
      HTTPClient.Request("http://127.0.0.1:\(port)/slow?log=\(secret)", timeout: .milliseconds(50)),
      HTTPClient.Request("https://127.0.0.1:\(port)/\(secret)"),
      HTTPClient.Request("http://127.0.0.1/", headers: [HTTPClient.Field("a", "\(secret)\n")]),
      HTTPClient.Request("gopher://\(secret)/"), HTTPClient.Request("http:// \(secret)"),
    ]
    for request in requests {
      let failure = await failure(request)
      // The new host of a redirect is the only thing that a server may put there.
      guard failure?.kind != .redirect, request.url.hasPrefix("http") else { continue }
      #expect(failure?.description.contains(secret) == false)
    }
  }

  // MARK: Redirects

  @Test("a GET follows redirects, relative ones too, up to the bound")
  func redirects() async throws {
    let two = "/redirect?to=/redirect%3Fto%3D/status/200%253Fbody%253Dhere"
    let response = try await transport().send(HTTPClient.Request(try url(two)))
    #expect(response.status == 200 && text(response) == "here")
    let failure = await failure(HTTPClient.Request(try url(two))) { $0.maximumRedirects = 1 }
    #expect(failure?.kind == .redirect)
  }

  @Test("no redirect leads to another scheme", arguments: ["https", "ftp", "file"])
  func otherScheme(scheme: String) async throws {
    let target = scheme == "file" ? "file:///etc/passwd" : "\(scheme)://127.0.0.1/"
    let failure = await failure(HTTPClient.Request(try url("/redirect?to=\(target)")))
    #expect(failure?.kind == .redirect)
  }

  @Test("another origin gets none of the request's headers but Accept")
  func otherOrigin() async throws {
    let headers = [
      HTTPClient.Field("Authorization", "Bearer x"), HTTPClient.Field("X-Key", "x"),
      HTTPClient.Field("Accept", "text/plain"),
    ]
    let other = try url("/echo", "other")
    let elsewhere = text(
      try await transport().send(HTTPClient.Request(try url("/redirect?to=\(other)"), headers: headers)))
    #expect(elsewhere.contains("text/plain"))
    #expect(!elsewhere.contains("Bearer") && !elsewhere.contains("X-Key"))
    let same = text(
      try await transport().send(HTTPClient.Request(try url("/redirect?to=/echo"), headers: headers)))
    #expect(same.contains("Bearer x") && same.contains("X-Key"))
  }

  @Test("a POST is sent again only to its own origin and as a POST", arguments: [301, 302, 303, 307, 308])
  func postRedirect(code: Int) async throws {
    let body = Array("once".utf8)
    let response = try await transport().send(
      HTTPClient.Request(try url("/redirect?code=\(code)&to=/echo"), method: "POST", body: body))
    if code < 307 {
      #expect(response.status == code)
    } else {
      #expect(text(response).contains(#""method": "POST""#) && text(response).contains(#""body": "once""#))
    }
    let other = try url("/echo", "other")
    let away = try await transport().send(
      HTTPClient.Request(try url("/redirect?code=\(code)&to=\(other)"), method: "POST", body: body))
    #expect(away.status == code)
  }
}
