import Pipeline
import Scripting

/// One test at work: the subjects it made, whether it claimed anything, and how it failed.
///
/// Confined to the actor that runs the test file.
final class TestSession {
  /// Subjects of one file at most.
  static let subjectLimit = 64

  /// The folder that names of scripts start from, with its slash.
  let folder: String
  let registry: Registry
  let makeEngine: Subject.MakeEngine
  /// Whether the lines of scripts that run are counted.
  let coversLines: Bool
  private(set) var subjects: [Subject] = []
  /// Whether a test runs, and not only its file.
  var isRunning = false
  private(set) var claimCount = 0
  private(set) var failure: TestFailure?

  init(
    folder: String, registry: Registry, coversLines: Bool, makeEngine: @escaping Subject.MakeEngine
  ) {
    self.folder = folder
    self.registry = registry
    self.coversLines = coversLines
    self.makeEngine = makeEngine
  }

  /// A file's path, from the folder of the test.
  func path(_ file: String) -> String { file.hasPrefix("/") ? file : folder + file }

  func add(_ subject: Subject) -> Value {
    subjects.append(subject)
    return .integer(Int64(subjects.count - 1))
  }

  func countClaim() { claimCount += 1 }

  /// The first failure counts, also when the test catches its error.
  func fail(_ error: ClaimError, message: String, line: Int?, subject: Subject?) {
    guard failure == nil else { return }
    failure = TestFailure(
      line: error.line ?? line, message: message, unclaimed: error.unclaimed,
      history: subject?.shownHistory ?? [])
  }

  /// Settles what the last verbs did, and refuses a test that claimed nothing.
  func finish(line: Int) {
    guard failure == nil else { return }
    for subject in subjects {
      do throws(ClaimError) {
        try subject.settle()
      } catch {
        return fail(error, message: error.message, line: line, subject: subject)
      }
    }
    guard claimCount == 0 else { return }
    failure = TestFailure(
      line: line,
      message:
        "the test claims nothing, so it can't fail; claim something, such as t.state { … } or t.nothing()")
  }
}
