import Pipeline
import Scripting

/// The functions of `test` and of the table it returns, as the machine of a test file calls them.
struct TestFunctions {
  typealias Body = (Subject, ArgumentReader, ScriptCall) throws(ClaimError) -> Value?

  let session: TestSession

  var all: [HostFunction] { makers + verbs + claims }

  /// The declarations of what a test can call beyond what every file can.
  static let specs = FunctionSpec.tests + FunctionSpec.verbs + FunctionSpec.claims

  // MARK: - Subjects

  private var makers: [HostFunction] {
    [
      maker(.testScript) { [session] path, options throws(ClaimError) in
        let parameters = try options.members("params")
        var from: [String: String] = [:]
        for (input, source) in try options.members("from") {
          guard let name = source.text else {
            throw ClaimError("'from.\(input)': expected the name of a source")
          }
          from[input] = name
        }
        let now = try options.time("now") ?? Self.start
        return try Subject(now: now, makeEngine: session.makeEngine) { change throws(ClaimError) in
          try SubjectParts.script(
            change.file ?? path, named: path, parameters: change.parameters ?? parameters, from: from,
            coversLines: session.coversLines)
        }
      },
      maker(.testConfig) { [session] path, options throws(ClaimError) in
        let now = try options.time("now") ?? Self.start
        return try Subject(now: now, makeEngine: session.makeEngine) { change throws(ClaimError) in
          try SubjectParts.configuration(
            change.file ?? path, registry: session.registry, coversLines: session.coversLines)
        }
      },
    ]
  }

  /// 2026-01-01T00:00:00Z: where the clock of a test begins if it doesn't say.
  private static let start = Timestamp(milliseconds: 1_767_225_600_000)

  private func maker(
    _ spec: FunctionSpec, _ make: @escaping (String, OptionTable) throws(ClaimError) -> Subject
  ) -> HostFunction {
    HostFunction(spec) { [unowned session] arguments, call throws(HostFunctionError) in
      do throws(ClaimError) {
        let arguments = ArgumentReader(arguments)
        let file = try arguments.text(0, "the name of a file")
        guard session.subjects.count < TestSession.subjectLimit else {
          throw ClaimError("one test can make \(TestSession.subjectLimit) at most")
        }
        let path = session.path(file)
        return session.add(try make(path, try arguments.options(1, of: spec)))
      } catch {
        let line = call.line == 0 ? nil : Int(call.line)
        session.fail(error, message: "\(spec.name): \(error.message)", line: line, subject: nil)
        throw HostFunctionError(error.message)
      }
    }
  }

  /// A function of the table `t`, which is bound to the table's number.
  ///
  /// - Parameter part: the end of its name, where it does a part of what users know as one function.
  func function(
    _ spec: FunctionSpec, part: String = "", isClaim: Bool = false, _ body: @escaping Body
  ) -> HostFunction {
    HostFunction(spec.name + part, phase: .always) {
      [unowned session] arguments, call throws(HostFunctionError) in
      guard case .integer(let number)? = arguments.first, session.subjects.indices.contains(Int(number))
      else {
        throw HostFunctionError("call it on what test.script or test.config returned")
      }
      if let failure = session.failure { throw HostFunctionError("the test has failed: \(failure.message)") }
      let subject = session.subjects[Int(number)]
      do throws(ClaimError) {
        guard session.isRunning else {
          throw ClaimError("stands outside of a test; put it into it(\"…\", function() … end)")
        }
        let answer = try body(subject, ArgumentReader(Array(arguments.dropFirst())), call)
        if isClaim { session.countClaim() }
        return answer
      } catch {
        let line = call.line == 0 ? nil : Int(call.line)
        let message = error.line == nil ? "\(spec.name): \(error.message)" : error.message
        session.fail(error, message: message, line: line, subject: subject)
        throw HostFunctionError(error.message)
      }
    }
  }
}
