internal import HTTP
internal import Mail
internal import Scripting

/// The settings of `channel.email`.
package struct EmailSettings: ChannelSettings {
  package var server: Secret
  package var requiresTLS: Bool
  package var user: Secret?
  package var password: Secret?
  package var sender: String
  package var recipients: [String]
  package var transport: TransportSettings
  package var policy: DeliveryPolicy

  package init(fields: FieldReader) {
    server = fields.secret("server")
    requiresTLS = fields.boolean("starttls")
    user = fields.optionalSecret("user")
    password = fields.optionalSecret("password")
    sender = fields.text("from")
    recipients = fields.texts("to")
    transport = TransportSettings(fields: fields)
    policy = DeliveryPolicy(fields: fields, timeout: transport.timeout)
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    var server = MailServer(url: try server.text(forChannel: name))
    server.requiresTLS = requiresTLS
    server.user = try user?.text(forChannel: name) ?? ""
    server.password = try password?.text(forChannel: name) ?? ""
    server.tls = transport.tls
    server.timeout = .milliseconds(transport.timeout.count)
    return EmailChannel(
      name: name, transport: MailTransport(context.transfers, server: server), sender: sender,
      recipients: recipients, now: context.now)
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "email", summary: "Sends alerts as mail, through a server that takes it",
    details: [
      "The Message-ID comes from the alert's id and is the same at each repeat. The mail goes out once the server "
        + "has taken all recipients. Its answers 4xx and broken connections mean another attempt, 5xx and a refused "
        + "password a dead letter, or the fallback."
    ],
    fields: [
      FieldSpec(
        "server", .url(schemes: ["smtp", "smtps"]), required: true,
        help:
          "The server with its port: smtp:// turns to TLS with STARTTLS, smtps:// speaks TLS from the start",
        example: "smtp://mail.example.org:587"),
      FieldSpec(
        "starttls", .boolean, default: true,
        help: "Whether smtp:// must turn to TLS; false only for a relay on the same machine or network"),
      FieldSpec(
        "user", .secretText, help: "The user to log in as, a text or env \"NAME\"",
        example: "alerts@example.org"),
      FieldSpec(
        "password", .secretText, help: "The user's password: env \"NAME\"", example: ["$env": "MAIL_PASSWORD"]
      ),
      FieldSpec("from", .text, required: true, help: "The sender's address", example: "alerts@example.org"),
      FieldSpec(
        "to", .list(of: .text), required: true, help: "The addresses of the recipients",
        example: ["ann@example.org"]),
    ] + TransportSettings.fields(timeout: "30s") + DeliveryPolicy.fields(),
    example: """
      mail = channel.email {
        server = "smtp://mail.example.org:587", user = "alerts@example.org",
        password = env "MAIL_PASSWORD", from = "alerts@example.org",
        to = { "ann@example.org" },
      }
      """,
    check: faults)

  @Sendable private static func faults(_ fields: FieldReader) -> [ComponentSpec.Fault] {
    var faults = DeliveryPolicy.faults(fields)
    func checkAddress(_ text: String, _ field: String) {
      if !MailMessage.isAddress(text) {
        faults.append(
          .init(field, "expected an address such as \"ann@example.org\", got \(LuaText.found(.text(text)))"))
      }
    }
    checkAddress(fields.text("from"), "from")
    let recipients = fields.texts("to")
    for (index, recipient) in recipients.enumerated() { checkAddress(recipient, "to[\(index + 1)]") }
    if recipients.isEmpty { faults.append(.init("to", "expected at least one address, got none")) }
    if (fields.optionalSecret("user") == nil) != (fields.optionalSecret("password") == nil) {
      faults.append(.init("user", "expected both 'user' and 'password', got one"))
    }
    let isPlain = fields.secret("server").literal?.lowercased().hasPrefix("smtp:") ?? true
    if isPlain, !fields.boolean("starttls"), fields.optionalSecret("password") != nil {
      faults.append(
        .init("starttls", "expected true where a password is sent, or everybody on the way could read it"))
    }
    return faults
  }
}
