import Composable
import HTTP
import Scripting
import Testing

@testable import Pipeline

@Suite("What an answer to a poll means")
struct PollMemoryTests {
  private let now = Timestamp(milliseconds: 1_767_225_600_000)

  private func take(
    _ memory: inout PollMemory, _ status: Int, _ body: String, _ headers: [(String, String)] = []
  ) -> PollMemory.Verdict {
    memory.take(
      status: status, headers: headers.map { HTTPClient.Field($0.0, $0.1) }, body: Array(body.utf8),
      from: "https://example.org", at: now)
  }

  private func end(_ verdict: PollMemory.Verdict) -> SourceMachine.End? {
    if case .failure(let end) = verdict { end } else { nil }
  }

  @Test("A body is a message when it differs from the one before")
  func unchanged() {
    var memory = PollMemory(sendsUnchanged: false)
    #expect(take(&memory, 200, "1") == .message)
    #expect(take(&memory, 200, "1") == .nothing)
    #expect(take(&memory, 200, "2") == .message)
    #expect(take(&memory, 200, "1") == .message)
    #expect(take(&memory, 200, "") == .nothing)
    #expect(take(&memory, 204, "") == .nothing)
    #expect(take(&memory, 200, "1") == .nothing)
  }

  @Test("Where it is wished for, each body is a message, and the server isn't asked for news only")
  func sent() {
    var memory = PollMemory(sendsUnchanged: true)
    #expect(take(&memory, 200, "1", [("ETag", "\"a\"")]) == .message)
    #expect(take(&memory, 200, "1") == .message)
    #expect(memory.conditions.isEmpty)
  }

  @Test("The marks of the last answer are sent back, and those of an earlier one no more")
  func conditions() {
    var memory = PollMemory(sendsUnchanged: false)
    #expect(memory.conditions.isEmpty)
    let date = "Thu, 01 Jan 2026 00:00:00 GMT"
    _ = take(&memory, 200, "1", [("etag", "W/\"a\""), ("last-modified", date)])
    let both = [HTTPClient.Field("If-None-Match", "W/\"a\""), HTTPClient.Field("If-Modified-Since", date)]
    #expect(memory.conditions == both)
    #expect(take(&memory, 304, "", [("ETag", "\"x\"")]) == .nothing)
    #expect(memory.conditions == both)
    _ = take(&memory, 503, "")
    #expect(memory.conditions == both)
    _ = take(&memory, 200, "2", [("ETag", "bad\u{7f}"), ("Last-Modified", "")])
    #expect(memory.conditions.isEmpty)
  }

  @Test(
    "Any other status is an end with its code, and says how long to wait",
    arguments: [
      (429, "30", 30_000), (503, "Thu, 01 Jan 2026 00:01:00 GMT", 60_000), (503, "1767225690", 90_000),
      (500, "", nil), (404, "", nil), (301, "", nil), (503, "soon", nil),
    ] as [(Int, String, Int64?)])
  func failures(status: Int, retryAfter: String, wait: Int64?) {
    var memory = PollMemory(sendsUnchanged: false)
    let end = end(take(&memory, status, "1", retryAfter.isEmpty ? [] : [("Retry-After", retryAfter)]))
    #expect(end?.code == status && end?.isPermanent == false)
    #expect(end?.retryAfter?.count == wait)
    #expect(end?.reason.hasPrefix("https://example.org answered \(status)") == true)
    #expect(end?.reason.contains("asks to wait") == (wait != nil))
  }
}
