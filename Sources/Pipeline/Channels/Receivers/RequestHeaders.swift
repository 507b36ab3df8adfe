internal import Composable
internal import HTTP
internal import Scripting

/// The headers that a configuration adds to requests.
struct RequestHeaders: Sendable {
  /// In the order of their names.
  let fields: [HTTPClient.Field]

  /// Takes the values, which may come from the environment.
  init(_ headers: [String: Secret], forChannel name: String) throws(ChannelError) {
    var fields: [HTTPClient.Field] = []
    for (header, secret) in headers.sorted(by: { $0.key < $1.key }) {
      let value = try secret.text(forChannel: name)
      guard value.isHeaderValue else {
        throw ChannelError("the header \(header) of the channel '\(name)' holds a control character")
      }
      fields.append(HTTPClient.Field(header, value))
    }
    self.fields = fields
  }

  /// What no text may show.
  var secrets: [String] { fields.map(\.value) }

  /// The fields, and that the body is JSON unless they name another type.
  var withJSON: [HTTPClient.Field] {
    let namesType = fields.contains { $0.name.lowercased() == "content-type" }
    return namesType ? fields : fields + [.json]
  }

  /// The option.
  static let field = FieldSpec(
    "headers", .map(of: .secretText), help: "Headers to add, each a text or env \"NAME\"",
    example: ["Authorization": "Bearer …"])

  /// The faults of the option.
  static func faults(_ fields: FieldReader) -> [ComponentSpec.Fault] {
    let reserved = ["connection", "content-length", "host", "idempotency-key", "transfer-encoding"]
    return fields.secretMap("headers").sorted { $0.key < $1.key }.compactMap { name, value in
      if !name.isHTTPToken || reserved.contains(name.lowercased()) {
        return ComponentSpec.Fault("headers", "the header \(LuaText.found(.text(name))) can't be set")
      }
      guard value.literal?.isHeaderValue == false else { return nil }
      return ComponentSpec.Fault("headers", "the header \(name) holds a control character")
    }
  }
}
