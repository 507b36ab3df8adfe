@testable import WebSocket

/// An event of `FrameReader` with its bytes copied.
enum ReadEvent: Equatable {
  case text(String)
  case binary([UInt8])
  case ping([UInt8])
  case pong([UInt8])
  case close(UInt16?, String)
  case violation(FrameViolation)
}

/// Feeds bytes to a reader in pieces of a size and lists the events up to a violation.
func read(
  _ bytes: [UInt8], pieces: Int = .max, limit: Int = 1 << 20, compression: Compression.Agreement? = nil
) -> [ReadEvent] {
  var reader = FrameReader(maximumMessageBytes: limit)
  if let compression { reader.beginInflating(compression) }
  var events: [ReadEvent] = []
  var rest = bytes[...]
  while !rest.isEmpty {
    let piece = Array(rest.prefix(pieces))
    rest = rest.dropFirst(piece.count)
    let goesOn = piece.withUnsafeBytes { piece in
      reader.begin(piece)
      while true {
        switch reader.next() {
        case .needMore: return true
        case .message(let bytes, let isText):
          events.append(isText ? .text(String(decoding: bytes, as: UTF8.self)) : .binary(Array(bytes)))
        case .ping(let payload): events.append(.ping(Array(payload)))
        case .pong(let payload): events.append(.pong(Array(payload)))
        case .close(let code, let reason):
          events.append(.close(code, String(decoding: reason, as: UTF8.self)))
        case .violation(let violation):
          events.append(.violation(violation))
          return false
        }
      }
    }
    if !goesOn { return events }
  }
  return events
}
