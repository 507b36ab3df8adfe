/// The codes of a close frame and which of them may travel (RFC 6455 section 7.4, IANA registry).
package enum CloseCode {
  /// The purpose of the connection was fulfilled.
  package static let normal: UInt16 = 1000
  /// An endpoint is going away.
  package static let goingAway: UInt16 = 1001
  /// A frame broke the protocol.
  package static let protocolError: UInt16 = 1002
  /// Never sent: stands for a close frame without a code.
  package static let noStatus: UInt16 = 1005
  /// Never sent: stands for a connection that ended without a close frame.
  package static let abnormal: UInt16 = 1006
  /// A text message was not UTF-8.
  package static let invalidData: UInt16 = 1007
  /// A message was larger than the receiver takes.
  package static let messageTooBig: UInt16 = 1009

  /// Tells whether a close frame may carry a code, in either direction.
  ///
  /// True for 1000 to 1003, 1007 to 1014 and 3000 to 4999; the codes between are reserved, unassigned or stand
  /// for events that never travel.
  package static func mayTravel(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
