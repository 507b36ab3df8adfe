/// Who gets what: the scripts of a configuration with what feeds them, and the routes of alerts.
package struct EngineWiring {
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

  /// The scripts in the order in which a message passes them: each before those that it feeds.
  package let runners: [ScriptRunner]
  /// By the number of the source.
  package let feeds: [[Feed]]
  /// What others get of each script, in the order of the scripts.
  package let topics: [[Topic]]
  package let router: AlertRouter
  /// Whether any script feeds another one.
  let hasTopics: Bool
  /// The places of the scripts that a source reaches, directly or through others; by the source's number.
  private let reached: [[Int]]

  /// Makes a wiring; feeds are given by the source's number, topics by the script's place in the order.
  package init(runners: [ScriptRunner], feeds: [[Feed]], topics: [[Topic]] = [], router: AlertRouter) {
    self.runners = runners
    self.feeds = feeds
    let topics = topics.isEmpty ? runners.map { _ in [] } : topics
    self.topics = topics
    self.router = router
    hasTopics = topics.contains { !$0.isEmpty }
    reached = feeds.map { feeds in
      var reached = Set<Int>()
      var next = feeds.map(\.runner)
      while let runner = next.popLast() {
        guard let place = runners.firstIndex(where: { $0 === runner }) else { continue }
        guard reached.insert(place).inserted else { continue }
        next += topics[place].flatMap(\.feeds).map(\.runner)
      }
      return reached.sorted()
    }
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

  /// The scripts that a source reaches, each once.
  func runners(fedBy source: Int) -> [ScriptRunner] { reached[source].map { runners[$0] } }
}
