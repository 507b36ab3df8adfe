import HTTP
import Scripting

@testable import Pipeline

/// Channels and settings as a configuration would make them.
enum ConfiguredChannel {
  /// Settings from options, with every finding.
  static func settings<Settings: ComponentSettings>(
    _ type: Settings.Type, _ options: [String: Value]
  ) -> (settings: Settings?, findings: [String]) {
    var validation = FieldValidation(folder: "demo/", fileExists: { $0 != "demo/missing" })
    validation.names[.channel] = ["log", "phone", "screen"]
    let call: Value = ["$component": .text(type.spec.constructor), "$line": 7, "$fields": .map(options)]
    let component = validation.component(
      call, kind: .channel, name: "phone", registry: .builtIn,
      at: Place(file: "c.lua", path: "channels.phone"))
    return (component.map { type.init(fields: $0.fields) }, validation.findings.sorted.map(\.description))
  }

  /// A channel named `phone` from options that have no fault.
  static func make<Settings: ChannelSettings>(
    _ type: Settings.Type, _ options: [String: Value], _ context: ChannelContext = ChannelContext()
  ) throws -> any Channel {
    let (settings, findings) = settings(type, options)
    guard let settings else { throw ChannelError(findings.joined(separator: "\n")) }
    return try settings.makeChannel(name: "phone", context: context)
  }
}

extension Alert {
  /// An alert of a rule about a key.
  static func sample(
    kind: Kind = .firing, severity: Severity = .warning, key: String = "btc",
    text: String = "bitcoin at 70010.00", labels: [String: String] = [:]
  ) -> Alert {
    Alert(
      id: "0123456789abcdef0123456789abcdef", name: "over level", script: "prices", key: key, kind: kind,
      severity: severity, text: text, time: Timestamp(milliseconds: 1_767_225_600_000), value: 70_010,
      labels: labels)
  }
}
