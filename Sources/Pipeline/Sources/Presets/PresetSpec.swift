public import Scripting

/// The one declaration of a preset: a source for one public feed, made of another source with most options given.
///
/// Reading a configuration, errors, `pipeline help presets` and the types for editors come from it.
public struct PresetSpec: Sendable {
  /// The name, such as `binance.trades`.
  public var name: String
  /// The source that it stands for, such as `websocket`, whose options can be given beside its own.
  public var base: String
  /// One sentence that says what it receives, without a full stop.
  public var summary: String
  /// What else there is to know, a paragraph each, each of sentences with their full stops.
  public var details: [String]
  /// Its own options, in the order help shows them.
  public var fields: [FieldSpec]
  /// Its own options in the example of its help.
  public var example: [String: Value]
  /// The options of the source that its own options, checked and with defaults filled in, stand for.
  public var options: @Sendable (FieldReader) -> [String: Value]

  /// Declares a preset.
  public init(
    _ name: String, base: String = "websocket", summary: String, details: [String] = [],
    fields: [FieldSpec], example: [String: Value],
    options: @escaping @Sendable (FieldReader) -> [String: Value]
  ) {
    self.name = name
    self.base = base
    self.summary = summary
    self.details = details
    self.fields = fields
    self.example = example
    self.options = options
  }

  /// The name a configuration uses, such as `source.preset "binance.trades"`.
  var constructor: String { "\(Self.constructor) \"\(name)\"" }

  /// What every preset is called by.
  static let constructor = "source.preset"
}

extension PresetSpec {
  /// A use of the preset, as Lua text of a configuration.
  var use: String { "\(constructor) \(LuaText.write(.map(example)))" }

  /// The contradictions of the declaration, each as a sentence; empty for a good one.
  func faults(base: ComponentSpec?) -> [String] {
    guard let base else { return ["there is no source.\(self.base)"] }
    let spec = ComponentSpec(kind: .source, name: "preset", summary: summary, fields: fields, example: use)
    let taken = Set(base.fields.map(\.name))
    return spec.faults()
      + fields.filter { taken.contains($0.name) }.map {
        "the option '\($0.name)' is one of \(base.constructor)"
      }
  }

  /// The options of the source that those of the example stand for; nil where they are at fault.
  var expandedExample: [String: Value]? {
    var validation = FieldValidation()
    let own = validation.fields(
      .map(example), specs: fields, owner: constructor, at: Place(file: "the declaration"))
    return own.map(options)
  }
}

extension FieldValidation {
  /// The options of the source that a preset stands for, those given beside its own in place of its values; nil if
  /// one of its own is at fault.
  mutating func expand(_ given: Value, _ preset: PresetSpec, base: ComponentSpec, at place: Place) -> Value? {
    guard let members = table(given) else {
      add(place, "expected a table of options for \(preset.constructor), got \(LuaText.found(given))")
      return nil
    }
    let names = Set(preset.fields.map(\.name))
    let known = preset.fields.map(\.name) + base.fields.map(\.name)
    let before = findings.count
    unknown(in: members, known: known, of: "option of \(preset.constructor)", at: place)
    let own = members.filter { names.contains($0.key) }
    guard let fields = fields(.map(own), specs: preset.fields, owner: preset.constructor, at: place),
      findings.count == before
    else { return nil }
    let others = members.filter { !names.contains($0.key) }
    return .map(preset.options(fields).merging(others) { _, given in given })
  }
}
