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
      add(place, "expected \(kind.noun)\(example), got \(LuaText.found(value))")
      return nil
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
    let given = members["$fields"] ?? .map([:])
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
