/// What a server's frame broke, and so why the connection fails.
package enum FrameViolation: Equatable {
  case malformedFrame
  case reservedBits
  case masked
  case unknownOpcode(UInt8)
  case continuationWithoutStart
  case interruptedMessage
  case messageTooBig(limit: Int)
  case invalidText
  case malformedCompression
  case malformedClose
  case closeCode(UInt16)
  case outOfMemory

  /// The code that the answering close frame carries (RFC 6455 section 7.4.1).
  package var closeCode: UInt16 {
    switch self {
    case .messageTooBig, .outOfMemory: CloseCode.messageTooBig
    case .invalidText, .malformedCompression: CloseCode.invalidData
    default: CloseCode.protocolError
    }
  }

  /// One clause that completes "the server …".
  package var text: String {
    switch self {
    case .malformedFrame: "sent a malformed frame"
    case .reservedBits: "sent a frame with reserved bits that no agreed extension allows there"
    case .masked: "sent a masked frame, which only clients may"
    case .unknownOpcode(let opcode): "sent a frame with the unknown opcode \(opcode)"
    case .continuationWithoutStart: "sent a continuation frame outside a message"
    case .interruptedMessage: "began a message inside an unfinished one"
    case .messageTooBig(let limit):
      "sent a message beyond the limit of \(limit) bytes; raise max_message_bytes if it is wanted"
    case .invalidText: "sent text that is not UTF-8"
    case .malformedCompression: "sent a compressed message that cannot be inflated"
    case .malformedClose: "sent a close frame with a single byte"
    case .closeCode(let code): "sent a close frame with the code \(code), which may not be sent"
    case .outOfMemory: "sent a message that no memory could be found for"
    }
  }
}
