import Scripting

extension FunctionSpec {
  /// The declaration of `source.preset`.
  static let preset = FunctionSpec(
    PresetSpec.constructor,
    parameters: [
      ParameterSpec("name", .text, help: "The name of a preset, such as \"binance.trades\""),
      ParameterSpec(
        "options", .map(of: .anything),
        help: "The preset's own options, and any of the source that it stands for in place of the preset's"),
    ],
    returns: Result(.named(TypeSpec.typeName(of: .source)), "a source"),
    summary: "Makes a source for a public feed that is known; the options stand behind the name",
    example: "trades = source.preset \"binance.trades\" { symbols = { \"BTCUSDT\" } }",
    files: [.configuration])

  /// Lets the options stand behind the name, as in `source.preset "binance.trades" { … }`.
  static let presetPrelude = """
    local preset = source.preset
    local function make(...)
      local good, result = pcall(preset, ...)
      if not good then error(result, 3) end
      return result
    end
    function source.preset(name, ...)
      local made = make(name, ...)
      if made then return made end
      return function(...)
        local made = make(name, ...)
        if not made then error("source.preset: expected one table of options behind the name", 2) end
        return made
      end
    end
    """

  /// Makes what a configuration means by a call; with the name alone it is only looked at.
  static func makePreset(_ arguments: [Value], line: UInt32) throws(HostFunctionError) -> Value? {
    let example = "as in source.preset \"binance.trades\" { symbols = { \"BTCUSDT\" } }"
    guard let name = arguments.first?.text else {
      throw HostFunctionError("expected the name of a preset, \(example)")
    }
    guard arguments.count > 1 else { return nil }
    guard arguments.count == 2 else {
      throw HostFunctionError("expected one table of options behind the name, \(example)")
    }
    return [
      "$component": .text(PresetSpec.constructor), "$preset": .text(name), "$line": .integer(Int64(line)),
      "$fields": arguments[1] == .list([]) ? .map([:]) : arguments[1],
    ]
  }
}
