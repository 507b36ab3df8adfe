extension FunctionSpec {
  /// What the door to Lua itself offers beside Lua's own libraries.
  static let values = [num, eachKey, jsonEncode, jsonDecode, jsonArray, base64Encode, base64Decode, timeNow]

  static let num = FunctionSpec(
    "num",
    parameters: [ParameterSpec("value", .either([.number, .text]), help: "A number, or the text of one")],
    returns: Result(.number, "the value as a float"),
    summary: "Makes a number of a text such as \"67123.45\"", example: "state.price = num(message.bitcoin)",
    files: .all)

  static let eachKey = FunctionSpec(
    "each_key",
    returns: Result(
      .function([], returns: [.text, .map(of: .anything)]), "an iterator over key and read-only state"),
    summary: "Walks the states of all keys of the script",
    example: "for key, s in each_key() do total = total + s.price end", files: .all)

  static let jsonEncode = FunctionSpec(
    "json.encode", parameters: [ParameterSpec("value", .anything, help: "Plain data")],
    returns: Result(.text, "text"), summary: "Writes JSON, keys in order", example: "json.encode({ a = 1 })",
    files: .all)

  static let jsonDecode = FunctionSpec(
    "json.decode", parameters: [ParameterSpec("text", .text, help: "One JSON text")],
    returns: Result(.anything, "plain data"), summary: "Reads JSON", example: "json.decode(\"[1, 2]\")",
    files: .all)

  static let jsonArray = FunctionSpec(
    "json.array",
    parameters: [ParameterSpec("table", .list(of: .anything), optional: true, help: "A list")],
    returns: Result(.list(of: .anything), "the table, which stays a list even when it is empty"),
    summary: "Marks a table as a list", example: "json.array {}", files: .all)

  static let base64Encode = FunctionSpec(
    "base64.encode",
    parameters: [
      ParameterSpec("text", .text, help: "Any bytes"),
      ParameterSpec(
        "form", .choice(["standard", "url"]), optional: true, default: "\"standard\"",
        help: "\"url\" writes - and _ in place of + and /, and no padding"),
    ],
    returns: Result(.text, "base64"),
    summary: "Writes bytes as base64 (RFC 4648), as for a login in a header",
    example: "base64.encode(env \"API_USER\" .. \":\" .. env \"API_PASSWORD\")", files: .all)

  static let base64Decode = FunctionSpec(
    "base64.decode",
    parameters: [ParameterSpec("text", .text, help: "Base64 of either form, with or without padding")],
    returns: Result(.text, "the bytes"), summary: "Reads base64; anything else is an error",
    example: "local claims = json.decode(base64.decode(token:match(\"%.(.-)%.\")))", files: .all)

  static let timeNow = FunctionSpec(
    "time.now", returns: Result(.integer, "milliseconds since 1970 UTC"),
    summary: "Gives the time of the message in hand", example: "local since = time.now() - state.last_time",
    files: .all)
}
