import Composable
import Scripting
import Testing

@testable import Pipeline

@Suite("Lines of a recording")
struct RecordedLineTests {
  /// What a line says, in words; or what is wrong with it.
  private static func read(_ line: String) -> String {
    var line = line
    return line.withUTF8 { bytes in
      do throws(RecordedLineFault) {
        let line = try RecordedLine(UnsafeRawBufferPointer(bytes))
        let source = String(decoding: line.source, as: UTF8.self)
        let content =
          switch line.content {
          case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
          case .escaped(let bytes): "escaped " + String(decoding: bytes, as: UTF8.self)
          case .event(.disconnected(let code, let reason)): "disconnected \(code) \(reason)"
          case .event(let event): event.name
          case .gap(let gap): "gap of '\(gap.key)' \(gap.missed ?? -1) \(gap.reason)"
          case .reply(let reply): String(decoding: reply.bytes, as: UTF8.self)
          case .kill(let kill): String(decoding: kill.bytes, as: UTF8.self)
          case .history(let message): String(decoding: message.bytes, as: UTF8.self)
          case .version(let version): String(decoding: version.bytes, as: UTF8.self)
          }
        let topic = line.rawTopic.isEmpty ? "" : "/\(try line.topic())"
        return "\(line.time) \(source)\(topic): \(content)"
      } catch {
        return error.description
      }
    }
  }

  @Test(
    "a line has time, source and a message, a text or an event, in any order",
    arguments: [
      (#"{"time":1,"source":"a","message":{"b":[1,"}"]}}"#, #"1 a: {"b":[1,"}"]}"#),
      (#" { "message" : 1.50 , "source" : "a" , "time" : -5 } "#, "-5 a: 1.50"),
      (#"{"time":"2026-01-01T00:00:00Z","source":"a","text":"plain"}"#, "1767225600000 a: plain"),
      (#"{"time":1,"source":"a","text":"two\nlines"}"#, #"1 a: escaped two\nlines"#),
      (#"{"time":1,"source":"a","event":"stale"}"#, "1 a: stale"),
      (#"{"time":1,"topic":"b\/\"c","source":"a","message":2}"#, #"1 a/b/"c: 2"#),
      (#"{"time":1,"source":"a","event":"disconnected"}"#, "1 a: disconnected 1006 the connection was lost"),
      (
        #"{"time":1,"source":"a","event":"disconnected","code":1001,"reason":"\"bye\""}"#,
        #"1 a: disconnected 1001 "bye""#
      ),
      (#"{"time":1,"source":"a","event":"gap"}"#, "1 a: gap of '' -1 unknown"),
      (
        #"{"time":1,"source":"a","event":"gap","key":"B","missed":3,"reason":"sequence"}"#,
        "1 a: gap of 'B' 3 sequence"
      ),
    ])
  func forms(line: String, expected: String) { #expect(Self.read(line) == expected) }

  @Test(
    "what is wrong with a line is said",
    arguments: [
      ("[]", "expected a JSON object"), (#"{"time":1}"#, "'source' is missing"),
      (#"{"source":"a","message":1}"#, "'time' is missing"),
      (#"{"time":1.5,"source":"a","message":1}"#, "expected 'time' to be milliseconds"),
      (#"{"time":"noon","source":"a","message":1}"#, "expected 'time' to be milliseconds"),
      (#"{"time":1,"source":"a"}"#, "'message' is missing"),
      (#"{"time":1,"source":"a","message":1} x"#, "expected nothing behind the object"),
      (#"{"time":1,"source":"a","massage":1}"#, "unknown member 'massage'"),
      (#"{"time":1,"source":"a","event":"paused"}"#, "unknown event 'paused'"),
      (#"{"time":1,"source":"a","event":"stale","message":1}"#, "'event' can't stand beside a message"),
      (#"{"time":1,"source":"a","message":{"b":1"#, "'message' has no end"),
      (
        #"{"time":1,"source":"a","message":1,"key":"b"}"#, "'key' stands in lines of scripts and of gaps only"
      ),
      (#"{"time":1,"source":"a","event":"gap","missed":"x"}"#, "expected 'missed' to be a whole number"),
      (#"{"time":1,"script":"s"}"#, "expected 'reply' to be an object"),
      (#"{"time":1,"script":"s","reply":{"number":1}}"#, "'reply.request' is missing"),
      (
        #"{"time":1,"script":"s","reply":{"request":"","number":1,"status":200,"body_hex":"0"}}"#,
        "expected 'body_hex' to be pairs"
      ),
      (#"{"time":1,"script":"s","killed":"steps","input":"a","reason":"r"}"#, "unknown limit 'steps'"),
      (#"{"time":1,"script":"s","killed":"time","input":"a"}"#, "'reason' is missing"),
      (#"{"time":1,"script":"s","killed":"time","message":1}"#, "unknown member 'message'"),
    ])
  func faults(line: String, expected: String) {
    let fault = Self.read(line)
    #expect(fault.hasPrefix(expected), "\(fault)")
  }

  @Test("what is written is read back as it was")
  func roundTrip() {
    func written(_ message: String, isJSON: Bool) -> String {
      var message = message
      return message.withUTF8 { bytes in
        let line = RecordedLine.bytes(
          time: Timestamp(milliseconds: 7), source: "a", message: UnsafeRawBufferPointer(bytes),
          isJSON: isJSON)
        return String(decoding: line, as: UTF8.self)
      }
    }
    #expect(
      written("{\"a\":\n 1.50}", isJSON: true) == "{\"time\":7,\"source\":\"a\",\"message\":{\"a\":  1.50}}\n"
    )
    #expect(Self.read(written("1e400", isJSON: true)) == "7 a: 1e400")
    #expect(Self.read(written("no JSON", isJSON: false)) == "7 a: no JSON")
    #expect(Self.read(written("\u{1}\"\n", isJSON: false)) == #"7 a: escaped \u0001\"\n"#)
    for event in [
      ConnectionEvent.connecting, .connected, .stale, .disconnected(code: 4000, reason: "a \"b\"\n"),
    ] {
      let line = RecordedLine.bytes(time: Timestamp(milliseconds: 7), source: "a", event: event)
      #expect(Self.read(String(decoding: line, as: UTF8.self)).hasPrefix("7 a: \(event.name)"))
    }
  }

  @Test("a reply is read back as it was written, without cookies and without the request's own words")
  func reply() throws {
    let http = HTTPClient.Request("https://example.org/v1?token=secret", method: "POST", body: [1, 2])
    let request = WebRequest(
      id: "x", number: 7, key: "BTC", request: http, pace: .zero, followsRedirects: true, host: "example.org")
    for body in [Array("{\"a\":1}\n".utf8), [0xff, 0x00], []] {
      var response = HTTPClient.Response(status: 404)
      response.headers = [.init("Set-Cookie", "secret"), .init("ETag", "1")]
      response.body = body
      let written = RecordedReply(
        time: Timestamp(milliseconds: 9), script: "s", request: request, reply: WebReply(response))
      let text = String(decoding: written.bytes, as: UTF8.self)
      #expect(!text.contains("secret"))
      #expect(Self.read(text) == "9 : \(text)", "it is read back and written the same")
      let line = try #require(try Self.content(of: text))
      guard case .reply(let read) = line else {
        Issue.record("expected a reply, got \(text)")
        return
      }
      #expect(read.request == written.request && read.number == 7)
      #expect(read.reply.body == body)
      #expect(read.reply.status == 404 && read.reply.error == nil)
      #expect(read.reply.headers == [.init("etag", "1")])
    }
    let failed = RecordedReply(
      time: Timestamp(milliseconds: 9), script: "s", request: request, reply: WebReply(error: "timeout"))
    let text = String(decoding: failed.bytes, as: UTF8.self)
    #expect(text.contains(#""error":"timeout""#))
    #expect(Self.read(text) == "9 : \(text)")
  }

  @Test("the end of a run is read back as it was written")
  func kill() {
    for kill in [
      RecordedKill(
        time: Timestamp(milliseconds: 9), script: "s", cause: .time, input: "price", source: "a", after: 3,
        reason: "s.lua:1: \"slow\""),
      RecordedKill(
        time: Timestamp(milliseconds: 9), script: "s", cause: .memory, input: "actions.x", key: "k",
        reason: "r"),
    ] {
      let text = String(decoding: kill.bytes, as: UTF8.self)
      #expect(Self.read(text) == "9 : \(text)")
    }
  }

  private static func content(of line: String) throws -> RecordedLine.Content? {
    let bytes = Array(line.utf8)
    return try bytes.withUnsafeBytes { bytes in try RecordedLine(bytes).content }
  }
}
