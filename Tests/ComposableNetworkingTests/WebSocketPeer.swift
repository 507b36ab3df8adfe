import CCrypto

/// The server's half of a WebSocket connection (RFC 6455), as far as tests need it.
extension Peer {
  struct Frame: Equatable {
    var opcode: UInt8
    var payload: [UInt8]
    static func text(_ text: String) -> Self { Self(opcode: 1, payload: Array(text.utf8)) }
    static func binary(_ bytes: [UInt8]) -> Self { Self(opcode: 2, payload: bytes) }
    static func close(_ code: UInt16, _ reason: String) -> Self {
      Self(opcode: 8, payload: [UInt8(code >> 8), UInt8(code & 255)] + Array(reason.utf8))
    }
    static func pong(_ payload: [UInt8]) -> Self { Self(opcode: 10, payload: payload) }
  }

  /// Answers the opening request and returns it; takes the first of the offered protocols.
  func upgrade() -> String? {
    guard let head = readHead() else { return nil }
    func field(_ name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }
    let key = (field("Sec-WebSocket-Key") ?? "") + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    var digest = [UInt8](repeating: 0, count: 20)
    SHA1(key, key.utf8.count, &digest)
    var text = [UInt8](repeating: 0, count: 29)
    EVP_EncodeBlock(&text, digest, 20)
    let chosen = field("Sec-WebSocket-Protocol").map {
      "Sec-WebSocket-Protocol: \($0.prefix { $0 != "," })\r\n"
    }
    write(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(String(decoding: text[..<28], as: UTF8.self))\r\n\(chosen ?? "")\r\n")
    return head
  }

  func write(_ frame: Frame) {
    let count = frame.payload.count
    let length: [UInt8] =
      count < 126 ? [UInt8(count)] : [127] + (0..<8).map { UInt8(truncatingIfNeeded: count >> (56 - 8 * $0)) }
    write([0x80 | frame.opcode] + length + frame.payload)
  }

  /// The next frame of the client; short ones only.
  func readFrame() -> Frame? {
    guard let head = read(2), let mask = read(4), let payload = read(Int(head[1] & 0x7F)) else { return nil }
    return Frame(opcode: head[0] & 0x0F, payload: payload.enumerated().map { $1 ^ mask[$0 % 4] })
  }
}
