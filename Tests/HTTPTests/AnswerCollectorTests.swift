import Composable
import Testing

@testable import HTTP

@Suite("Collecting an answer")
struct AnswerCollectorTests {
  private func collector(_ lines: [String], maximumBodyBytes: Int = 10) -> AnswerCollector {
    let collector = AnswerCollector(maximumBodyBytes: maximumBodyBytes)
    for line in lines {
      let isTaken = Array("\(line)\r\n".utf8).withUnsafeBytes { collector.add(headerLine: $0) }
      #expect(isTaken)
    }
    return collector
  }

  @Test("an interim answer is no answer, and its headers don't count")
  func interim() {
    let begun = collector(["HTTP/1.1 103 Early Hints", "Link: x", ""])
    #expect(!begun.hasHead)
    let whole = collector(["HTTP/1.1 103 Early Hints", "Link: x", "", "HTTP/2 200", "A:  b ", ""])
    #expect(whole.hasHead)
    #expect(whole.headers == [HTTPClient.Field("A", "b")])
  }

  @Test("a head is whole with its empty line")
  func head() {
    #expect(!collector(["HTTP/1.1 200 OK", "A: b"]).hasHead)
    #expect(collector(["HTTP/1.1 200 OK", "A: b", ""]).hasHead)
  }

  @Test("bytes beyond the bound are refused, those before are kept")
  func bound() {
    let collector = collector([])
    #expect(
      [1, 2, 3, 4, 5, 6, 7].withUnsafeBytes {
        collector.add(body: UnsafeRawBufferPointer(rebasing: $0[..<7]))
      })
    #expect(collector.body.count == 7 && !collector.isTooLarge)
    #expect(![UInt8](repeating: 1, count: 4).withUnsafeBytes { collector.add(body: $0) })
    #expect(collector.body.count == 7 && collector.isTooLarge)
  }
}
