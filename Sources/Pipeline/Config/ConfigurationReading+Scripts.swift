import Scripting

extension ConfigurationReading {
  mutating func scripts(_ members: [String: Value]) -> [String: ScriptConfiguration] {
    var scripts: [String: ScriptConfiguration] = [:]
    let names = members.keys.sorted()
    for name in names {
      guard let value = members[name] else { continue }
      let place = Place(file: file, path: "scripts").member(name).at(line: lineNumber(of: value))
      checkName(name, at: place)
      guard !isReducer(value) else { continue }
      scripts[name] = script(name, value, scripts: names, at: place)
    }
    return scripts
  }

  private mutating func script(
    _ name: String, _ value: Value, scripts: [String], at place: Place
  ) -> ScriptConfiguration? {
    guard
      let fields = validation.fields(value, specs: ScriptConfiguration.fields, owner: "a script", at: place)
    else { return nil }
    let file = scriptFile(fields, at: place)
    let path = validation.path(file ?? "")
    let inputs = fields.optionalValue("from").map {
      self.inputs($0, scripts: scripts, at: place.member("from"))
    }
    let outputs = fields.textMap("outputs")
    let known = Set((validation.names[.channel] ?? []) + (validation.names[.source] ?? []))
    for (output, target) in outputs where !known.contains(target) {
      validation.add(
        place.member("outputs").member(output),
        "unknown channel or source '\(LuaText.escaped(target, limit: 60))'; "
          + Suggestion.hint(for: target, among: known))
    }
    let warmUps = warmUps(fields.groupMap("warm_up"), at: place.member("warm_up"))
    guard let file else { return nil }
    return ScriptConfiguration(
      name: name, file: file, path: path, inputs: inputs ?? [:],
      parameters: fields.valueMap("params"), limits: ScriptLimits(fields: fields.group("limits")),
      outputs: outputs, hosts: fields.texts("hosts").map { $0.lowercased() }, warmUps: warmUps,
      place: place)
  }

  /// The histories of a script or reducer by its inputs.
  mutating func warmUps(_ groups: [String: FieldReader], at place: Place) -> [String: WarmUpSettings] {
    var warmUps: [String: WarmUpSettings] = [:]
    for (input, fields) in groups.sorted(by: { $0.key < $1.key }) {
      let place = place.member(input)
      for fault in WarmUpSettings.faults(fields) {
        validation.add(
          fault.field.split(separator: ".").reduce(place) { $0.member(String($1)) }, fault.message)
      }
      warmUps[input] = WarmUpSettings(fields: fields)
    }
    return warmUps
  }

  /// The file that 'file' names, or that of the folder that 'plugin' names; nil where it can't be one.
  private mutating func scriptFile(_ fields: FieldReader, at place: Place) -> String? {
    switch (fields.optionalText("file"), fields.optionalText("plugin")) {
    case (let file?, nil):
      let path = validation.path(file)
      if !validation.fileExists(path) {
        validation.add(
          place.member("file"),
          "there is no file \"\(LuaText.escaped(path))\"; create it or correct the name")
      }
      return file
    case (nil, var folder?):
      while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
      let file = "\(folder)/\(ScriptConfiguration.pluginFile)"
      let path = validation.path(file)
      if !validation.fileExists(path) {
        validation.add(
          place.member("plugin"),
          "there is no plugin in this folder: expected the file \"\(LuaText.escaped(path))\"; "
            + "'pipeline new --plugin DIR' makes one")
      }
      return file
    case (nil, nil):
      validation.add(
        place, "expected 'file', the script, or 'plugin', the folder of one; add file = \"alert.lua\"")
    case (.some, .some):
      validation.add(place, "expected either 'file' or 'plugin', got both; remove one")
    }
    return nil
  }

  /// The inputs of a script: `{ price = "btc" }`, or `{ "btc" }` where the input has the origin's own name.
  mutating func inputs(
    _ value: Value, scripts: [String], at place: Place
  ) -> [String: InputOrigin] {
    var inputs: [String: InputOrigin] = [:]
    switch value {
    case .list(let elements):
      for (index, element) in elements.enumerated() {
        let place = place.element(index + 1)
        guard let origin = origin(element, scripts: scripts, at: place) else { continue }
        let name =
          switch origin {
          case .source(let name): name
          case .topic(_, let topic): topic
          }
        if inputs.updateValue(origin, forKey: name) != nil {
          validation.add(place, "the input '\(name)' is given twice; name them as in { a = \"\(origin)\" }")
        }
      }
    case .map(let members):
      for (name, member) in members {
        let place = place.member(name)
        checkName(name, at: place)
        inputs[name] = origin(member, scripts: scripts, at: place)
      }
    default:
      let example = value.text.map { ", for example { \"\(LuaText.escaped($0, limit: 60))\" }" } ?? ""
      validation.add(place, "expected a table of sources\(example), got \(LuaText.found(value))")
    }
    return inputs
  }

  private mutating func origin(_ value: Value, scripts: [String], at place: Place) -> InputOrigin? {
    guard let text = value.text else {
      validation.add(
        place,
        "expected the name of a source or a topic such as \"script.topic\", got \(LuaText.found(value))")
      return nil
    }
    let shown = LuaText.escaped(text, limit: 60)
    guard let dot = text.firstIndex(of: ".") else {
      let known = validation.names[.source] ?? []
      guard known.contains(text) else {
        let isScript = scripts.contains(text)
        let hint =
          isScript
          ? "a script is named with its topic, as in \"\(shown).topic\""
          : Suggestion.hint(for: text, among: known)
        validation.add(place, "unknown source '\(shown)'; \(hint)")
        return nil
      }
      return .source(text)
    }
    let script = String(text[..<dot])
    let topic = String(text[text.index(after: dot)...])
    guard scripts.contains(script) else {
      let unknown = LuaText.escaped(script, limit: 60)
      let hint = Suggestion.hint(for: script, among: scripts)
      validation.add(place, "unknown script '\(unknown)' in \"\(shown)\"; \(hint)")
      return nil
    }
    guard !topic.isEmpty else {
      validation.add(place, "expected a topic after the dot, got \"\(shown)\"")
      return nil
    }
    return .topic(script: script, topic: topic)
  }
}
