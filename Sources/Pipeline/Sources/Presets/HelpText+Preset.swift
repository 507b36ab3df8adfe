import Scripting

extension HelpText {
  /// Adds the presets with what they are for.
  mutating func presets(_ presets: [PresetSpec]) {
    heading("Presets of public feeds")
    columns(presets.map { ($0.name, $0.summary) })
    if presets.isEmpty { return paragraph("There is none.") }
    lines.append("")
    paragraph(
      "\(PresetSpec.constructor) \"NAME\" { … } makes a source of one; 'pipeline help presets.NAME' shows it."
    )
  }

  /// Adds everything about a preset: its own options, and what its example stands for.
  mutating func preset(_ preset: PresetSpec, base: ComponentSpec) {
    heading(preset.constructor)
    paragraph(preset.summary + ".")
    for detail in preset.details {
      lines.append("")
      paragraph(detail)
    }
    heading("Options")
    fields(preset.fields)
    lines.append("")
    paragraph("Any option of \(base.constructor) can stand beside them, in place of the preset's value.")
    heading("Example")
    let use = LuaText.lines(
      .map(preset.example), prefix: "feed = \(preset.constructor) ", width: Self.width - 2)
    verbatim(use.joined(separator: "\n"))
    heading("What the example stands for")
    let whole = Value.map(preset.expandedExample ?? [:])
    let text = LuaText.lines(whole, prefix: "feed = \(base.constructor) ", width: Self.width - 2)
    verbatim(text.joined(separator: "\n"))
  }
}
