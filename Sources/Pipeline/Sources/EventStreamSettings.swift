import Scripting

/// The settings of `source.sse`, which receives server-sent events.
package struct EventStreamSettings: ComponentSettings {
  /// Where to connect, and whom to trust.
  package var request: RequestSettings
  /// The names of the events that are messages; empty for all.
  package var events: Set<String>
  /// The time without a single byte, comments included, after which a connection is given up; nil for any.
  package var idleTimeout: Milliseconds?

  /// Takes the settings from checked options.
  package init(fields: FieldReader) {
    request = RequestSettings(fields: fields)
    events = Set(fields.texts("events"))
    idleTimeout = fields.optionalDuration("idle_timeout")
  }

  /// What the machine of the source needs to know.
  package var machine: SourceMachine.Settings {
    SourceMachine.Settings(
      connectTimeout: request.connectTimeout, staleAfter: request.staleAfter,
      afterLoss: request.reconnect.isEnabled ? .reconnect(request.reconnect) : .stayIdle)
  }

  /// The declaration of `source.sse`.
  package static let spec = ComponentSpec(
    kind: .source, name: "sse",
    summary: "Receives server-sent events, and opens the stream again whenever it ends",
    details: [
      "The data of an event is a message, and its name is ctx.topic, \"message\" where it has none. The id of "
        + "the last event is kept with the state, and after a loss or a restart the server is asked for what "
        + "follows it (Last-Event-ID).",
      "'connect_timeout' covers everything up to the head of the answer. The server's 'retry' is the least "
        + "time before the stream is asked for again; an answer 204 ends the source.",
    ],
    fields: [
      RequestSettings.url("The address of the stream", example: "https://example.org/events"),
      FieldSpec(
        "events", .list(of: .text),
        help: "The names of the events to hand on; without it all", example: ["trade", "quote"]),
      FieldSpec(
        "idle_timeout", .duration(RequestSettings.upToADay),
        help: "The time without a single byte, comments included, after which the connection is given up: "
          + "the way to notice a dead one where the server sends comments to keep it alive",
        example: "45s"),
      RequestSettings.headers,
    ] + RequestSettings.fields(of: "event") + QueueOptions.fields + MessageOptions.fields,
    example: """
      trades = source.sse {
        url = "https://example.org/trades", events = { "trade" },
        idle_timeout = "45s", headers = { Authorization = env "FEED_TOKEN" },
      }
      """,
    check: { fields in
      RequestSettings.faults(
        fields, reserved: ["accept", "cache-control", "last-event-id", "accept-encoding"])
        + MessageOptions.faults(fields) + QueueOptions.faults(fields)
    })
}
