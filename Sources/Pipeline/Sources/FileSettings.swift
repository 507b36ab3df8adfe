import Scripting

/// The settings of `source.file`, which reads one JSON message from each line of a file.
package struct FileSettings: ComponentSettings, Hashable {
  /// The path the file is opened by.
  package var path: String
  /// Whether the source waits for more at the end, through rotations, instead of ending there.
  package var follows: Bool
  /// Whether a file that is followed counts from its end where there is no stored position.
  package var startsAtEnd: Bool
  /// The silence after which a file that is followed is opened again; nil for any.
  package var staleAfter: Milliseconds?
  /// How a file that can't be read is tried again while it is followed.
  package var reconnect: ReconnectPolicy
  /// The most bytes of one line.
  package var maximumMessageBytes: Int

  /// Makes the settings of a file.
  package init(
    path: String, follows: Bool = false, startsAtEnd: Bool = false, staleAfter: Milliseconds? = nil,
    reconnect: ReconnectPolicy = ReconnectPolicy(), maximumMessageBytes: Int = 4_194_304
  ) {
    self.path = path
    self.follows = follows
    self.startsAtEnd = startsAtEnd
    self.staleAfter = staleAfter
    self.reconnect = reconnect
    self.maximumMessageBytes = maximumMessageBytes
  }

  /// Takes the settings from checked options.
  package init(fields: FieldReader) {
    self.init(
      path: fields.text("path"), follows: fields.boolean("follow"),
      startsAtEnd: fields.text("read_from") == "end", staleAfter: fields.optionalDuration("stale_after"),
      reconnect: ReconnectPolicy(fields: fields.group("reconnect")),
      maximumMessageBytes: Int(fields.integer("max_message_bytes")))
  }

  /// What the machine of the source needs to know.
  package var machine: SourceMachine.Settings {
    guard follows else { return .untilEnd }
    return SourceMachine.Settings(
      connectTimeout: nil, staleAfter: staleAfter,
      afterLoss: reconnect.isEnabled ? .reconnect(reconnect) : .stayIdle)
  }

  /// The declaration of `source.file`.
  package static let spec = ComponentSpec(
    kind: .source, name: "file",
    summary:
      "Reads a message from each line of a file, and then ends or follows what is written to it",
    details: [
      "Where the storage is kept, the source goes on behind what it had read: the position tells the file itself, "
        + "so one that was renamed meanwhile is found beside its old name (prices.ndjson.1) and read to its end "
        + "first, as far as it isn't packed.",
      "A file that is followed may not exist yet. When it is renamed and another takes its place, the old one is "
        + "read until nothing came for a second; when it is cut short (copytruncate), it is read from its start.",
    ],
    fields: [
      FieldSpec(
        "path", .file(mustExist: false), required: true,
        help: "The file, from the folder of the configuration",
        example: "prices.ndjson"),
      FieldSpec(
        "follow", .boolean, default: false,
        help: "Whether the source waits for more at the end of the file, through rotations"),
      FieldSpec(
        "read_from", .choice(["start", "end"]), default: "start",
        help: "Where a file that is followed is read from where no position is stored"),
      FieldSpec(
        "stale_after", .duration(RequestSettings.upToADay),
        help: "The time without any line after which a source that follows its file is stale", example: "10m"),
      FieldSpec(
        "reconnect", .group(ReconnectPolicy.fields), default: [:],
        help: "How a file that can't be read is tried again while it is followed"),
      WebSocketSettings.maximumMessageBytes(of: "line"),
    ] + MessageOptions.fields,
    example: "btc = source.file { path = \"prices.ndjson\", follow = true }",
    neededFiles: { $0.boolean("follow") ? [] : ["path"] },
    check: { fields in
      var faults = RequestSettings.reconnectFaults(fields) + MessageOptions.faults(fields)
      guard !fields.boolean("follow") else { return faults }
      if fields.text("read_from") == "end" {
        faults.append(
          .init("read_from", "\"end\" needs follow = true, since nothing would be read otherwise"))
      }
      if fields.optionalDuration("stale_after") != nil {
        faults.append(
          .init("stale_after", "needs follow = true: a file that is read to its end is never silent"))
      }
      return faults
    })
}
