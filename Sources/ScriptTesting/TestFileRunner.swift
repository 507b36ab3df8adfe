import Pipeline
import Scripting

/// Runs the tests of one file, each in a machine of its own.
///
/// The actor is where the engines of the tests live; one call runs from beginning to end without a suspension.
actor TestFileRunner {
  private let path: String
  private let registry: Registry

  init(path: String, registry: Registry) {
    self.path = path
    self.registry = registry
  }

  /// A test's own code: generous, since it may walk through whole recordings, and bounded all the same.
  private static var limits: MachineLimits {
    var limits = MachineLimits()
    limits.steps = 2_000_000_000
    limits.milliseconds = 120_000
    limits.memoryBytes = 256 << 20
    return limits
  }

  func run() -> TestFileResult {
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
    for (index, test) in tests.enumerated() { result.tests.append(run(test, at: index, of: file)) }
    return result
  }

  private struct LoadError: Error { var failure: TestFailure }

  private func load(_ file: ScriptFile) -> Result<(ScriptMachine, TestSession), LoadError> {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    let session = TestSession(folder: folder, registry: registry) { parts, now, storage in
      VirtualEngine(
        wiring: parts.wiring, sourceNames: parts.sourceNames, channels: parts.channels, now: now,
        storage: storage, repliesByHand: true, isolation: self)
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

  private func run(_ test: ScriptMachine.TestCase, at index: Int, of file: ScriptFile) -> TestResult {
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
