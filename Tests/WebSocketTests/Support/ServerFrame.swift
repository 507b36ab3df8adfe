@testable import WebSocket

/// The bytes of a frame as a server sends it: unmasked.
func serverFrame(
  _ opcode: UInt8, _ payload: [UInt8] = [], final: Bool = true, reserved: UInt8 = 0, masked: Bool = false
) -> [UInt8] {
  var bytes = [(final ? 0x80 : 0) | reserved << 4 | opcode]
  let maskBit: UInt8 = masked ? 0x80 : 0
  switch payload.count {
  case ...125: bytes.append(maskBit | UInt8(payload.count))
  case ...0xFFFF: bytes += [maskBit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
  default:
    bytes.append(maskBit | 127)
    for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(payload.count >> shift & 0xFF)) }
  }
  if masked { bytes += [0, 0, 0, 0] }
  return bytes + payload
}

func textFrame(_ text: String, final: Bool = true) -> [UInt8] {
  serverFrame(Opcode.text, Array(text.utf8), final: final)
}

func closeFrame(_ code: UInt16, _ reason: String = "") -> [UInt8] {
  serverFrame(Opcode.close, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason.utf8)
}

/// A frame of the client, unmasked again.
struct ClientFrame: Equatable {
  var opcode: UInt8
  var payload: [UInt8]
  var mask: [UInt8] = []
  var isCompressed = false

  static func == (a: Self, b: Self) -> Bool {
    a.opcode == b.opcode && a.payload == b.payload && a.isCompressed == b.isCompressed
  }

  /// Reads masked frames as a server does; nil when something is no whole, final, masked frame.
  static func all(in bytes: [UInt8]) -> [ClientFrame]? {
    var rest = bytes[...]
    var frames: [ClientFrame] = []
    func take(_ count: Int) -> [UInt8]? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    while !rest.isEmpty {
      guard let head = take(2), head[0] & 0xB0 == 0x80, head[1] & 0x80 != 0 else { return nil }
      var length = Int(head[1] & 0x7F)
      if length >= 126 {
        guard let extended = take(length == 126 ? 2 : 8) else { return nil }
        length = extended.reduce(0) { $0 << 8 | Int($1) }
      }
      guard let mask = take(4), let payload = take(length) else { return nil }
      frames.append(
        ClientFrame(
          opcode: head[0] & 0x0F, payload: payload.enumerated().map { $1 ^ mask[$0 % 4] }, mask: mask,
          isCompressed: head[0] & 0x40 != 0))
    }
    return frames
  }
}
