import Scripting

extension ScriptConfiguration {
  /// The options of one script. What `from` and `outputs` name is checked where they are read.
  static let fields: [FieldSpec] = [
    FieldSpec(
      "file", .text,
      help:
        "The script's file, from the folder of the configuration; or give 'plugin'. Modules are found from the "
        + "script's own folder: require(\"lib.prices\") reads lib/prices.lua there",
      example: "alert.lua"),
    FieldSpec(
      "plugin", .text,
      help: "In place of 'file': a folder whose plugin.lua is the script, with its modules, test and README",
      example: "plugins/threshold"),
    FieldSpec(
      "from", .value,
      help:
        "What feeds each input of the script: a source, or a topic of another script as \"script.topic\"; "
        + "{ \"btc\" } is short for { btc = \"btc\" }",
      example: ["price": "btc", "bars": "maker.bars"]),
    FieldSpec(
      "params", .map(of: .value), help: "Parameters of the script, in place of its own defaults",
      example: ["level": 70_000]),
    FieldSpec(
      "limits", .group(ScriptLimits.fields), default: [:],
      help: "What the script may use; a message that takes more is undone and put into quarantine"),
    FieldSpec(
      "outputs", .map(of: .text),
      help: "The channel or source that each output of the script leads to, by the names the script uses",
      example: ["log": "bars_file"]),
    FieldSpec(
      "hosts", .list(of: .text),
      help: "The hosts that the script may send HTTP requests to; \"*\" for any, which follows redirects too",
      example: ["api.example.org"]),
    FieldSpec(
      "warm_up", .map(of: .group(WarmUpSettings.fields)), default: [:],
      help:
        "The history that an input's handler sees before the first live message, in the order of time and with "
        + "ctx.replayed, as long as nothing of the script is stored: state goes on from it and rules know where they "
        + "stand, but nothing leaves. An input that nothing else feeds may have one. Without options of their own, "
        + "its messages are read as those of the input's source are",
      example: ["price": ["file": "history.ndjson"]]),
  ]

  /// The script of a plugin's folder.
  package static let pluginFile = "plugin.lua"

  /// A use of the options, as Lua text of a configuration.
  static let example = """
    scripts = {
      btc_alert = {
        file = "alert.lua", from = { price = "btc" }, params = { level = 70000 },
      },
    }
    """
}
