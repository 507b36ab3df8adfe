internal import Scripting

/// The settings of `channel.desktop`.
package struct DesktopSettings: ChannelSettings {
  package var command: String
  package var timeout: Milliseconds
  package var policy: DeliveryPolicy

  package init(fields: FieldReader) {
    command = fields.text("command")
    timeout = fields.duration("timeout")
    policy = DeliveryPolicy(fields: fields, timeout: timeout)
  }

  package func makeChannel(name: String, context: ChannelContext) throws(ChannelError) -> any Channel {
    try DesktopChannel(name: name, command: command, timeout: timeout)
  }

  package static let spec = ComponentSpec(
    kind: .channel, name: "desktop", summary: "Shows alerts on the desktop, through notify-send",
    details: [
      "It needs the package libnotify-bin and a desktop session; without them its alerts become dead letters or go to "
        + "the fallback, and the host goes on."
    ],
    fields: [
      FieldSpec(
        "command", .text, default: "notify-send", help: "The program that shows them, found in the path"),
      FieldSpec(
        "timeout", .duration(Milliseconds(1)...Milliseconds.minutes(10)), default: "10s",
        help: "The time that the program may take"),
    ] + DeliveryPolicy.fields(),
    example: "desk = channel.desktop { fallback = \"screen\" }", check: DeliveryPolicy.faults)
}
