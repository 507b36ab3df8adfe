import Pipeline
import Scripting

/// What a test runs: one script alone, or a whole configuration, put together afresh for each start.
struct SubjectParts {
  var wiring: EngineWiring
  var sourceNames: [String]
  var channels: [String]
  /// How each channel delivers, where its settings say something else than usual.
  var policies: [String: DeliveryPolicy] = [:]
  /// What was put together, nil for a script alone.
  var configuration: Configuration?
  /// The number of the source behind each name that a test may use.
  var inputs: [String: Int]

  /// Loads one script with a source for each input, or those that `from` names, and one channel, `screen`.
  ///
  /// - Parameter name: the path that the script has its name from, where a reload took another file.
  static func script(
    _ path: String, named name: String, parameters: [String: Value], from: [String: String], coversLines: Bool
  ) throws(ClaimError) -> SubjectParts {
    let runner: ScriptRunner
    do {
      let file = try ScriptFile(path: path, name: path)
      let base = name.split(separator: "/").last.map(String.init) ?? name
      runner = try ScriptRunner(
        name: base.hasSuffix(".lua") ? String(base.dropLast(4)) : base, file: file, parameters: parameters,
        limits: ScriptLimits.standard.machine, logByteLimit: Int(ScriptLimits.standard.logBytes),
        coversLines: coversLines)
    } catch {
      throw ClaimError("can't load the script: \(error)")
    }
    for (input, _) in from.sorted(by: { $0.key < $1.key }) where !runner.inputs.contains(input) {
      throw ClaimError(
        "'from' names the input '\(input)', but \(path) has no handler M.on.\(input); it has "
          + runner.inputs.map { "'\($0)'" }.joined(separator: ", "))
    }
    let origins = runner.inputs.map { (input: $0, source: from[$0] ?? $0) }
    let sourceNames = Set(origins.map(\.source)).sorted()
    var feeds: [[EngineWiring.Feed]] = sourceNames.map { _ in [] }
    var inputs: [String: Int] = [:]
    for (number, name) in sourceNames.enumerated() { inputs[name] = number }
    for (input, source) in origins {
      guard let number = sourceNames.firstIndex(of: source) else { continue }
      feeds[number].append(EngineWiring.Feed(runner: runner, input: input))
      inputs[input] = number
    }
    let router = AlertRouter(routes: [], channels: ["screen"])
    return SubjectParts(
      wiring: EngineWiring(runners: [runner], feeds: feeds, router: router), sourceNames: sourceNames,
      channels: ["screen"], inputs: inputs)
  }

  /// Reads a configuration and loads its scripts.
  static func configuration(
    _ path: String, registry: Registry, coversLines: Bool
  ) throws(ClaimError) -> SubjectParts {
    let (assembly, findings) = Assembly.load(path, registry: registry, coversLines: coversLines)
    guard let assembly else { throw ClaimError("the configuration has faults:\n\(findings)") }
    var inputs: [String: Int] = [:]
    for (number, feeds) in assembly.wiring.feeds.enumerated() {
      for feed in feeds { inputs[feed.input] = number }
    }
    // A source's own name counts before the name of an input.
    for (number, name) in assembly.sourceNames.enumerated() { inputs[name] = number }
    let policies: [String: DeliveryPolicy]
    do {
      policies = try assembly.configuration.deliveryPolicies(registry)
    } catch {
      throw ClaimError("\(path): \(error)")
    }
    return SubjectParts(
      wiring: assembly.wiring, sourceNames: assembly.sourceNames,
      channels: assembly.configuration.alertChannels, policies: policies,
      configuration: assembly.configuration,
      inputs: inputs)
  }

  /// The text behind a place such as `alert.lua:12` of a script, a few lines of it; nil where it isn't known.
  func excerpt(of script: String, at place: String) -> [String]? {
    guard let colon = place.lastIndex(of: ":"), let line = Int(place[place.index(after: colon)...]),
      let file = wiring.runners.first(where: { $0.name == script })?.source.file
    else { return nil }
    let name = String(place[..<colon])
    let source =
      name == file.name ? file.source : file.modules[String(name.dropLast(4)).replacing("/", with: ".")]
    return source.map { SourceExcerpt.lines(of: $0, around: line) }
  }

  /// How often the lines of the scripts ran, by the paths of their files.
  var coverage: LineCoverage {
    var coverage = LineCoverage()
    for runner in wiring.runners {
      let main = runner.source.file.name
      let folder = main.lastIndex(of: "/").map { String(main[...$0]) } ?? ""
      // Modules are known by their paths from there.
      coverage.add(runner.coverage.renamed { $0 == main ? $0 : folder + $0 })
    }
    return coverage
  }
}
