extension StringProtocol {
  /// True for a token of RFC 9110 section 5.6.2: the form of methods and of header and subprotocol names.
  package var isHTTPToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
      }
  }

  /// Whether it may stand in a header: no control characters but tabs, so that no line ends early.
  package var isHeaderValue: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } }
}
