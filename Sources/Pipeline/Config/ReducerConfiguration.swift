import Scripting

/// A reducer written in Swift as a configuration uses it.
public struct ReducerConfiguration: Sendable {
  /// The name the configuration gives it.
  public let name: String
  /// The reducer with its options.
  public let component: ConfiguredComponent
  /// The source that each input is fed from, by the input's name.
  public let inputs: [String: String]
  /// The histories that the reducer's inputs are warmed up with, by the input's name.
  package let warmUps: [String: WarmUpSettings]
  /// Where the configuration names it.
  public let place: Place
}

extension ConfigurationReading {
  /// Whether a member of the scripts is a reducer of this program in place of a file.
  func isReducer(_ value: Value) -> Bool {
    !registry.specs(of: .reducer).isEmpty && validation.table(value)?["reducer"] != nil
  }

  /// The members of the scripts that are reducers of this program.
  mutating func reducers(_ members: [String: Value]) -> [String: ReducerConfiguration] {
    var reducers: [String: ReducerConfiguration] = [:]
    let fields = ScriptConfiguration.fields.filter { ["from", "warm_up"].contains($0.name) }
    for (name, value) in members where isReducer(value) {
      guard var options = validation.table(value), let reducer = options.removeValue(forKey: "reducer") else {
        continue
      }
      let place = Place(file: file, path: "scripts").member(name).at(line: lineNumber(of: value))
      guard
        let reader = validation.fields(.map(options), specs: fields, owner: "a reducer", at: place),
        let component = validation.component(
          reducer, kind: .reducer, name: name, registry: registry, at: place.member("reducer"))
      else { continue }
      var inputs: [String: String] = [:]
      let from = place.member("from")
      for (input, origin) in self.inputs(reader.optionalValue("from") ?? [:], scripts: [], at: from) {
        if case .source(let source) = origin { inputs[input] = source }
      }
      reducers[name] = ReducerConfiguration(
        name: name, component: component, inputs: inputs,
        warmUps: warmUps(reader.groupMap("warm_up"), at: place.member("warm_up")), place: place)
    }
    return reducers
  }
}
