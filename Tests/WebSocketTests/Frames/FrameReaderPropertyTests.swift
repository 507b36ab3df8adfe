import TestPeers
import Testing

@testable import WebSocket

@Suite struct FrameReaderPropertyTests {
  @Test("reads random traffic the same however it is cut", arguments: 0..<20 as Range<UInt64>)
  func randomTraffic(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    var expected: [ReadEvent] = []
    for _ in 0..<40 {
      let isText = Bool.random(using: &random)
      let size = [0, 3, 60, 125, 126, 300, 4090, 9000].randomElement(using: &random) ?? 0
      let unit = ["a", "é", "€", "😀", "plain and mixed € "].randomElement(using: &random) ?? "a"
      let text = String(repeating: unit, count: size / unit.utf8.count)
      let payload = Array(text.utf8)
      var rest = payload[...]
      var opcode = isText ? Opcode.text : Opcode.binary
      while Int.random(in: 0..<3, using: &random) == 0 {
        let piece = Array(rest.prefix(Int.random(in: 0...rest.count, using: &random)))
        rest = rest.dropFirst(piece.count)
        bytes += serverFrame(opcode, piece, final: false)
        opcode = Opcode.continuation
        if Bool.random(using: &random) {
          let ping = (0..<Int.random(in: 0...125, using: &random)).map { UInt8($0) }
          bytes += serverFrame(Opcode.ping, ping)
          expected.append(.ping(ping))
        }
      }
      bytes += serverFrame(opcode, Array(rest))
      expected.append(isText ? .text(text) : .binary(payload))
    }
    for pieces in [Int.max, 1, Int.random(in: 2...10_000, using: &random)] {
      #expect(read(bytes, pieces: pieces) == expected)
    }
  }

  @Test("comes to the same end for damaged traffic however it is cut", arguments: 0..<200 as Range<UInt64>)
  func damaged(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var bytes = (0..<6).flatMap { textFrame(String(repeating: "é", count: $0 * 20), final: $0 % 3 != 0) }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    let whole = read(bytes, limit: 5000)
    for pieces in [1, Int.random(in: 2...200, using: &random)] {
      #expect(read(bytes, pieces: pieces, limit: 5000) == whole)
    }
  }

  @Test("survives random bytes", arguments: 0..<50 as Range<UInt64>)
  func noise(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<2000).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(read(bytes, limit: 1000) == read(bytes, pieces: 3, limit: 1000))
  }
}
