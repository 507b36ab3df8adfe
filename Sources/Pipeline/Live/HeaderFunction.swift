import Scripting

/// The function of a configuration that makes the headers of an opening request, anew for each connection.
///
/// It runs in a machine of its own, in the sandbox and with limits. It is given the name of the source, the number of
/// the connection and the time, and `env` gives it the texts of variables. Confined to the thread of the sources.
final class HeaderFunction {
  private let reference: FunctionReference
  private let program: ConfigurationProgram
  private let source: String
  private let variables: RevealedVariables
  private var machine: ScriptMachine?

  init(
    _ reference: FunctionReference, of program: ConfigurationProgram, source: String,
    variables: RevealedVariables = RevealedVariables()
  ) {
    self.reference = reference
    self.program = program
    self.source = source
    self.variables = variables
  }

  /// The header fields for a connection, in the order of their names.
  ///
  /// - Throws: ``ScriptFailure`` when it fails or returns something else than a table of texts; no text of it holds a
  ///   variable that the function has read.
  func fields(connection: Int, at time: Timestamp) throws(ScriptFailure) -> [(name: String, value: String)] {
    do throws(ScriptFailure) {
      return try read(try call(connection: connection, at: time))
    } catch {
      var reason = variables.redacted(error.reason)
      // What was asked for outside of the function shows as a table where a text is wanted.
      let missing = variables.missing.sorted().filter { !reason.contains($0) }
      if reason.contains("a table value"), !missing.isEmpty {
        reason += "; not set in the environment: \(missing.joined(separator: ", "))"
      }
      throw ScriptFailure(reason: "the function for headers failed: \(reason)")
    }
  }

  private func call(connection: Int, at time: Timestamp) throws(ScriptFailure) -> Value {
    let machine: ScriptMachine
    if let made = self.machine {
      machine = made
    } else {
      machine = try ConfigurationFile.machine(
        program.file, registry: program.registry, variables: variables)
      // No source is read meanwhile, and pongs are to leave within 100 ms.
      machine.boundCalls(steps: 1_000_000, milliseconds: 80)
      self.machine = machine
    }
    let context: Value = [
      "source": .text(source), "connection": .integer(Int64(connection)), "time": .integer(time.milliseconds),
    ]
    return try machine.call(reference.number, context, time: time.milliseconds)
  }

  private func read(_ result: Value) throws(ScriptFailure) -> [(name: String, value: String)] {
    if result == .list([]) { return [] }
    guard case .map(let members) = result, EnvironmentReference(result) == nil else {
      throw ScriptFailure(
        reason: "\(reference.place): expected a table of headers, got \(result.kindName)")
    }
    var fields: [(name: String, value: String)] = []
    for (name, value) in members.sorted(by: { $0.key < $1.key }) {
      if let variable = EnvironmentReference(value) {
        throw ScriptFailure(
          reason: "\(reference.place): the environment variable \(variable.name) is not set")
      }
      guard let text = value.text else {
        throw ScriptFailure(
          reason: "\(reference.place): expected a text for the header \(LuaText.found(.text(name))), got "
            + value.kindName)
      }
      fields.append((name, text))
    }
    return fields
  }
}
