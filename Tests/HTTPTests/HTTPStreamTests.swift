import Composable
import Glibc
import TestPeers
import Testing

@testable import HTTP

@Suite(
  "Streams against a real server",
  .enabled(if: PythonServer.isAvailable, Comment(rawValue: PythonServer.reason)))
struct HTTPStreamTests {
  private struct Sink: HTTPStreamSink {
    var status = 0
    var headCount = 0
    var body: [UInt8] = []
    var pieceCount = 0
    var isFinished = false
    var failure: TransferFailure?

    var isOver: Bool { isFinished || failure != nil }

    mutating func answered(status: Int, headers: [HTTPClient.Field]) {
      self.status = status
      headCount += 1
    }

    mutating func received(_ piece: UnsafeRawBufferPointer) {
      body += piece
      pieceCount += 1
    }

    mutating func finished() { isFinished = true }

    mutating func failed(_ failure: TransferFailure) { self.failure = failure }
  }

  private let server: PythonServer

  init() throws { server = try PythonServer.http() }

  private func url(_ path: String, _ name: String = "http") throws -> String {
    "\(name == "https" || name == "wrong" ? "https" : "http")://127.0.0.1:\(try server.port(name))\(path)"
  }

  private func stream() throws -> HTTPStream {
    var options = HTTPTransport.Options()
    options.tls.authoritiesFile = server.certificates.authority
    return try HTTPStream(options: options)
  }

  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// Works as an owner does, until the answer is over or a condition holds.
  private func answer(
    _ stream: HTTPStream, _ request: HTTPClient.Request, until isEnough: (Sink) -> Bool = { _ in false }
  ) throws -> Sink {
    try stream.start(request)
    var sink = Sink()
    while !sink.isOver, !isEnough(sink) {
      let due = stream.nextDeadline.map { $0 > Self.now() ? ($0 - Self.now()) / 1_000_000 + 1 : 0 }
      var watched = pollfd(fd: stream.fileDescriptor, events: Int16(POLLIN), revents: 0)
      let woken = poll(&watched, 1, Int32(clamping: min(due ?? 20_000, 20_000)))
      if woken == 0, due == nil {
        Issue.record("nothing came within 20 s")
        break
      }
      stream.process(now: Self.now(), into: &sink)
    }
    return sink
  }

  @Test(
    "an answer comes whole, over TLS or not, and its connection serves the next",
    arguments: ["http", "https"])
  func whole(name: String) throws {
    let stream = try stream()
    for size in [10, 3 << 20] {
      let sink = try answer(stream, HTTPClient.Request(url("/big?size=\(size)", name)))
      #expect(sink.status == 200 && sink.isFinished && sink.headCount == 1)
      #expect(sink.body == [UInt8](repeating: UInt8(ascii: "x"), count: size))
      #expect(!stream.isActive)
    }
  }

  @Test("what is sent now and then is handed on as it comes")
  func trickle() throws {
    let stream = try stream()
    let sink = try answer(stream, HTTPClient.Request(url("/trickle"))) { $0.pieceCount >= 5 }
    #expect(sink.status == 200 && !sink.isOver && sink.body.allSatisfy { $0 == UInt8(ascii: ".") })
    #expect(stream.isActive)
    stream.cancel()
    #expect(!stream.isActive && stream.nextDeadline == nil)
  }

  @Test("a redirect is followed, its own answer nobody's")
  func redirect() throws {
    let target = try url("/status/200?body=there")
    let sink = try answer(try stream(), HTTPClient.Request(url("/redirect?to=\(target)")))
    #expect(sink.headCount == 1 && sink.status == 200 && sink.isFinished)
    let posted = try answer(
      try stream(), HTTPClient.Request(url("/redirect?to=\(target)"), method: "POST", body: [1]))
    #expect(posted.headCount == 1 && posted.status == 302 && posted.isFinished)
    let round = try answer(try stream(), HTTPClient.Request(url("/redirect?to=/redirect?to=/redirect")))
    #expect(round.isOver)
  }

  @Test("an answer without a body has its head, and one of 304 is an answer")
  func empty() throws {
    for status in [204, 304, 503] {
      let sink = try answer(try stream(), HTTPClient.Request(url("/status/\(status)")))
      #expect(sink.status == status && sink.isFinished && sink.body.isEmpty)
    }
  }

  @Test("failures say where and why")
  func failures() throws {
    let half = try answer(try stream(), HTTPClient.Request(url("/half")))
    #expect(half.body == Array("ten bytes.".utf8) && half.failure?.kind == .dropped)
    let slow = try answer(
      try stream(), HTTPClient.Request(url("/slow?log=stream"), timeout: .milliseconds(50)))
    #expect(slow.failure?.kind == .timeout)
    let wrong = try answer(try stream(), HTTPClient.Request(url("/echo", "wrong")))
    #expect(wrong.failure?.kind == .tls)
    #expect(throws: TransferFailure.self) { try stream().start(HTTPClient.Request("ftp://127.0.0.1/")) }
  }
}
