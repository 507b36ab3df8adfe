import Pipeline

extension Command {
  /// `alerts retry`: sends dead letters again.
  static let retry = Command(
    name: "alerts retry", summary: "Sends dead letters again",
    operands: [Operand(name: "CONFIG"), Operand(name: "ID", isOptional: true)],
    options: [
      OptionDeclaration("channel", .text(placeholder: "NAME"), "those of a channel"),
      OptionDeclaration("all", .flag, "all of them"),
    ],
    details: [
      "A dead letter goes once more to the channel that could not deliver it, under the same id, with all attempts and "
        + "its whole max_age before it. A host that runs begins within a second, another one when it starts. "
        + "'pipeline alerts --failed --format json' tells the ids."
    ],
    examples: [
      "pipeline alerts retry config.lua --channel phone",
      "pipeline alerts retry config.lua 0a1b2c3d4e5f60718293a4b5c6d7e8f9",
    ]
  ) { arguments, console in
    onStorage(arguments, console) { stored in
      let id = arguments.operands.dropFirst().first
      let channel = arguments.text("channel")
      guard arguments.has("all") ? id == nil && channel == nil : id != nil || channel != nil else {
        throw UsageError("'alerts retry' needs the ID of an alert, --channel NAME, or --all")
      }
      let channels = stored.configuration.channels.keys
      if let channel, !channels.contains(channel) {
        throw UsageError(
          "the configuration has no channel '\(UsageError.shown(channel))'; "
            + Suggestion.hint(for: channel, among: channels.sorted()))
      }
      let count = try StorageDesk(stored.reader).resend(alert: id, channel: channel)
      guard count > 0 else {
        console.complain(
          "there is no such dead letter; 'pipeline alerts CONFIG --failed' lists those there are")
        return .failure
      }
      return console.print("\(counted(count, "dead letter")) to be sent again\n") ?? .success
    }
  }
}
