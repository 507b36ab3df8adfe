import Pipeline
import Scripting

/// Runs the tests of one file, each in a machine of its own.
///
/// The actor is where the engines of the tests live; one call runs from beginning to end without a suspension.
actor TestFileRunner {
  private let path: String
  private let registry: Registry
  private let coversLines: Bool

  /// - Parameter coversLines: whether the lines of scripts that run are counted.
  init(path: String, registry: Registry, coversLines: Bool) {
    self.path = path
    self.registry = registry
    self.coversLines = coversLines
  }

  /// A test's own code: generous, since it may walk through whole recordings, and bounded all the same.
  private static var limits: MachineLimits {
    var limits = MachineLimits()
    limits.steps = 2_000_000_000
    limits.milliseconds = 120_000
    limits.memoryBytes = 256 << 20
    return limits
  }

  /// Runs all tests of the file in an order of chance.
  func run(seed: UInt64) -> TestFileResult {
    let file: ScriptFile
    do throws(FileError) {
      file = try ScriptFile(path: path, name: path)
    } catch {
      return TestFileResult(path: path, failure: TestFailure(message: error.description))
    }
    var result = TestFileResult(path: path, source: file.source)
    let tests: [ScriptMachine.TestCase]
    switch load(file) {
    case .failure(let failure):
      return TestFileResult(path: path, source: file.source, failure: failure.failure)
    case .success(let (machine, _)): tests = machine.tests
    }
    if tests.isEmpty {
      result.failure = TestFailure(message: "the file has no test; write it(\"…\", function() … end)")
    }
    result.tests = tests.map { TestResult(name: $0.name, line: $0.line) }
    var random = SeededRandom(seed: seed)
    result.order = tests.indices.shuffled(using: &random)
    for index in result.order {
      result.tests[index] = run(tests[index], at: index, of: file, &result.coverage)
    }
    return result
  }

  private struct LoadError: Error { var failure: TestFailure }

  private func load(_ file: ScriptFile) -> Result<(ScriptMachine, TestSession), LoadError> {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let session = TestSession(folder: folder, registry: registry, coversLines: coversLines) {
      parts, now, storage in
      VirtualEngine(
        wiring: parts.wiring, sourceNames: parts.sourceNames, channels: parts.channels,
        policies: parts.policies, now: now,
        storage: storage, replies: .byHand, isolation: self)
    }
    let machine = ScriptMachine(
      profile: .test, limits: Self.limits, functions: TestFunctions(session: session).all)
    guard let machine else {
      return .failure(LoadError(failure: TestFailure(message: "no memory for the test")))
    }
    machine.setPrelude(Prelude.source)
    for (module, source) in file.modules.sorted(by: { $0.key < $1.key }) {
      machine.addModule(module, source: source)
    }
    do throws(ScriptFailure) {
      try machine.load(file.source, name: file.name)
    } catch {
      return .failure(LoadError(failure: session.failure ?? failure(error)))
    }
    return .success((machine, session))
  }

  private func run(
    _ test: ScriptMachine.TestCase, at index: Int, of file: ScriptFile, _ coverage: inout LineCoverage
  ) -> TestResult {
    let clock = ContinuousClock()
    let start = clock.now
    var result = TestResult(name: test.name, line: test.line)
    switch load(file) {
    case .failure(let error): result.failure = error.failure
    case .success(let (machine, session)):
      session.isRunning = true
      let failure = machine.runTest(index)
      session.isRunning = false
      if let failure {
        result.failure =
          session.failure ?? self.failure(failure, history: session.subjects.last?.shownHistory ?? [])
      } else {
        session.finish(line: test.line)
        result.failure = session.failure
      }
      if coversLines { for subject in session.subjects { coverage.add(subject.coverage) } }
    }
    result.duration = start.duration(to: clock.now)
    return result
  }

  /// A failure of the test's own code, with the place taken from the front of its reason.
  private func failure(_ failure: ScriptFailure, history: [String] = []) -> TestFailure {
    let finding = failure.finding(in: path)
    return TestFailure(line: finding.place.line, message: finding.message, history: history)
  }
}
