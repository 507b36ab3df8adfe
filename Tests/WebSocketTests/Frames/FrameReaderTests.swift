import Testing
@testable import WebSocket

@Suite struct FrameReaderTests {
  static let pieces = [Int.max, 1, 2, 3, 7, 4096, 5000]

  @Test("reads eight frames of one read, however the bytes are cut", arguments: pieces)
  func eightFrames(pieces: Int) {
    let bytes = (1...8).flatMap { textFrame("message \($0)") }
    #expect(read(bytes, pieces: pieces) == (1...8).map { .text("message \($0)") })
  }

  @Test(
    "reads payloads around every length boundary, however the bytes are cut",
    arguments: [0, 1, 125, 126, 127, 4081, 4092, 4096, 4097, 65_535, 65_536, 70_000],
    [Int.max, 1, 4096, 5000])
  func lengths(length: Int, pieces: Int) {
    let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let bytes = serverFrame(Opcode.binary, payload) + textFrame("after")
    #expect(read(bytes, pieces: pieces) == [.binary(payload), .text("after")])
  }

  @Test("hands out a message that lies whole in the input without copying it")
  func pointsIntoInput() {
    let payload = [UInt8](repeating: 0x41, count: 20_000)
    let bytes = textFrame("first") + serverFrame(Opcode.text, payload)
    var reader = FrameReader(maximumMessageBytes: 1 << 20)
    bytes.withUnsafeBytes { input in
      reader.begin(input)
      for _ in 0..<2 {
        guard case .message(let message, _) = reader.next(), let start = message.baseAddress else {
          Issue.record("expected a message")
          return
        }
        let range = input.baseAddress.map { $0..<($0 + input.count) }
        let isInside = range?.contains(start) == true
        #expect(isInside)
      }
    }
  }

  @Test("joins fragments and keeps control frames in between apart", arguments: pieces)
  func fragments(pieces: Int) {
    let bytes =
      textFrame("one ", final: false) + serverFrame(Opcode.ping, Array("p".utf8))
      + serverFrame(Opcode.continuation, Array("two ".utf8), final: false) + serverFrame(Opcode.pong)
      + serverFrame(Opcode.continuation, [], final: false)
      + serverFrame(Opcode.continuation, Array("three".utf8)) + serverFrame(Opcode.binary, [1], final: false)
      + serverFrame(Opcode.continuation, [2])
    #expect(
      read(bytes, pieces: pieces) == [
        .ping(Array("p".utf8)), .pong([]), .text("one two three"), .binary([1, 2]),
      ])
  }

  @Test("takes a code point split over fragments", arguments: pieces)
  func splitCodePoint(pieces: Int) {
    let euro = Array("€".utf8)
    let bytes =
      serverFrame(Opcode.text, [euro[0]], final: false) + serverFrame(Opcode.ping)
      + serverFrame(Opcode.continuation, [euro[1]], final: false)
      + serverFrame(Opcode.continuation, [euro[2]])
    #expect(read(bytes, pieces: pieces) == [.ping([]), .text("€")])
  }

  @Test("finds invalid text before the message has ended")
  func failsFast() {
    let begun = serverFrame(Opcode.text, [0x41, 0xFF] + [UInt8](repeating: 0x41, count: 100)).prefix(4)
    #expect(read(Array(begun)) == [.violation(.invalidText)])
  }

  @Test("refuses text that ends inside a code point")
  func incompleteText() {
    #expect(read(serverFrame(Opcode.text, [0xE2, 0x82])) == [.violation(.invalidText)])
    #expect(read(serverFrame(Opcode.binary, [0xE2, 0x82])) == [.binary([0xE2, 0x82])])
  }

  @Test("starts each text anew")
  func validatorResets() {
    let bytes = serverFrame(Opcode.binary, [0xE2]) + textFrame("a") + textFrame("€")
    #expect(read(bytes) == [.binary([0xE2]), .text("a"), .text("€")])
  }

  @Test("names each violation of the frame rules", arguments: [Int.max, 1])
  func violations(pieces: Int) {
    let ping = [UInt8](repeating: 0, count: 126)
    let cases: [([UInt8], FrameViolation)] = [
      (serverFrame(Opcode.text, [0x41], reserved: 4), .reservedBits),
      (serverFrame(Opcode.text, [0x41], reserved: 1), .reservedBits),
      (serverFrame(Opcode.text, [0x41], masked: true), .masked),
      (serverFrame(0x3, [0x41]), .unknownOpcode(3)), (serverFrame(0x7), .unknownOpcode(7)),
      (serverFrame(0xB), .unknownOpcode(11)), (serverFrame(0xF), .unknownOpcode(15)),
      (serverFrame(Opcode.continuation, [0x41]), .continuationWithoutStart),
      (textFrame("a", final: false) + textFrame("b"), .interruptedMessage),
      (serverFrame(Opcode.ping, [], final: false), .malformedFrame),
      (serverFrame(Opcode.ping, ping), .malformedFrame),
      ([0x82, 126, 0, 5, 1, 2, 3, 4, 5], .malformedFrame),
      ([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0, 0], .malformedFrame),
      (serverFrame(Opcode.close, [3]), .malformedClose), (closeFrame(1005), .closeCode(1005)),
      (closeFrame(1006), .closeCode(1006)), (closeFrame(999), .closeCode(999)),
      (closeFrame(2999), .closeCode(2999)),
      (serverFrame(Opcode.close, [0x03, 0xE8, 0xFF]), .invalidText),
    ]
    for (bytes, violation) in cases {
      #expect(read(bytes, pieces: pieces) == [.violation(violation)])
    }
  }

  @Test("reads close frames with and without code and reason", arguments: [Int.max, 1])
  func closes(pieces: Int) {
    #expect(read(serverFrame(Opcode.close), pieces: pieces) == [.close(nil, "")])
    #expect(read(closeFrame(1012), pieces: pieces) == [.close(1012, "")])
    #expect(read(closeFrame(4000, "going ⏸"), pieces: pieces) == [.close(4000, "going ⏸")])
  }

  @Test("refuses a message over the limit at its header, naming the option")
  func tooBig() {
    let header = Array(serverFrame(Opcode.binary, [UInt8](repeating: 0, count: 101)).prefix(3))
    #expect(read(header, limit: 100) == [.violation(.messageTooBig(limit: 100))])
    #expect(FrameViolation.messageTooBig(limit: 100).text.contains("max_message_bytes"))
    #expect(FrameViolation.messageTooBig(limit: 100).closeCode == 1009)
    let half = [UInt8](repeating: 0, count: 50)
    let whole = serverFrame(Opcode.binary, half, final: false) + serverFrame(Opcode.continuation, half)
    #expect(read(whole, limit: 100) == [.binary(half + half)])
    let over = serverFrame(Opcode.binary, half, final: false) + serverFrame(Opcode.continuation, half + [0])
    #expect(read(over, limit: 100) == [.violation(.messageTooBig(limit: 100))])
  }

  @Test("allocates nothing for a claimed length of which nothing has come")
  func claims() {
    let claim: [UInt8] = [0x82, 127, 0, 0, 0, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF]
    #expect(read(claim, limit: 1 << 40) == [])
  }

  @Test("gives the memory of one large message back after many small ones")
  func givesBack() {
    var buffer = MessageBuffer()
    let large = [UInt8](repeating: 1, count: 200_000)
    let grew = large.withUnsafeBytes { buffer.append($0) }
    let whole = buffer.count
    buffer.clear()
    var capacities: Set<Int> = []
    for _ in 0..<200 {
      buffer.noteMessage(size: 10)
      capacities.insert(buffer.capacity)
    }
    let final = buffer.capacity
    #expect(grew && whole == 200_000)
    #expect(final == 0 && capacities.count == 2)
  }
}
