import TestPeers
import Testing

@testable import WebSocket

@Suite struct CompressedMessageTests {
  private static let pieces = [Int.max, 1, 2, 7, 4096]
  private static let agreed = Compression.Agreement(
    serverKeepsContext: true, clientKeepsContext: true, serverWindowBits: 15, clientWindowBits: 15)
  private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]

  private func read(_ bytes: [UInt8], pieces: Int = .max, limit: Int = 1 << 20) -> [ReadEvent] {
    WebSocketTests.read(bytes, pieces: pieces, limit: limit, compression: Self.agreed)
  }

  @Test("inflates the examples of RFC 7692 section 7.2.3", arguments: pieces)
  func examples(pieces: Int) {
    let payloads: [[UInt8]] = [
      Self.hello,
      // Uncompressed, as the last block, in two blocks, and once more as an empty one.
      [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00],
      [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00],
      [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00],
    ]
    for payload in payloads {
      #expect(read(compressedFrame(Opcode.text, payload), pieces: pieces) == [.text("Hello")])
    }
    let fragments =
      compressedFrame(Opcode.text, Array(Self.hello[..<3]), final: false) + serverFrame(Opcode.ping, [1])
      + serverFrame(Opcode.continuation, Array(Self.hello[3...]))
    #expect(read(fragments, pieces: pieces) == [.ping([1]), .text("Hello")])
  }

  @Test("refers back over messages, plain ones in between aside, also after a last block", arguments: pieces)
  func context(pieces: Int) {
    let second = compressedFrame(Opcode.text, [0xF2, 0x00, 0x11, 0x00, 0x00])
    let first = compressedFrame(Opcode.text, Self.hello)
    #expect(
      read(first + textFrame("plain") + second, pieces: pieces) == [
        .text("Hello"), .text("plain"), .text("Hello"),
      ])
    let last = compressedFrame(Opcode.text, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00])
    #expect(read(last + second, pieces: pieces) == [.text("Hello"), .text("Hello")])
    // The last block without the byte that makes room for the tail.
    let bare = compressedFrame(Opcode.text, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])
    #expect(read(bare + second, pieces: pieces) == [.text("Hello"), .text("Hello")])
  }

  @Test("refuses a reference back where each message was to stand for itself")
  func noContext() {
    var agreed = Self.agreed
    agreed.serverKeepsContext = false
    let bytes =
      compressedFrame(Opcode.text, Self.hello) + compressedFrame(Opcode.text, [0xF2, 0x00, 0x11, 0x00, 0x00])
    #expect(
      WebSocketTests.read(bytes, compression: agreed) == [.text("Hello"), .violation(.malformedCompression)])
  }

  @Test("takes empty messages: an empty block, and nothing at all")
  func empty() {
    let bytes =
      compressedFrame(Opcode.text, [0x00]) + compressedFrame(Opcode.binary, [])
      + compressedFrame(Opcode.text, [], final: false) + serverFrame(Opcode.continuation, [0x00])
      + compressedFrame(Opcode.text, Self.hello)
    #expect(read(bytes) == [.text(""), .binary([]), .text(""), .text("Hello")])
  }

  @Test("wants the mark on the first frame of a message only, and only where compression was agreed on")
  func mark() {
    let marked = compressedFrame(Opcode.text, Self.hello)
    #expect(WebSocketTests.read(marked) == [.violation(.reservedBits)])
    let begun = compressedFrame(Opcode.text, Array(Self.hello[..<3]), final: false)
    let wrong = [
      begun + serverFrame(Opcode.continuation, Array(Self.hello[3...]), reserved: 4),
      serverFrame(Opcode.ping, [1], reserved: 4), serverFrame(Opcode.close, [], reserved: 4),
      serverFrame(Opcode.text, Self.hello, reserved: 6), serverFrame(Opcode.text, Self.hello, reserved: 2),
      serverFrame(Opcode.text, Self.hello, reserved: 1), serverFrame(3, [], reserved: 4),
    ]
    for bytes in wrong { #expect(read(bytes) == [.violation(.reservedBits)]) }
  }

  @Test("refuses what is no DEFLATE data, ends too early, or has no end", arguments: [Int.max, 1])
  func malformed(pieces: Int) throws {
    var deflater = ServerDeflater()
    let text = Array(compressibleText(1).utf8)
    let whole = try deflater.payload(text)
    let wrong: [[UInt8]] = [
      [0xFF, 0xFF, 0xFF], [0x06], Array(whole[..<(whole.count / 2)]), Array(whole.dropLast()),
      Self.hello + [0x78, 0x9C],
    ]
    for payload in wrong {
      let events = read(compressedFrame(Opcode.binary, payload), pieces: pieces)
      #expect(events == [.violation(.malformedCompression)], "\(payload)")
    }
    #expect(FrameViolation.malformedCompression.closeCode == 1007)
  }

  @Test("checks inflated text as it comes, over code points that are split", arguments: [Int.max, 1])
  func text(pieces: Int) throws {
    var deflater = ServerDeflater()
    let good = try deflater.payload(Array(String(repeating: "€", count: 3000).utf8))
    #expect(
      read(compressedFrame(Opcode.text, good), pieces: pieces) == [.text(String(repeating: "€", count: 3000))]
    )
    let long = [UInt8](repeating: 0x41, count: 5000)
    for bad in [long + [0xFF], long + [0xE2, 0x82]] {
      var other = ServerDeflater()
      let payload = try other.payload(bad)
      #expect(read(compressedFrame(Opcode.text, payload), pieces: pieces) == [.violation(.invalidText)])
    }
  }

  // MARK: Bounds

  @Test("takes a message of just the limit and refuses one byte more", arguments: [Int.max, 1])
  func limit(pieces: Int) throws {
    for size in [1000, 4096, 10_000] {
      var deflater = ServerDeflater(keepsContext: false)
      let zeros = [UInt8](repeating: 0, count: size)
      let fitting = compressedFrame(Opcode.binary, try deflater.payload(zeros))
      #expect(read(fitting, pieces: pieces, limit: size) == [.binary(zeros)])
      let larger = compressedFrame(Opcode.binary, try deflater.payload(zeros + [0]))
      #expect(read(larger, pieces: pieces, limit: size) == [.violation(.messageTooBig(limit: size))])
    }
  }

  @Test("stops a bomb while it inflates, with no more memory than the limit asks for")
  func bomb() throws {
    let limit = 100_000
    var deflater = ServerDeflater()
    let bomb = try deflater.payload([UInt8](repeating: 0, count: 50_000_000))
    #expect(bomb.count < limit)
    #expect(
      read(compressedFrame(Opcode.binary, bomb), limit: limit) == [.violation(.messageTooBig(limit: limit))])
    var inflater = Inflater(windowBits: 15, keepsContext: true)
    var message = MessageBuffer()
    let outcome = bomb.withUnsafeBytes { inflater.inflate($0, into: &message, limit: limit) }
    let (count, capacity) = (message.count, message.capacity)
    #expect(outcome == .tooBig)
    #expect(count == limit + 1 && capacity <= 2 * limit)
  }

  @Test("refuses compressed bytes beyond the limit even if they inflate to nothing")
  func emptyBlocks() {
    let blocks = (0..<100).flatMap { _ in [0x00, 0x00, 0x00, 0xFF, 0xFF] as [UInt8] }
    let frames =
      compressedFrame(Opcode.binary, blocks, final: false)
      + (0..<10).flatMap { _ in serverFrame(Opcode.continuation, blocks, final: false) }
    #expect(read(frames, limit: 1000) == [.violation(.messageTooBig(limit: 1000))])
  }

  @Test("takes random data that grew a little by being compressed")
  func incompressible() throws {
    var random = SeededGenerator(seed: 7)
    let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let payload = try stored(noise)
    #expect(payload.count > noise.count)
    #expect(read(compressedFrame(Opcode.binary, payload), limit: noise.count) == [.binary(noise)])
  }

  /// Blocks that are stored uncompressed, each with its own length.
  private func stored(_ bytes: [UInt8]) throws -> [UInt8] {
    var output: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let block = rest.prefix(127)
      rest = rest.dropFirst(block.count)
      let length = UInt8(block.count)
      output += [0x00, length, 0x00, ~length, 0xFF] + block
    }
    return output + [0x00]
  }

  // MARK: Both ways

  @Test(
    "comes through with every window and either kind of context, however the bytes are cut",
    arguments: 8...15,
    [true, false])
  func windows(bits: Int, keepsContext: Bool) {
    var random = SeededGenerator(seed: UInt64(bits))
    var deflater = ServerDeflater(windowBits: bits, keepsContext: keepsContext)
    var bytes: [UInt8] = []
    var expected: [ReadEvent] = []
    for number in 0..<30 {
      let text = compressibleText(number, repeats: Int.random(in: 1...200, using: &random))
      expected.append(.text(text))
      guard Int.random(in: 0..<4, using: &random) > 0, let payload = try? deflater.payload(Array(text.utf8))
      else {
        bytes += textFrame(text)
        continue
      }
      let cut = Int.random(in: 0...payload.count, using: &random)
      bytes += compressedFrame(Opcode.text, Array(payload[..<cut]), final: false)
      if Bool.random(using: &random) {
        bytes += serverFrame(Opcode.pong, [9])
        expected.insert(.pong([9]), at: expected.count - 1)
      }
      bytes += serverFrame(Opcode.continuation, Array(payload[cut...]))
    }
    let agreed = Compression.Agreement(
      serverKeepsContext: keepsContext, clientKeepsContext: true, serverWindowBits: bits, clientWindowBits: 15
    )
    for pieces in [Int.max, 1, 1000] {
      #expect(WebSocketTests.read(bytes, pieces: pieces, compression: agreed) == expected)
    }
  }

  @Test(
    "survives damaged compressed traffic, with the same end however it is cut",
    arguments: 0..<200 as Range<UInt64>)
  func damaged(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var deflater = ServerDeflater()
    var bytes: [UInt8] = []
    for number in 0..<5 {
      if let payload = try? deflater.payload(Array(compressibleText(number, repeats: 20).utf8)) {
        bytes += compressedFrame(Opcode.binary, payload)
      }
    }
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
    }
    let whole = read(bytes, limit: 5000)
    for pieces in [1, Int.random(in: 2...200, using: &random)] {
      #expect(read(bytes, pieces: pieces, limit: 5000) == whole)
    }
  }
}
