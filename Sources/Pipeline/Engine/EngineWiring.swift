/// Who gets what: the scripts of a configuration with what feeds them, and the routes of alerts.
///
/// Shared by the parts of one engine and confined to it; a reload changes it between two turns.
package final class EngineWiring {
  /// One input of one script.
  package struct Feed {
    package let runner: ScriptRunner
    package let input: String

    /// Makes a feed of an input.
    package init(runner: ScriptRunner, input: String) {
      self.runner = runner
      self.input = input
    }
  }

  /// What a script emits under a name, and who gets it.
  package struct Topic {
    package let name: String
    package var feeds: [Feed]

    /// Makes a topic.
    package init(name: String, feeds: [Feed]) {
      self.name = name
      self.feeds = feeds
    }
  }

  /// A reducer written in Swift, and who gets what it emits.
  package struct Native {
    package let stage: any NativeStage
    /// The input by the number of the source that feeds it.
    package let inputs: [Int: String]
    package var topics: [Topic]
  }

  /// The reducers written in Swift; each message passes them before the scripts.
  // Unchecked, here and below, because each access is a load or a store on the engine's thread, several for each batch.
  @exclusivity(unchecked) package private(set) var natives: [Native]
  /// The scripts in the order in which a message passes them: each before those that it feeds.
  @exclusivity(unchecked) package private(set) var runners: [ScriptRunner]
  /// By the number of the source.
  @exclusivity(unchecked) package private(set) var feeds: [[Feed]] {
    didSet { hasTwins = Self.hasTwins(feeds) }
  }
  /// Whether a source feeds several inputs of a script, by its number.
  @exclusivity(unchecked) private(set) var hasTwins: [Bool]
  /// What others get of each script, in the order of the scripts.
  package private(set) var topics: [[Topic]]
  package private(set) var router: AlertRouter
  /// What reads the messages of each source, by its number; nil where they pass as they come.
  let intakes: [MessageIntake?]
  /// Whether anything feeds a script besides the sources.
  @exclusivity(unchecked) private(set) var hasTopics: Bool
  /// The number of the group of each script, in the order of the scripts; topics connect those of one.
  private(set) var groups: [Int]
  private(set) var groupCount: Int
  /// The places of the scripts that a source reaches, directly or through others; by the source's number.
  private var reached: [[Int]]

  /// Makes a wiring; feeds are given by the source's number, topics by the script's place in the order.
  package init(
    runners: [ScriptRunner], feeds: [[Feed]], topics: [[Topic]] = [], natives: [Native] = [],
    router: AlertRouter, intakes: [MessageIntake?] = []
  ) {
    self.intakes = intakes.isEmpty ? feeds.map { _ in nil } : intakes
    self.natives = natives
    self.runners = runners
    self.feeds = feeds
    hasTwins = Self.hasTwins(feeds)
    let topics = topics.isEmpty ? runners.map { _ in [] } : topics
    self.topics = topics
    self.router = router
    hasTopics = topics.contains { !$0.isEmpty } || !natives.isEmpty
    reached = Self.reached(runners, feeds, topics, natives)
    (groups, groupCount) = Self.groups(runners, topics, natives)
  }

  private static func hasTwins(_ feeds: [[Feed]]) -> [Bool] {
    feeds.map { feeds in Set(feeds.map { ObjectIdentifier($0.runner) }).count < feeds.count }
  }

  /// The groups of scripts that topics connect, directly or through others, and how many there are.
  private static func groups(
    _ runners: [ScriptRunner], _ topics: [[Topic]], _ natives: [Native]
  ) -> (numbers: [Int], count: Int) {
    var numbers = Array(runners.indices)
    func join(_ first: Int?, _ feeds: [Feed]) {
      var first = first
      for feed in feeds {
        guard let place = runners.firstIndex(where: { $0 === feed.runner }) else { continue }
        let (one, other) = (numbers[first ?? place], numbers[place])
        first = first ?? place
        for index in numbers.indices where numbers[index] == other { numbers[index] = one }
      }
    }
    for (place, topics) in topics.enumerated() { join(place, topics.flatMap(\.feeds)) }
    for native in natives { join(nil, native.topics.flatMap(\.feeds)) }
    let kept = Set(numbers).sorted()
    return (numbers.map { kept.firstIndex(of: $0) ?? 0 }, kept.count)
  }

  private static func reached(
    _ runners: [ScriptRunner], _ feeds: [[Feed]], _ topics: [[Topic]], _ natives: [Native]
  ) -> [[Int]] {
    feeds.enumerated().map { source, feeds in
      var reached = Set<Int>()
      var next = feeds.map(\.runner)
      for native in natives where native.inputs[source] != nil {
        next += native.topics.flatMap(\.feeds).map(\.runner)
      }
      while let runner = next.popLast() {
        guard let place = runners.firstIndex(where: { $0 === runner }) else { continue }
        guard reached.insert(place).inserted else { continue }
        next += topics[place].flatMap(\.feeds).map(\.runner)
      }
      return reached.sorted()
    }
  }

  /// Takes over who feeds whom, and the routes, of another wiring of scripts of the same names; the scripts stay.
  func rewire(as other: EngineWiring) {
    var own: [ObjectIdentifier: ScriptRunner] = [:]
    for runner in other.runners { own[ObjectIdentifier(runner)] = runners.first { $0.name == runner.name } }
    func moved(_ feeds: [Feed]) -> [Feed] {
      feeds.compactMap { feed in
        own[ObjectIdentifier(feed.runner)].map { Feed(runner: $0, input: feed.input) }
      }
    }
    feeds = other.feeds.map(moved)
    topics = other.topics.map { $0.map { Topic(name: $0.name, feeds: moved($0.feeds)) } }
    for place in natives.indices {
      let name = natives[place].stage.name
      guard let native = other.natives.first(where: { $0.stage.name == name }) else { continue }
      natives[place] = Native(
        stage: natives[place].stage, inputs: native.inputs,
        topics: native.topics.map { Topic(name: $0.name, feeds: moved($0.feeds)) })
    }
    runners = other.runners.compactMap { own[ObjectIdentifier($0)] }
    router = other.router
    hasTopics = other.hasTopics
    reached = Self.reached(runners, feeds, topics, natives)
    (groups, groupCount) = Self.groups(runners, topics, natives)
  }

  /// When something of any script falls due, nil for never.
  package var nextDue: Timestamp? {
    // Asked for each message where scripts feed scripts, so it makes no list.
    var next: Timestamp?
    for runner in runners {
      if let due = runner.nextDue { next = min(next ?? due, due) }
    }
    return next
  }

  /// Whether what a script emits under a name goes to any other one.
  package func isFed(by script: String, topic: String) -> Bool {
    zip(runners, topics).contains { runner, topics in
      runner.name == script && topics.contains { $0.name == topic }
    }
  }

  /// The numbers of the sources that reach a script.
  func sources(of runner: ScriptRunner) -> [Int] {
    guard let place = runners.firstIndex(where: { $0 === runner }) else { return [] }
    return reached.indices.filter { reached[$0].contains(place) }
  }

  /// Whether scripts get the messages of a source as the JSON that they are, whole or in parts.
  package func decodes(_ source: Int) -> Bool { intakes[source]?.decodes ?? true }

  /// The scripts that a source reaches, each once.
  func runners(fedBy source: Int) -> [ScriptRunner] { reached[source].map { runners[$0] } }
}
