extension FunctionSpec {
  /// What the door to Lua itself offers beside Lua's own libraries.
  static let values = [num, eachKey, jsonEncode, jsonDecode, jsonArray, timeNow]

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

  static let timeNow = FunctionSpec(
    "time.now", returns: Result(.integer, "milliseconds since 1970 UTC"),
    summary: "Gives the time of the message in hand", example: "local since = time.now() - state.last_time",
    files: .all)
}
