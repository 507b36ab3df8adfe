import Scripting

/// One reading of a configuration: the sections in turn, each against the names of the others.
struct ConfigurationReading {
  static let sections = ["sources", "scripts", "channels", "routes", "storage"]

  let file: String
  let registry: Registry
  var validation: FieldValidation

  init(file: String, registry: Registry, fileExists: @escaping (String) -> Bool) {
    self.file = file
    self.registry = registry
    let folder = file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    validation = FieldValidation(folder: folder, fileExists: fileExists)
  }

  mutating func read(_ value: Value, needsScripts: Bool) -> Configuration? {
    let place = Place(file: file)
    guard let members = validation.table(value) else {
      validation.add(
        place,
        "expected the file to return a table of sources, scripts and channels, "
          + "got \(LuaText.found(value))")
      return nil
    }
    validation.unknown(in: members, known: Self.sections, of: "section", at: place)
    let sections = ["sources", "scripts", "channels"].reduce(into: [:]) { tables, name in
      tables[name] = section(name, of: members)
    }
    validation.names = [
      .source: (sections["sources"] ?? [:]).keys.sorted(),
      .channel: (sections["channels"] ?? [:]).filter { takesAlerts($0.value) }.keys.sorted(),
    ]
    if sections["sources"]?.isEmpty == true {
      validation.add(
        place.member("sources"),
        "expected at least one source, got none; add one such as feed = source.simulated {}")
    }
    if needsScripts, sections["scripts"]?.isEmpty == true {
      validation.add(
        place.member("scripts"),
        "expected at least one script, got none; add one such as "
          + "watch = { file = \"watch.lua\", from = { \"feed\" } }")
    }
    let sources = components(sections["sources"] ?? [:], kind: .source)
    let channels = components(sections["channels"] ?? [:], kind: .channel)
    let reducers = reducers(sections["scripts"] ?? [:])
    let scripts = scripts(sections["scripts"] ?? [:])
    let routes = routes(members["routes"])
    let storage = members["storage"].flatMap {
      validation.component(
        $0, kind: .storage, name: "storage", registry: registry, at: place.member("storage"))
    }
    let order = ScriptOrder(scripts)
    for circle in order.circles {
      let script = scripts[circle[0]]
      validation.add(
        script?.place.member("from") ?? place.member("scripts"),
        "scripts feed each other in a circle: \((circle + [circle[0]]).joined(separator: " → ")); "
          + "take one of these out of its 'from'")
    }
    guard validation.findings.isEmpty else { return nil }
    return Configuration(
      file: file, sources: sources, scripts: scripts, reducers: reducers, channels: channels, routes: routes,
      storage: storage, lasting: Configuration.lasting(value), scriptOrder: order.names)
  }

  /// Whether a channel can be sent alerts, as far as it can be told which one is meant.
  private func takesAlerts(_ channel: Value) -> Bool {
    guard let constructor = channel["$component"]?.text, constructor.hasPrefix("channel.") else {
      return true
    }
    return registry.spec(.channel, String(constructor.dropFirst("channel.".count)))?.takesAlerts ?? true
  }

  /// The members of a section; nil, with a finding, if it is no table of named values.
  private mutating func section(_ name: String, of members: [String: Value]) -> [String: Value]? {
    guard let value = members[name] else { return [:] }
    guard let table = validation.table(value) else {
      let place = Place(file: file, line: lineNumber(of: value), path: name)
      validation.add(place, "expected a table of named \(name), got \(LuaText.found(value))")
      return nil
    }
    return table
  }

  private mutating func components(
    _ members: [String: Value], kind: ComponentKind
  ) -> [String: ConfiguredComponent] {
    var components: [String: ConfiguredComponent] = [:]
    for (name, value) in members {
      let place = Place(file: file, path: kind.section).member(name)
      checkName(name, at: place.at(line: lineNumber(of: value)))
      components[name] = validation.component(value, kind: kind, name: name, registry: registry, at: place)
    }
    return components
  }

  /// Reports a name of a source, channel or script that can't be told apart in paths and commands.
  mutating func checkName(_ name: String, at place: Place) {
    let isGood =
      !name.isEmpty && name.utf8.count <= 64
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
    guard !isGood else { return }
    validation.add(
      place,
      "expected a name of up to 64 letters, digits, '_' and '-', got "
        + LuaText.found(.text(name)))
  }

  /// The routes, with the names in each `to` checked; the rest of a route is read where alerts are routed.
  private mutating func routes(_ value: Value?) -> [Value] {
    guard let value else { return [] }
    let place = Place(file: file, line: lineNumber(of: value), path: "routes")
    guard let elements = validation.elements(value) else {
      validation.add(place, "expected a list of routes, got \(LuaText.found(value))")
      return []
    }
    for (index, route) in elements.enumerated() {
      let place = place.element(index + 1).at(line: lineNumber(of: route))
      guard let members = validation.table(route) else {
        validation.add(place, "expected a route such as { to = { \"screen\" } }, got \(LuaText.found(route))")
        continue
      }
      guard let to = members["to"] else {
        validation.add(place.member("to"), "missing; a route needs the names of its channels, or {} to drop")
        continue
      }
      _ = validation.read(
        to, as: .list(of: .reference(to: .channel)), owner: "to of a route", at: place.member("to"))
    }
    return elements
  }
}
