@testable import WebSocket

/// Compresses messages as a server does.
struct ServerDeflater: ~Copyable {
  private var deflater: Deflater

  init(windowBits: Int = 15, keepsContext: Bool = true) {
    deflater = Deflater(windowBits: windowBits, keepsContext: keepsContext)
  }

  struct Incompressible: Error {}

  /// The payload of a compressed message; throws for one that would not get smaller.
  mutating func payload(_ message: [UInt8]) throws -> [UInt8] {
    let payload = message.withUnsafeBytes { deflater.deflate($0).map(Array.init) }
    guard let payload else { throw Incompressible() }
    return payload
  }
}

/// The first frame of a compressed message.
func compressedFrame(_ opcode: UInt8, _ payload: [UInt8], final: Bool = true) -> [UInt8] {
  serverFrame(opcode, payload, final: final, reserved: 4)
}

/// A text that compresses, different for each number.
func compressibleText(_ number: Int, repeats: Int = 8) -> String {
  String(
    repeating: "{\"symbol\":\"BTC-USD\",\"side\":\"buy\",\"price\":\"6712\(number).5é\"}", count: repeats)
}
