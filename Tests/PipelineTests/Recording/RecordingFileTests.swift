import Scripting
import Testing

@testable import Pipeline

@Suite("Recordings")
struct RecordingFileTests {
  private let folder: StorageFolder

  init() { folder = StorageFolder() }

  /// What files hand on, in order: batches as lists of times and messages, what happened, and faults.
  private func play(
    _ texts: String..., sources: [String] = ["a", "b"], form: RecordingForm? = nil, from: Int64? = nil,
    to: Int64? = nil, isSingle: Bool = false, merges: Bool = false
  ) throws -> [String] {
    var cursors: [RecordingCursor] = []
    for (index, text) in texts.enumerated() {
      let path = folder.file("recording\(index).ndjson")
      try TextFile.replace(path, text)
      let file = try RecordingFile(path: path)
      let isRecording = try file.isRecording
      cursors.append(
        RecordingCursor(
          file, form: form ?? (isRecording ? .recording() : .messages(source: 0, interval: .seconds(1))),
          sources: sources))
    }
    var played: [String] = []
    let reader = RecordingReader(
      cursors, from: from.map { Timestamp(milliseconds: $0) }, to: to.map { Timestamp(milliseconds: $0) },
      isSingle: isSingle, merges: merges
    ) { _, line, fault in played.append("line \(line): \(fault)") }
    while let piece = try reader.next() { played.append(Self.words(piece, sources)) }
    for (name, count) in cursors[0].unknownSources { played.append("unknown \(name) \(count)") }
    return played
  }

  private static func words(
    _ batch: MessageBatch, _ range: Range<Int>? = nil, of source: String
  ) -> String {
    let messages = (range ?? 0..<batch.count).map {
      "\(batch.time(at: $0)) " + String(decoding: batch.bytes(at: $0), as: UTF8.self)
    }
    return "\(source): " + messages.joined(separator: ", ")
  }

  private static func words(_ piece: RecordingReader.Piece, _ sources: [String]) -> String {
    switch piece {
    case .messages(let batch, let source): return words(batch, of: sources[source])
    case .merged(let messages):
      let runs = messages.runs.map {
        words(messages.batch(of: $0.source), $0.range, of: sources[$0.source])
      }
      return "\(messages.count) from \(messages.first) to \(messages.last): " + runs.joined(separator: "; ")
    case .happening(let happening):
      let what =
        switch happening {
        case .event(let event): "\(sources[event.source]) \(event.event.name)"
        case .gap(let gap, let source, _): "\(sources[source]) gap \(gap.reason)"
        case .reply(let reply): "reply to \(reply.request.script)"
        case .kill(let kill): "\(kill.script) killed by \(kill.cause)"
        case .history(let message): "history of \(message.script)"
        case .version(let version): "version \(version.version) of \(version.script)"
        }
      return "\(what) at \(happening.time.milliseconds)"
    }
  }

  @Test(
    "messages of one source come together until another source or an event follows, and time never goes back")
  func recording() throws {
    let played = try play(
      """
      {"time":10,"source":"a","message":1}
      {"time":20,"source":"a","text":"x\\ty"}
      {"time":30,"source":"b","message":2}
      {"time":25,"source":"b","message":3}
      {"time":40,"source":"b","event":"disconnected"}

      {"time":50,"source":"b","event":"connected"}
      {"time":50,"source":"b","message":4}
      """)
    #expect(
      played == [
        "a: 10 1, 20 x\ty", "b: 30 2, 30 3", "b disconnected at 40", "b connected at 50", "b: 50 4",
      ])
  }

  @Test("lines of scripts and gaps end a batch, and come in order")
  func ofScripts() throws {
    let played = try play(
      #"""
      {"time":10,"source":"a","message":1}
      {"time":10,"script":"s","killed":"time","input":"x","source":"a","after":0,"reason":"slow"}
      {"time":20,"source":"a","message":2}
      {"time":30,"script":"s","reply":{"number":1,"request":"0","status":200}}
      {"time":30,"source":"b","event":"gap","reason":"sequence"}
      {"time":40,"source":"a","message":3}
      """#)
    #expect(
      played == [
        "a: 10 1", "s killed by time at 10", "a: 20 2", "reply to s at 30", "b gap sequence at 30", "a: 40 3",
      ])
  }

  @Test("faulty lines and unknown sources are told, and the rest is played")
  func faults() throws {
    let played = try play(
      """
      {"time":10,"source":"a","message":1}
      nonsense
      {"time":20,"source":"c","message":2}
      {"time":30,"source":"a","message":3}
      """)
    #expect(played == ["line 2: expected a JSON object", "a: 10 1, 30 3", "unknown c 1"])
  }

  @Test("lines of plain messages are a second apart")
  func plain() throws {
    #expect(try play("1\r\n\n2") == ["a: 1767225600000 1, 1767225601000 2"])
  }

  @Test("one source alone can be played")
  func only() throws {
    let text = #"{"time":10,"source":"a","message":1}"# + "\n" + #"{"time":20,"source":"b","message":2}"#
    #expect(try play(text, form: .recording(only: 1)) == ["b: 20 2"])
  }

  @Test("a writer goes on behind a torn line, and puts a full file aside")
  func writing() throws {
    let path = folder.file("day.ndjson")
    try TextFile.create(path, "{\"torn")
    let writer = try RecordingWriter(path: path, maximumBytes: 18)
    let time = try #require(Timestamp(parsing: "2026-11-30T04:20:00Z"))
    try writer.write(Array("first\n".utf8), at: time)
    try writer.write(Array("second\n".utf8), at: time)
    try writer.write(Array("third\n".utf8), at: time)
    try writer.finish()
    #expect(try TextFile.read(path, maximumBytes: 100) == "second\nthird\n")
    #expect(try TextFile.read("\(path).20261130T042000Z", maximumBytes: 100) == "{\"torn\nfirst\n")
  }

  @Test("several files are read as one in order of time, at equal times in the order of the files")
  func merging() throws {
    let first = """
      {"time":10,"source":"a","message":1}
      {"time":30,"source":"a","message":3}
      {"time":30,"source":"a","event":"stale"}
      """
    let second = """
      {"time":20,"source":"a","message":2}
      {"time":30,"source":"b","message":4}
      {"time":40,"source":"a","message":5}
      """
    #expect(try play(first, second) == ["a: 10 1, 20 2, 30 3", "a stale at 30", "b: 30 4", "a: 40 5"])
    #expect(try play(second, first) == ["a: 10 1, 20 2", "b: 30 4", "a: 30 3", "a stale at 30", "a: 40 5"])
  }

  @Test("messages of several sources may come together, in order, until an event follows")
  func together() throws {
    let first = """
      {"time":10,"source":"a","message":1}
      {"time":30,"source":"a","message":3}
      {"time":30,"source":"a","event":"stale"}
      {"time":50,"source":"b","message":6}
      """
    let second = """
      {"time":20,"source":"b","message":2}
      {"time":30,"source":"b","message":4}
      {"time":40,"source":"a","message":5}
      """
    #expect(
      try play(first, second, merges: true) == [
        "3 from 10 to 30: a: 10 1; b: 20 2; a: 30 3", "a stale at 30",
        "3 from 30 to 50: b: 30 4; a: 40 5; b: 50 6",
      ])
    #expect(try play(second, merges: true) == ["3 from 20 to 40: b: 20 2, 30 4; a: 40 5"])
    #expect(try play(#"{"time":10,"source":"b","message":1}"#, merges: true) == ["1 from 10 to 10: b: 10 1"])
    #expect(try play(first, isSingle: true, merges: true).first == "a: 10 1")
  }

  @Test(
    "pieces of several sources end where they are large, and messages handed out stay",
    arguments: [true, false])
  func pieces(arePlain: Bool) throws {
    let texts = ["a", "b"].map { source in
      (1...6_000).map { number in
        let message = "\"\(number) " + String(repeating: "x", count: number % (arePlain ? 30 : 90)) + "\""
        return arePlain ? message : #"{"time":\#(number / 3),"source":"\#(source)","message":\#(message)}"#
      }
    }
    let cursors = try texts.enumerated().map { index, lines in
      let path = folder.file("half\(index).ndjson")
      try TextFile.replace(path, lines.joined(separator: "\n"))
      let form: RecordingForm = arePlain ? .messages(source: index, interval: .seconds(1)) : .recording()
      return RecordingCursor(try RecordingFile(path: path), form: form, sources: ["a", "b"])
    }
    let reader = RecordingReader(cursors, merges: true) { Issue.record("line \($1): \($2)") }
    var pieces: [MergedMessages] = []
    while case .merged(let piece)? = try reader.next() {
      // What stands between messages doesn't count for the last one.
      #expect(piece.byteCount <= RecordingReader.batchBytes + 64)
      #expect(piece.count == piece.runs.reduce(0) { $0 + $1.range.count })
      #expect(reader.exchange(MergedMessages()) === piece)
      pieces.append(piece)
    }
    #expect(pieces.count > 1)
    #expect(reader.messageCount == 12_000)
    let messages = pieces.flatMap { piece in
      piece.runs.flatMap { run in
        run.range.map { String(decoding: piece.batch(of: run.source).bytes(at: $0), as: UTF8.self) }
      }
    }
    // Three at a time of each file, or in turns.
    let numbers = messages.map { Int($0.dropFirst().prefix { $0 != " " }) ?? 0 }
    let turns = (1...6_000).flatMap { [$0, $0] }
    let threes = (0...2_000).flatMap { third in
      let numbers = (0..<3).map { third * 3 + $0 }.filter { (1...6_000).contains($0) }
      return numbers + numbers
    }
    #expect(numbers == (arePlain ? turns : threes))
  }

  @Test("a stretch of time can be read alone, its beginning included and its end not")
  func stretch() throws {
    let text = (1...5).map { "{\"time\":\($0 * 10),\"source\":\"a\",\"message\":\($0)}\n" }.joined()
    #expect(try play(text, from: 20, to: 40) == ["a: 20 2, 30 3"])
    #expect(try play(text, from: 60) == [])
    #expect(try play(text, to: 20, isSingle: true) == ["a: 10 1"])
    #expect(try play(text, from: 40, isSingle: true) == ["a: 40 4", "a: 50 5"])
  }

  @Test("a line beyond the bound is told with its length, however it falls into reads, and the next is read")
  func tooLong() throws {
    let path = folder.file("long.ndjson")
    for length in [1_001, 1_000_000, 3_000_001] {
      let long = String(repeating: "x", count: length)
      try TextFile.replace(path, "1\n\(long)\r\n2")
      let file = try RecordingFile(path: path, maximumBytes: 1_000)
      var found: [String] = []
      while let line = try file.next() {
        switch line {
        case .text(let bytes): found.append(String(decoding: bytes, as: UTF8.self))
        case .tooLong(let count): found.append("\(count)")
        }
      }
      #expect(found == ["1", "\(length)", "2"])
    }
  }

  @Test("a file that can't be written is said")
  func unwritable() throws {
    #expect(throws: FileError.self) { try RecordingWriter(path: folder.file("missing/day.ndjson")) }
    let full = try RecordingWriter(path: "/dev/full")
    #expect(throws: FileError.self) { try full.write([0x31, 0x0a], at: Timestamp(milliseconds: 0)) }
  }
}
