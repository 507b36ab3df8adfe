import Scripting

extension FieldValidation {
  /// Reads a constructor call such as `source.websocket { … }`; nil if it or one of its options is at fault.
  mutating func component(
    _ value: Value, kind: ComponentKind, name: String, registry: Registry, at place: Place
  ) -> ConfiguredComponent? {
    let place = place.at(line: lineNumber(of: value))
    let known = registry.specs(of: kind).map(\.name)
    guard case .map(let members) = value, let constructor = members["$component"]?.text else {
      let example = known.first.map { ", for example \(kind.rawValue).\($0) { … }" } ?? ""
      let hint = FunctionReference.isFunction(value) ? "; a preset's options stand behind its name" : ""
      add(place, "expected \(kind.noun)\(example), got \(LuaText.found(value))\(hint)")
      return nil
    }
    let given = members["$fields"] ?? .map([:])
    if kind == .source, constructor == PresetSpec.constructor {
      return preset(members["$preset"]?.text ?? "", given, name: name, registry: registry, at: place)
    }
    let parts = constructor.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == kind.rawValue else {
      add(place, "expected \(kind.noun), got \(LuaText.found(value))")
      return nil
    }
    guard let spec = registry.spec(kind, String(parts[1])) else {
      let shown = LuaText.escaped(constructor, limit: 60)
      let hint = Suggestion.hint(for: String(parts[1]), among: known)
      add(place, "unknown component \(shown); \(hint)")
      return nil
    }
    return component(spec, given, name: name, at: place)
  }

  /// Reads what a preset stands for, with what is given beside it.
  private mutating func preset(
    _ preset: String, _ given: Value, name: String, registry: Registry, at place: Place
  ) -> ConfiguredComponent? {
    guard let spec = registry.preset(preset), let base = registry.spec(.source, spec.base) else {
      let hint = Suggestion.hint(for: preset, among: registry.presets.map(\.name))
      add(place, "unknown preset '\(LuaText.escaped(preset, limit: 60))'; \(hint)")
      return nil
    }
    return expand(given, spec, base: base, at: place).flatMap { component(base, $0, name: name, at: place) }
  }

  /// Reads the options of a component.
  private mutating func component(
    _ spec: ComponentSpec, _ given: Value, name: String, at place: Place
  ) -> ConfiguredComponent? {
    guard let fields = fields(given, specs: spec.fields, owner: spec.constructor, at: place) else {
      return nil
    }
    let faults = spec.check(fields)
    for fault in faults {
      add(fault.field.split(separator: ".").reduce(place) { $0.member(String($1)) }, fault.message)
    }
    var isMissing = false
    for name in spec.neededFiles(fields) {
      guard let path = fields.optionalText(name), !fileExists(path) else { continue }
      add(place.member(name), "there is no file \"\(LuaText.escaped(path))\"")
      isMissing = true
    }
    guard faults.isEmpty, !isMissing else { return nil }
    return ConfiguredComponent(name: name, spec: spec, fields: fields, place: place)
  }
}
