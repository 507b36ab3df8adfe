import Scripting
import Testing

@testable import Pipeline

@Suite("What one connection of a source means")
struct TrialFindingsTests {
  private func steps(
    kind: String = "source.websocket", noticesSilence: Bool = true,
    _ change: (inout SourceTrial.Outcome) -> Void
  ) -> [Examination.Step] {
    var outcome = SourceTrial.Outcome()
    change(&outcome)
    return TrialFindings(
      outcome: outcome, kind: kind, limit: .seconds(10), noticesSilence: noticesSilence
    ).steps
  }

  @Test func `a first message is told with its size, topic and delay`() {
    let steps = steps { outcome in
      outcome.connected = Milliseconds(40)
      outcome.firstMessage = Milliseconds(65)
      outcome.message = (bytes: 230, topic: "trades", fault: nil)
    }
    #expect(steps.map(\.outcome) == [.ok, .ok])
    #expect(steps[0].name == "upgrade")
    #expect(steps[1].finding == "230 bytes, topic trades, 25 ms after the opening")
  }

  @Test func `a message that can't be decoded is a failure with the reason`() {
    let steps = steps { outcome in
      outcome.connected = Milliseconds(40)
      outcome.firstMessage = Milliseconds(65)
      outcome.message = (bytes: 3, topic: "", fault: "bad JSON at offset 0")
      outcome.notices = ["a message can't be decoded: bad JSON at offset 0"]
    }
    #expect(steps.map(\.outcome) == [.ok, .failed])
    #expect(steps[1].finding.contains("bad JSON at offset 0"))
  }

  @Test func `silence is a failure, and says so where nobody would notice it`() {
    let watched = steps { $0.connected = Milliseconds(1) }
    #expect(watched.map(\.outcome) == [.ok, .failed])
    #expect(watched[1].advice?.contains("stale_after") == false)
    let unwatched = steps(noticesSilence: false) { $0.connected = Milliseconds(1) }
    #expect(unwatched[1].advice?.contains("stale_after") == true)
  }

  @Test(
    "a refusal has its advice",
    arguments: [
      (429, "answered 429; it asks to wait 30 s", "wait 30 s before"), (429, "answered 429", "some minutes"),
      (401, "answered 401", "token"), (404, "answered 404", "path"),
      (502, "answered 502", "server's own fault"),
      (5, "refused the client", "username"),
      (1006, "no connection to ws://a within 10 s: the answer to the upgrade had not come", "says nothing"),
    ])
  func refusals(code: Int, reason: String, advice: String) {
    let steps = steps { $0.end = (code, reason) }
    #expect(steps.count == 1 && steps[0].outcome == .failed && steps[0].finding == reason)
    #expect(steps[0].advice?.contains(advice) == true, "\(steps[0].advice ?? "none")")
  }

  @Test func `an end before the first message is its failure, and an empty input none`() {
    let cut = steps { outcome in
      outcome.connected = Milliseconds(1)
      outcome.end = (1006, "the connection broke")
    }
    #expect(cut[1].outcome == .failed && cut[1].finding == "before one came: the connection broke")
    let empty = steps(kind: "source.file") { outcome in
      outcome.connected = Milliseconds(1)
      outcome.end = (1000, "the input has ended")
    }
    #expect(empty.map(\.outcome) == [.ok, .ok])
  }

  @Test func `what a source complains about stands in between`() {
    let steps = steps(kind: "source.mqtt") { outcome in
      outcome.connected = Milliseconds(1)
      outcome.notices = ["the broker refused the subscription to \"a/#\"", "disconnected (1006): x"]
    }
    #expect(steps.map(\.name) == ["welcome", "notice", "first message"])
  }

  @Test func `the table keeps its columns, wraps long cells, and sets advice below`() {
    let examinations = [
      Examination(
        source: "btc", kind: "source.websocket",
        steps: [
          .init("name", .ok, "example.org: 192.0.2.1", time: Milliseconds(12)),
          .init(
            "TLS", .failed, "the certificate has expired", advice: String(repeating: "word ", count: 30)),
        ]), Examination(source: "in", kind: "source.stdin", steps: [.init("opening", .skipped, "later")]),
    ]
    let lines = Examination.table(examinations).split(separator: "\n")
    #expect(lines[0] == "source  step     result   time  finding")
    #expect(lines[1] == "btc     name     ok       12ms  example.org: 192.0.2.1")
    #expect(lines[2] == "        TLS      FAILED         the certificate has expired")
    #expect(lines[3].hasPrefix("                                → word word"))
    #expect(lines.last == "in      opening  skipped        later")
    #expect(lines.allSatisfy { $0.count <= 110 })
    #expect(examinations[0].isFailure && !examinations[1].isFailure)
    #expect(examinations[0].lines[1]["advice"]?.text?.hasPrefix("word") == true)
  }
}
