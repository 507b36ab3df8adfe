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
          }
        return "\(line.time) \(source): \(content)"
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
      (#"{"time":1,"source":"a","event":"disconnected"}"#, "1 a: disconnected 1006 the connection was lost"),
      (
        #"{"time":1,"source":"a","event":"disconnected","code":1001,"reason":"\"bye\""}"#,
        #"1 a: disconnected 1001 "bye""#
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
}
