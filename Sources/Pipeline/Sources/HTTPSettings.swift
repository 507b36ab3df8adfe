import HTTP
import Scripting

/// The settings of `source.http`, which asks a server for its latest word now and then.
package struct HTTPSettings: ComponentSettings {
  /// Where to ask, and whom to trust.
  package var request: RequestSettings
  /// The method of the requests.
  package var method: String
  /// The body of the requests, nil for none.
  package var body: MessageTemplate?
  /// The time from the start of one request to that of the next.
  package var every: Milliseconds
  /// The most that chance adds to it.
  package var jitter: Milliseconds
  /// The time that a request and its answer may take together.
  package var timeout: Milliseconds
  /// Whether a body that is the same as the one before is a message again.
  package var sendsUnchanged: Bool
  /// How answers are compressed, nil for not at all.
  var decompress: MessageInflater.Form?

  /// Takes the settings from checked options.
  package init(fields: FieldReader) {
    request = RequestSettings(fields: fields)
    body = fields.optionalMessage("body")
    method = fields.optionalText("method") ?? (body == nil ? "GET" : "POST")
    every = fields.duration("every")
    jitter = fields.optionalDuration("jitter") ?? Milliseconds(every.count / 10)
    timeout = fields.duration("timeout")
    sendsUnchanged = fields.text("unchanged") == "send"
    decompress = MessageInflater.form(fields)
  }

  /// What the machine of the source needs to know: an attempt is bounded by the time-out of its request.
  package var machine: SourceMachine.Settings {
    SourceMachine.Settings(
      connectTimeout: nil, staleAfter: request.staleAfter,
      afterLoss: request.reconnect.isEnabled ? .reconnect(request.reconnect) : .stayIdle)
  }

  /// The declaration of `source.http`.
  package static let spec = ComponentSpec(
    kind: .source, name: "http", summary: "Asks a web address now and then, each answer being a message",
    details: [
      "The source is connected once an answer came, and disconnected by a request without one or with a status "
        + "other than 2xx; then it is asked again by the rules of 'reconnect', never before the server's "
        + "Retry-After. If the server marks its answers (ETag, Last-Modified), it is asked only for what is new.",
      "Answers that repeat the one before are no messages, and count for 'stale_after' as silence, unless "
        + "'unchanged' says otherwise.",
    ],
    fields: [
      RequestSettings.url("The address to ask", example: "https://example.org/status.json"),
      FieldSpec(
        "every", .duration(Milliseconds(100)...Milliseconds.minutes(7 * 24 * 60)), default: "60s",
        help: "The time from one request to the next"),
      FieldSpec(
        "jitter", .duration(.zero...Milliseconds.minutes(24 * 60)),
        help: "The most that chance adds to each of these times, so that clients don't ask in step; "
          + "without it a tenth of 'every'",
        example: "5s"),
      FieldSpec(
        "timeout", .duration(RequestSettings.upToADay), default: "30s",
        help: "The time that a request and its whole answer may take"),
      RequestSettings.headers,
      FieldSpec(
        "method", .choice(["GET", "POST", "PUT"]),
        help: "The method; without it GET, or POST where there is a body"),
      FieldSpec(
        "body", .message, help: "The body to send: a text as it is, a table as JSON",
        example: ["query": "latest"]),
      FieldSpec(
        "unchanged", .choice(["skip", "send"]), default: "skip",
        help: "What becomes of an answer that is the same as the one before"),
      MessageInflater.field("How answers are compressed, beyond what their headers say"),
    ] + RequestSettings.fields(of: "answer") + QueueOptions.fields + MessageOptions.fields,
    example: """
      status = source.http {
        url = "https://example.org/status.json", every = "30s", timeout = "10s",
        headers = { Authorization = env "STATUS_TOKEN" }, stale_after = "10m",
      }
      """,
    check: { fields in
      let asked: Set = ["if-none-match", "if-modified-since", "accept-encoding", "expect"]
      var faults =
        RequestSettings.faults(fields, reserved: asked) + MessageOptions.faults(fields)
        + QueueOptions.faults(fields)
      if fields.optionalText("method") == "GET", fields.optionalMessage("body") != nil {
        faults.append(.init("method", "expected \"POST\" or \"PUT\" beside 'body', got \"GET\""))
      }
      return faults
    })
}
