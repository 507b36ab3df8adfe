/// Who gets what: the scripts of a configuration with the sources that feed them, and the routes of alerts.
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

  /// The scripts in the order in which a message passes them.
  package let runners: [ScriptRunner]
  /// By the number of the source.
  package let feeds: [[Feed]]
  package let router: AlertRouter

  /// Makes a wiring; feeds are given by the source's number.
  package init(runners: [ScriptRunner], feeds: [[Feed]], router: AlertRouter) {
    self.runners = runners
    self.feeds = feeds
    self.router = router
  }

  /// When something of any script falls due, nil for never.
  package var nextDue: Timestamp? { runners.compactMap(\.nextDue).min() }

  /// The numbers of the sources that feed a script.
  func sources(of runner: ScriptRunner) -> [Int] {
    feeds.indices.filter { source in feeds[source].contains { $0.runner === runner } }
  }

  /// The scripts that a source feeds, each once.
  func runners(fedBy source: Int) -> [ScriptRunner] {
    runners.filter { runner in feeds[source].contains { $0.runner === runner } }
  }
}
