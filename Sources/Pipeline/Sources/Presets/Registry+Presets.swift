import Scripting

extension Registry {
  /// Adds the presets of public feeds.
  package mutating func registerPresets() {
    let presets =
      PresetSpec.binance + PresetSpec.coinbase + PresetSpec.kraken + PresetSpec.okx
    for preset in presets { register(preset) }
  }
}

extension FieldSpec {
  /// The option that says what a preset subscribes to.
  static func symbols(_ help: String, example: [String]) -> FieldSpec {
    FieldSpec(
      "symbols", .list(of: .text), required: true, help: help, example: .list(example.map { .text($0) }))
  }
}
