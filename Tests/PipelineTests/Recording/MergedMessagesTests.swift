import Scripting
import Testing

@testable import Pipeline

@Suite struct MergedMessagesTests {
  /// Messages of sources, with their number as time.
  private func messages(_ texts: (source: Int, text: String)...) -> MergedMessages {
    let messages = MergedMessages()
    for (number, (source, text)) in texts.enumerated() {
      Array(text.utf8).withUnsafeBytes {
        messages.append($0, RecordedEntry(time: Int64(number), source: source, message: $0))
      }
    }
    messages.finish()
    return messages
  }

  private func words(_ messages: MergedMessages) -> [String] {
    messages.runs.flatMap { run in
      run.range.map {
        "\(run.source) \(String(decoding: messages.batch(of: run.source).bytes(at: $0), as: UTF8.self))"
      }
    }
  }

  @Test func `a copy without some sources keeps the order and the times`() {
    let all = messages((1, "1"), (0, "2"), (0, "3"), (2, "4"), (0, "5"), (1, "6"))
    let copy = messages((3, "of before"))
    copy.copy(all, without: [1, 2])
    #expect(words(copy) == ["0 2", "0 3", "0 5"])
    #expect(copy.runs.count == 1)
    #expect(copy.sources == [0])
    #expect((copy.count, copy.first, copy.last) == (6, 0, 5))
    copy.copy(all, without: [])
    #expect(words(copy) == words(all))
    #expect(copy.byteCount == all.byteCount)
    copy.copy(all, without: [0, 1, 2])
    #expect(copy.sources.isEmpty)
    #expect(copy.last == 5)
  }

  @Test func `a copy of what was decoded is decoded, and changes alone`() {
    let all = messages((0, #"{"p":"1.5"}"#), (0, #"{"p":"2.5"}"#))
    #expect(all.batch(of: 0).decode() == 0)
    let copy = MergedMessages()
    copy.copy(all, without: [])
    let batch = copy.batch(of: 0)
    #expect(batch.value(at: 1) == ["p": "2.5"])
    batch.makeNumbers(of: FieldPath("p"), at: 1)
    batch.skip(at: 0)
    #expect(batch.decode() == 0)
    #expect(batch.value(at: 1) == ["p": .number(2.5)])
    #expect(all.batch(of: 0).value(at: 1) == ["p": "2.5"])
    #expect(!all.batch(of: 0).isSkipped(at: 0))
  }

  @Test func `faults of a copy are found anew`() {
    let all = messages((0, "{broken"), (0, "2"), (0, "[3"))
    #expect(all.batch(of: 0).decode() == 2)
    let copy = MergedMessages()
    copy.copy(all, without: [])
    let batch = copy.batch(of: 0)
    #expect(batch.decode() == 2)
    #expect(batch.fault(at: 0)?.reason == all.batch(of: 0).fault(at: 0)?.reason)
    #expect(batch.value(at: 1) == .integer(2))
    #expect(batch.fault(at: 2) != nil)
  }

  @Test func `topics go along`() {
    let all = MergedMessages()
    Array("topic".utf8).withUnsafeBytes { topic in
      Array("1".utf8).withUnsafeBytes { text in
        all.append(text, RecordedEntry(time: 1, source: 0, message: text, topic: topic))
      }
    }
    all.finish()
    let copy = MergedMessages()
    copy.copy(all, without: [])
    #expect(copy.batch(of: 0).topic(at: 0) == "topic")
  }
}
