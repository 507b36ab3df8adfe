import Testing
@testable import WebSocket

@Suite struct FrameWriterTests {
  @Test(
    "masks frames of every length so that a server reads them back",
    arguments: [0, 1, 125, 126, 65_535, 65_536, 100_000])
  func roundTrip(length: Int) throws {
    var writer = FrameWriter(maximumPendingBytes: 1 << 20)
    let payload = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try payload.withUnsafeBytes { try writer.message($0, isText: false) }
    let written = drain(&writer, atMost: 1000)
    #expect(ClientFrame.all(in: written) == [ClientFrame(opcode: Opcode.binary, payload: payload)])
  }

  @Test("takes a new mask for each frame, with all bits in use")
  func masks() throws {
    var writer = FrameWriter(maximumPendingBytes: 1 << 20)
    for _ in 0..<1000 {
      try [UInt8]("x".utf8).withUnsafeBytes { try writer.message($0, isText: true) }
    }
    let frames = try #require(ClientFrame.all(in: drain(&writer, atMost: .max)))
    // Among 1,000 random masks of 32 bits two are equal in one run of 8,600; three pairs never.
    #expect(Set(frames.map(\.mask)).count >= 998)
    for bit in 0..<32 {
      let ones = frames.count { $0.mask[bit / 8] >> (bit % 8) & 1 == 1 }
      #expect((350...650).contains(ones))
    }
  }

  @Test("refuses a message that would pass the bound, and takes it once there is room")
  func bound() throws {
    var writer = FrameWriter(maximumPendingBytes: 100)
    let payload = [UInt8](repeating: 1, count: 60)
    func add(_ writer: inout FrameWriter) throws {
      try payload.withUnsafeBytes { try writer.message($0, isText: false) }
    }
    try add(&writer)
    let waiting = writer.pendingBytes
    #expect(throws: SendError.backlog(waiting: waiting, limit: 100)) { try add(&writer) }
    let first = drain(&writer, atMost: .max)
    try add(&writer)
    let second = drain(&writer, atMost: .max)
    #expect(ClientFrame.all(in: first + second)?.count == 2)
  }

  @Test("offers the same memory again until it is written")
  func stableMemory() throws {
    var writer = FrameWriter(maximumPendingBytes: 1 << 20)
    writer.appendRaw([UInt8](repeating: 1, count: 10))
    let before = writer.pending.baseAddress
    writer.appendRaw([UInt8](repeating: 2, count: 40_000))
    let after = writer.pending.baseAddress
    #expect(before == after)
    var all: [UInt8] = []
    while case let piece = writer.pending, !piece.isEmpty {
      let count = min(piece.count, 777)
      all += piece.prefix(count)
      writer.remove(count)
    }
    #expect(all == [UInt8](repeating: 1, count: 10) + [UInt8](repeating: 2, count: 40_000))
    let left = writer.pendingBytes
    #expect(left == 0)
  }

  private func drain(_ writer: inout FrameWriter, atMost size: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while case let piece = writer.pending, !piece.isEmpty {
      let count = min(piece.count, size)
      bytes += piece.prefix(count)
      writer.remove(count)
    }
    return bytes
  }
}
