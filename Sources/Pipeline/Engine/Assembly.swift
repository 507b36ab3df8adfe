package import Scripting

/// A configuration put together: scripts loaded, feeds and routes connected, everything checked.
package struct Assembly {
  package let configuration: Configuration
  package let wiring: EngineWiring
  /// The names of the sources in the order of their numbers.
  package let sourceNames: [String]
  /// What is allowed and probably not meant, one sentence each with its place.
  package let warnings: [String]
  /// The files of the scripts, by the scripts' names.
  package let files: [String: ScriptFile]

  /// Reads a configuration file and loads its scripts.
  ///
  /// - Parameter coversLines: whether the lines of scripts that run are counted, for tests.
  /// - Returns: the assembly, nil if there is any fault, and every fault found.
  package static func load(
    _ path: String, registry: Registry, coversLines: Bool = false
  ) -> (Assembly?, Findings) {
    let (configuration, findings) = readConfiguration(path, registry: registry)
    guard let configuration else { return (nil, findings) }
    return assemble(configuration, registry: registry, coversLines: coversLines)
  }

  /// Reads a configuration file alone.
  package static func readConfiguration(
    _ path: String, registry: Registry, needsScripts: Bool = true
  ) -> (Configuration?, Findings) {
    var findings = Findings()
    let begin = Timestamp.systemClock()
    do {
      let file = try ScriptFile(path: path, name: path)
      var (configuration, findings) = Configuration.read(
        try ConfigurationFile.evaluate(file, registry: registry), file: path, registry: registry,
        needsScripts: needsScripts, fileExists: TextFile.exists)
      configuration?.program = ConfigurationProgram(file: file, registry: registry)
      configuration?.readAt = begin
      return (configuration, findings)
    } catch let failure as ScriptFailure {
      findings.add(failure.finding(in: path))
    } catch {
      findings.add(Place(file: path), "\(error)")
    }
    return (nil, findings)
  }

  /// Loads the scripts of a configuration and connects them.
  package static func assemble(
    _ configuration: Configuration, registry: Registry, coversLines: Bool = false
  ) -> (Assembly?, Findings) {
    var findings = Findings()
    let sourceNames = configuration.sources.keys.sorted()
    var natives = natives(of: configuration, registry: registry, &findings)
    var runners: [ScriptRunner] = []
    var feeds: [[EngineWiring.Feed]] = sourceNames.map { _ in [] }
    var topics: [[EngineWiring.Topic]] = []
    var files: [String: ScriptFile] = [:]
    var warnings: [String] = []
    for name in configuration.scriptOrder {
      guard let script = configuration.scripts[name] else { continue }
      for (output, target) in script.outputs.sorted(by: { $0.key < $1.key }) {
        let component = configuration.sources[target] ?? configuration.channels[target]
        guard let component, component.spec.abilities.isEmpty else { continue }
        findings.add(
          script.place.member("outputs").member(output),
          "'\(target)' is a \(component.spec.constructor), which takes nothing from scripts")
      }
      guard let runner = load(script, of: configuration, &files, &findings, coversLines) else { continue }
      runners.append(runner)
      topics.append([])
      let place = script.place.member("from")
      for (input, origin) in script.inputs.sorted(by: { $0.key < $1.key }) {
        guard runner.inputs.contains(input) else {
          findings.add(
            place.member(input),
            "\(script.file) has no handler M.on.\(input); "
              + Suggestion.hint(for: input, among: runner.inputs))
          continue
        }
        switch origin {
        case .source(let source):
          if let number = sourceNames.firstIndex(of: source) {
            feeds[number].append(EngineWiring.Feed(runner: runner, input: input))
          }
        case .topic(let reducer, let topic) where configuration.reducers[reducer] != nil:
          let feed = EngineWiring.Feed(runner: runner, input: input)
          if let hint = natives.add(feed, to: topic, of: reducer) {
            findings.add(place.member(input), hint)
          }
        case .topic(let script, let topic):
          guard let feeder = runners.firstIndex(where: { $0.name == script }) else { continue }
          if files[script]?.mentions(topic) == false {
            warnings.append(
              "\(place.member(input)): warning: \(configuration.scripts[script]?.file ?? script) never names "
                + "the topic '\(topic)', so nothing may come; emit(\"\(topic)\", …) sends it")
          }
          let feed = EngineWiring.Feed(runner: runner, input: input)
          if let index = topics[feeder].firstIndex(where: { $0.name == topic }) {
            topics[feeder][index].feeds.append(feed)
          } else {
            topics[feeder].append(EngineWiring.Topic(name: topic, feeds: [feed]))
          }
        }
      }
      for input in script.warmUps.keys.sorted() where !runner.inputs.contains(input) {
        findings.add(
          script.place.member("warm_up").member(input),
          "\(script.file) has no handler M.on.\(input); "
            + Suggestion.hint(for: input, among: runner.inputs))
      }
      for input in runner.inputs where script.inputs[input] == nil && script.warmUps[input] == nil {
        findings.add(
          place, "nothing feeds M.on.\(input) of \(script.file); add \(input) = \"…\", or remove the handler")
      }
    }
    let channels = configuration.alertChannels
    var router = AlertRouter(routes: [], channels: channels)
    do {
      // Not `nil`: as a literal of a value that would be null.
      let routes = configuration.routes.isEmpty ? Value?.none : Value.list(configuration.routes)
      router = try AlertRouter(reading: routes, channels: channels)
    } catch {
      for finding in error.findings { findings.add(Place(file: configuration.file), finding) }
    }
    guard findings.isEmpty else { return (nil, findings) }
    if configuration.storage == nil, let index = router.routes.firstIndex(where: { $0.hold != nil }) {
      warnings.append(
        "\(configuration.file): warning: routes[\(index + 1)] holds alerts and there is no storage, so those held at the "
          + "program's end are lost; add storage = storage.sqlite { … }")
    }
    warnings += unheld(router, of: configuration, registry: registry)
    let wiring = EngineWiring(
      runners: runners, feeds: feeds, topics: topics, natives: natives, router: router,
      intakes: sourceNames.map { configuration.sources[$0]?.makeIntake() })
    warnings += router.warnings.map { "\(configuration.file): warning: \($0)" }
    warnings += keyWarnings(configuration, wiring, sourceNames: sourceNames)
    let assembly = Assembly(
      configuration: configuration, wiring: wiring, sourceNames: sourceNames, warnings: warnings,
      files: files)
    return (assembly, findings)
  }

  /// Warns of routes that hold alerts of channels to which they go at once.
  private static func unheld(
    _ router: AlertRouter, of configuration: Configuration, registry: Registry
  ) -> [String] {
    // Options that no channel can be made of are told where one is made.
    guard let policies = try? configuration.deliveryPolicies(registry) else { return [] }
    return router.routes.enumerated().filter { $0.element.hold != nil }.flatMap { index, route in
      route.channels.filter { policies[$0]?.isToldAtOnce == true }.map { channel in
        "\(configuration.file): warning: routes[\(index + 1)] holds nothing back from '\(channel)', which shows each "
          + "alert from its beginning to its end and gets it at once"
      }
    }
  }

  private static func load(
    _ script: ScriptConfiguration, of configuration: Configuration, _ files: inout [String: ScriptFile],
    _ findings: inout Findings, _ coversLines: Bool
  ) -> ScriptRunner? {
    do {
      let file = try ScriptFile(path: script.path, name: script.path)
      files[script.name] = file
      return try ScriptRunner(
        name: script.name, file: file, parameters: script.parameters, limits: script.limits.machine,
        logByteLimit: Int(script.limits.logBytes), effectByteLimit: Int(script.limits.effectBytes),
        outputs: ScriptOutputs(script, of: configuration), coversLines: coversLines)
    } catch let failure as ScriptFailure {
      findings.add(failure.finding(in: script.path))
    } catch {
      findings.add(script.place.member("file"), "\(error)")
    }
    return nil
  }
}

extension ScriptFailure {
  /// The failure with its place taken from the front of its reason, `file:line: …`, where there is one.
  package func finding(in path: String) -> Finding {
    let prefix = "\(path):"
    guard reason.hasPrefix(prefix) else { return Finding(Place(file: path), reason) }
    let rest = reason.dropFirst(prefix.count)
    let digits = rest.prefix { $0.isNumber }
    let text = rest.dropFirst(digits.count).drop { $0 == ":" || $0 == " " }
    return Finding(Place(file: path, line: Int(digits)), String(text))
  }
}

extension Findings {
  /// Adds a finding.
  package mutating func add(_ finding: Finding) { add(finding.place, finding.message) }
}
