import Scripting

/// Where the history of one input comes from, with which a script or reducer that has nothing stored is warmed up.
package struct WarmUpSettings: Sendable {
  enum Origin: Sendable {
    /// A recording, or a file of a message a line.
    case file(path: String)
    /// The body of an answer.
    case http(url: Secret, headers: [String: Secret])
  }

  let origin: Origin
  /// How its messages are read; nil for as those of the input's source are.
  let messages: MessageOptions?
  /// The age from which on messages are passed over; nil for any.
  let last: Milliseconds?
  let maximumMessages: Int
  let maximumBytes: Int
  /// How long reading it may take.
  let timeout: Milliseconds
  /// Whether the host doesn't start without it.
  let isRequired: Bool

  /// Takes the settings from checked options that have no ``faults(_:)``.
  init?(fields: FieldReader) {
    switch (fields.optionalText("file"), fields.optionalSecret("http")) {
    case (let path?, nil): origin = .file(path: path)
    case (nil, let url?): origin = .http(url: url, headers: fields.secretMap("headers"))
    default: return nil
    }
    let options = MessageOptions(fields: fields)
    messages = options.isPlain ? nil : options
    last = fields.optionalDuration("last")
    maximumMessages = Int(fields.integer("max_messages"))
    maximumBytes = Int(fields.integer("max_bytes"))
    timeout = fields.duration("timeout")
    isRequired = fields.boolean("required")
  }

  /// The options of the history of one input.
  static let fields: [FieldSpec] =
    [
      FieldSpec(
        "file", .file(mustExist: true),
        help: "A recording, of which the messages of the input's source count, or a file of a message a line",
        example: "history.ndjson.gz"),
      FieldSpec(
        "http", .url(schemes: ["http", "https"]),
        help: "In place of 'file': an address whose answer is the history, asked once at the start",
        example: "https://api.example.org/candles?symbol=BTC&limit=200"),
      RequestSettings.headers,
      FieldSpec(
        "last", .duration(Milliseconds(1)...Milliseconds.minutes(10 * 366 * 24 * 60)),
        help: "Passes over what is older than this at the start", example: "1d"),
      FieldSpec(
        "max_messages", .integer(1...10_000_000), unit: "messages", default: 100_000,
        help: "The most messages; of more the newest count"),
      FieldSpec(
        "max_bytes", .size(1_024...1 << 30), default: "16MiB",
        help: "The most bytes of all messages, of more of which the newest count, or of an answer"),
      FieldSpec(
        "timeout", .duration(Milliseconds(1)...Milliseconds.minutes(60)), default: "30s",
        help: "The time that reading it may take"),
      FieldSpec(
        "required", .boolean, default: false,
        help:
          "Whether the host doesn't start where none of it can be used; otherwise that is told, and the script "
          + "starts cold"),
    ] + MessageOptions.fields

  /// What doesn't fit together.
  static func faults(_ fields: FieldReader) -> [ComponentSpec.Fault] {
    var faults = MessageOptions.faults(fields)
    switch (fields.optionalText("file"), fields.optionalSecret("http")) {
    case (nil, nil):
      faults.append(.init("", "expected 'file' or 'http', got neither; add file = \"history.ndjson\""))
    case (.some, .some):
      faults.append(.init("", "expected either 'file' or 'http', got both; remove one"))
    case (.some, nil):
      if !fields.secretMap("headers").isEmpty { faults.append(.init("headers", "needs 'http'")) }
    case (nil, .some): faults += RequestSettings.headerFaults(fields.secretMap("headers")) { _ in false }
    }
    return faults
  }
}

extension Configuration {
  /// The histories of a script or of a reducer written in Swift, by its inputs.
  func warmUps(of name: String) -> [String: WarmUpSettings] {
    scripts[name]?.warmUps ?? reducers[name]?.warmUps ?? [:]
  }

  /// Whether a script or reducer of this configuration has a history.
  package var hasHistories: Bool {
    scripts.values.contains { !$0.warmUps.isEmpty } || reducers.values.contains { !$0.warmUps.isEmpty }
  }

  /// The source that feeds an input, nil where none does.
  func source(of place: History.Input) -> String? {
    if let reducer = reducers[place.script] { return reducer.inputs[place.input] }
    guard case .source(let name)? = scripts[place.script]?.inputs[place.input] else { return nil }
    return name
  }

  /// How the messages of an input's history are read.
  func historyOptions(of place: History.Input) -> MessageOptions? {
    if let options = warmUps(of: place.script)[place.input]?.messages { return options }
    return source(of: place).flatMap { sources[$0]?.messageOptions }
  }
}
