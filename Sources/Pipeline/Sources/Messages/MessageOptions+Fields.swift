import Scripting

extension MessageOptions {
  private static func path(_ name: String, required: Bool = false, _ help: String, example: Value)
    -> FieldSpec
  {
    FieldSpec(name, .text, required: required, help: help, example: example)
  }

  /// The options of every source whose messages scripts get.
  package static let fields: [FieldSpec] = [
    FieldSpec(
      "decode", .choice(Decoding.allCases.map(\.rawValue)), default: "json",
      help: "What a message is: JSON, JSON line by line, or text as it is"),
    FieldSpec(
      "split", .choice(Split.allCases.map(\.rawValue)),
      help:
        "Makes many messages of one: each item of a list, or each member of a table as its key and value; "
        + "what is neither passes as it is"),
    path(
      "split_field",
      "The field that is split, with dots between the names on the way; else the whole message",
      example: "data"),
    FieldSpec(
      "numbers", .list(of: .text),
      help: "Fields whose texts are numbers, with dots between the names on the way; they arrive as numbers, "
        + "also those within a list or a table that is named",
      example: ["p", "q"]),
    FieldSpec(
      "time",
      .group([
        path("field", required: true, "The field, with dots between the names on the way", example: "E"),
        FieldSpec(
          "unit", .choice(TimeUnit.allCases.map(\.rawValue)), default: "ms",
          help: "What it counts since 1970 UTC, or text for a date and time in words"),
      ]),
      help:
        "When it happened, for ctx.time; without it that is when it came in. A message older than the one "
        + "before it of its key is late (ctx.late), and no news to rules unless they accept_late",
      example: ["field": "E", "unit": "ms"]),
    FieldSpec(
      "sequence",
      .group([
        path(
          "last", required: true, "The number of the message, or the last one that it covers", example: "u"),
        path("first", "The first number that it covers", example: "U"),
        path("previous", "The last number of the message before it", example: "pu"),
        path(
          "key", "What has numbers of its own, such as a symbol; without it the source as a whole",
          example: "s"),
        FieldSpec(
          "per_connection", .boolean, default: false, help: "Whether the numbers begin anew at each connect"),
      ]),
      help:
        "The fields that number messages, with dots between the names on the way. M.events.gap is told of "
        + "what is missing, repeated or begun anew before the message that shows it; repeated ones are skipped. A "
        + "restart of the program is a gap of its own, and numbers are compared anew from there",
      example: ["first": "U", "last": "u", "key": "s"]),
    path(
      "id",
      "The field that tells messages apart; one that was there before is repeated, also over connects, but not "
        + "over a restart of the program",
      example: "t"),
    path(
      "id_key", "What has ids of its own, such as a symbol; without it an id stands for one message alone",
      example: "s"),
    FieldSpec(
      "id_window", .integer(1...10_000_000), unit: "messages", default: 10_000,
      help: "How many ids are remembered"),
    FieldSpec(
      "repeated", .choice(["skip", "mark"]), default: "skip",
      help:
        "What becomes of a repeated message: it is skipped, or handled with ctx.replayed, when rules ignore it"
    ),
  ]

  /// The faults in the options.
  static func faults(_ fields: FieldReader) -> [ComponentSpec.Fault] {
    var paths: [(String, String?)] = [
      ("split_field", fields.optionalText("split_field")), ("id", fields.optionalText("id")),
      ("id_key", fields.optionalText("id_key")),
    ]
    for (index, path) in fields.texts("numbers").enumerated() {
      paths.append(("numbers[\(index + 1)]", path))
    }
    paths.append(("time.field", fields.optionalGroup("time")?.text("field")))
    if let sequence = fields.optionalGroup("sequence") {
      for name in ["last", "first", "previous", "key"] {
        paths.append(("sequence.\(name)", sequence.optionalText(name)))
      }
    }
    var faults: [ComponentSpec.Fault] = paths.compactMap { name, path in
      guard let path, path.split(separator: ".", omittingEmptySubsequences: false).contains("") else {
        return nil
      }
      return .init(name, "expected names with dots between, got \(LuaText.found(.text(path)))")
    }
    if fields.optionalText("split_field") != nil, fields.optionalText("split") == nil {
      faults.append(.init("split_field", "needs 'split', which says how it is split"))
    }
    if fields.optionalText("id_key") != nil, fields.optionalText("id") == nil {
      faults.append(.init("id_key", "needs 'id', which names the field that tells messages apart"))
    }
    if fields.text("decode") == "text" {
      for name in ["split", "id"] where fields.optionalText(name) != nil {
        faults.append(.init(name, "can't be used with decode = \"text\", which has no fields"))
      }
      for name in ["time", "sequence"] where fields.optionalGroup(name) != nil {
        faults.append(.init(name, "can't be used with decode = \"text\", which has no fields"))
      }
    }
    return faults
  }
}
