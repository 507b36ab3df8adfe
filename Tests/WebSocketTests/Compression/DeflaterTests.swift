import CZlib
import TestPeers
import Testing

@testable import WebSocket

@Suite struct DeflaterTests {
  /// What a server makes of a compressed message.
  private func inflated(_ payload: [UInt8], _ inflater: inout Inflater) -> [UInt8]? {
    var message = MessageBuffer()
    let outcome = payload.withUnsafeBytes { inflater.inflate($0, into: &message, limit: 1 << 24) }
    guard outcome == .done, inflater.finish(into: &message, limit: 1 << 24) == .done else { return nil }
    return Array(message.bytes)
  }

  private func writer(
    _ change: (inout Compression.Agreement) -> Void = { _ in }, from minimumBytes: Int = 0
  ) -> FrameWriter {
    var agreed = Compression.Agreement(
      serverKeepsContext: true, clientKeepsContext: true, serverWindowBits: 15, clientWindowBits: 15)
    change(&agreed)
    var writer = FrameWriter(maximumPendingBytes: 1 << 24)
    writer.beginDeflating(agreed, from: minimumBytes)
    return writer
  }

  private func frames(_ messages: [[UInt8]], _ writer: inout FrameWriter) throws -> [ClientFrame] {
    for message in messages { try message.withUnsafeBytes { try writer.message($0, isText: false) } }
    var bytes: [UInt8] = []
    while case let piece = writer.pending, !piece.isEmpty {
      bytes += piece
      writer.remove(piece.count)
    }
    return try #require(ClientFrame.all(in: bytes))
  }

  @Test("compresses so that a server with the agreed window reads it back", arguments: 8...15, [true, false])
  func roundTrip(bits: Int, keepsContext: Bool) throws {
    var random = SeededGenerator(seed: UInt64(bits))
    let messages = (0..<20).map {
      Array(compressibleText($0, repeats: Int.random(in: 2...300, using: &random)).utf8)
    }
    var writer = writer {
      $0.clientWindowBits = bits
      $0.clientKeepsContext = keepsContext
    }
    var inflater = Inflater(windowBits: bits, keepsContext: keepsContext)
    for (message, frame) in zip(messages, try frames(messages, &writer)) {
      #expect(frame.isCompressed && frame.payload.count < message.count)
      #expect(inflated(frame.payload, &inflater) == message)
    }
  }

  @Test("refers no further back than a window of 8 bits holds, which zlib itself does not know")
  func smallestWindow() throws {
    var writer = writer { $0.clientWindowBits = 8 }
    var random = SeededGenerator(seed: 5)
    let noise = (0..<150).map { _ in UInt8.random(in: 0...255, using: &random) }
    // The noise comes again 300 bytes later, which a larger window would use.
    let message = (0..<10).flatMap { _ in noise + [UInt8](repeating: 0, count: 150) }
    let frame = try #require(try frames([message], &writer).first)
    #expect(frame.isCompressed)
    let payload = frame.payload + [0, 0, 0xFF, 0xFF]
    var stream = z_stream()
    let status = inflateInit2_(&stream, -8, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    try #require(status == Z_OK)
    defer { inflateEnd(&stream) }
    // A byte at a time, so that all but the window is out of its sight.
    var output: [UInt8] = []
    var input = payload
    input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      var byte: UInt8 = 0
      while output.count < message.count {
        let status = withUnsafeMutablePointer(to: &byte) { target in
          stream.next_out = target
          stream.avail_out = 1
          return inflate(&stream, Z_SYNC_FLUSH)
        }
        guard status == Z_OK, stream.avail_out == 0 else { return }
        output.append(byte)
      }
    }
    #expect(output == message)
  }

  @Test("refers back to earlier messages only where that was agreed on")
  func context() throws {
    let message = Array(compressibleText(1, repeats: 1).utf8)
    var keeping = writer()
    let kept = try frames([message, message], &keeping)
    #expect(kept[1].payload.count * 4 < kept[0].payload.count)
    var forgetting = writer { $0.clientKeepsContext = false }
    let fresh = try frames([message, message], &forgetting)
    #expect(fresh[1].payload == fresh[0].payload)
  }

  @Test("sends what would not get smaller as it is, and never refers back to it")
  func incompressible() throws {
    var random = SeededGenerator(seed: 3)
    let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let text = Array(compressibleText(1).utf8)
    var writer = writer()
    let frames = try frames([text, noise, noise + noise, text, []], &writer)
    #expect(frames.map(\.isCompressed) == [true, false, true, true, false])
    #expect(frames[1].payload == noise)
    var inflater = Inflater(windowBits: 15, keepsContext: true)
    #expect(inflated(frames[0].payload, &inflater) == text)
    #expect(inflated(frames[2].payload, &inflater) == noise + noise)
    #expect(inflated(frames[3].payload, &inflater) == text)
  }

  @Test("leaves messages below the least size as they are")
  func small() throws {
    var writer = writer(from: 100)
    let zeros = [UInt8](repeating: 0, count: 100)
    #expect(try frames([Array(zeros.dropLast()), zeros], &writer).map(\.isCompressed) == [false, true])
  }
}
