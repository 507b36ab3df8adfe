/// What a client asks of permessage-deflate (RFC 7692 section 7.1); the defaults ask for nothing special.
///
/// - `serverKeepsContext` (true): false asks the server to compress each message by itself, which spares the
///   client a window of memory and costs compression.
/// - `clientKeepsContext` (true): false says that the client compresses each message by itself.
/// - `serverWindowBits` (nil for any): the most bits, 8 to 15, of the window the server compresses with.
/// - `clientWindowBits` (15): the most bits, 8 to 15, of the client's own window; a server may ask for less.
/// - `minimumBytes` (1,024): smaller messages leave as they are, since the bytes saved would not fill a packet.
package struct Compression: Equatable, Sendable {
  package var serverKeepsContext = true
  package var clientKeepsContext = true
  package var serverWindowBits: Int?
  package var clientWindowBits = 15
  package var minimumBytes = 1024

  /// Asks for permessage-deflate as the server likes it.
  package init() {}

  static let extensionName = "permessage-deflate"
  static let windowBits = 8...15

  /// The offer as `Sec-WebSocket-Extensions` carries it.
  package var offer: String {
    var parts = [Self.extensionName]
    if !serverKeepsContext { parts.append(Parameter.serverNoContextTakeover) }
    if !clientKeepsContext { parts.append(Parameter.clientNoContextTakeover) }
    if let serverWindowBits { parts.append("\(Parameter.serverMaxWindowBits)=\(serverWindowBits)") }
    // Without a value it says that the client can go below 15 when asked.
    parts.append(Parameter.clientMaxWindowBits + (clientWindowBits == 15 ? "" : "=\(clientWindowBits)"))
    return parts.joined(separator: "; ")
  }

  /// What the server's answer agrees to.
  /// - Throws: `Mismatch` for an answer that no offer of this kind allows.
  package func agreement(_ answer: ExtensionHeader.Member) throws(Mismatch) -> Agreement {
    guard answer.name == Self.extensionName else {
      throw Mismatch("an extension that was not offered")
    }
    var agreed = Agreement(
      serverKeepsContext: true, clientKeepsContext: clientKeepsContext, serverWindowBits: 15,
      clientWindowBits: clientWindowBits)
    var names: Set<String> = []
    for (name, value) in answer.parameters {
      guard names.insert(name).inserted else { throw Mismatch("the parameter \(name) twice") }
      switch name {
      case Parameter.serverNoContextTakeover:
        try Self.demandNoValue(name, value)
        agreed.serverKeepsContext = false
      case Parameter.clientNoContextTakeover:
        try Self.demandNoValue(name, value)
        agreed.clientKeepsContext = false
      case Parameter.serverMaxWindowBits:
        agreed.serverWindowBits = try Self.windowBits(name, value, atMost: serverWindowBits ?? 15)
      case Parameter.clientMaxWindowBits:
        agreed.clientWindowBits = try Self.windowBits(name, value, atMost: clientWindowBits)
      default:
        throw Mismatch("a parameter that \(Self.extensionName) does not have")
      }
    }
    guard serverKeepsContext || !agreed.serverKeepsContext else {
      throw Mismatch("\(Self.extensionName) without the \(Parameter.serverNoContextTakeover) asked for")
    }
    guard serverWindowBits == nil || names.contains(Parameter.serverMaxWindowBits) else {
      throw Mismatch("\(Self.extensionName) without the \(Parameter.serverMaxWindowBits) asked for")
    }
    return agreed
  }

  /// What both sides keep to.
  package struct Agreement: Equatable, Sendable {
    /// Whether a message of the server may refer to earlier ones.
    package var serverKeepsContext: Bool
    /// Whether a message of the client may refer to earlier ones.
    package var clientKeepsContext: Bool
    /// The bits of the window that the server compresses with.
    package var serverWindowBits: Int
    /// The bits of the window that the client compresses with.
    package var clientWindowBits: Int
  }

  /// Why an answer agrees to nothing: what was found, as a noun.
  package struct Mismatch: Error, Equatable {
    package var found: String

    init(_ found: String) { self.found = found }
  }

  private enum Parameter {
    static let serverNoContextTakeover = "server_no_context_takeover"
    static let clientNoContextTakeover = "client_no_context_takeover"
    static let serverMaxWindowBits = "server_max_window_bits"
    static let clientMaxWindowBits = "client_max_window_bits"
  }

  private static func demandNoValue(_ name: String, _ value: String?) throws(Mismatch) {
    guard value == nil else { throw Mismatch("a value for \(name), which has none") }
  }

  /// Decimal digits without a leading zero (RFC 7692 section 7.1.2).
  private static func windowBits(
    _ name: String, _ value: String?, atMost limit: Int
  ) throws(Mismatch) -> Int {
    guard let value, let bits = Int(value), String(bits) == value,
      (windowBits.lowerBound...limit).contains(bits)
    else { throw Mismatch("\(name) without a value from \(windowBits.lowerBound) to \(limit)") }
    return bits
  }
}
