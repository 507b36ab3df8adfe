import Pipeline
import Scripting

extension Command {
  /// `status`: shows how a running host is doing.
  static let status = Command(
    name: "status", summary: "Shows how the running host of a configuration is doing",
    operands: [Operand(name: "CONFIG")], options: [.listFormat],
    details: [
      "Sources with the age of their last message and its lag, which is how long after it happened it came; scripts "
        + "with what they handled and failed on; alerts that wait; the storage; and what became of the last reload. It "
        + "asks the host over a socket beside its storage file, or in XDG_RUNTIME_DIR where nothing is stored.",
      "It ends with 1 when no host runs, and tells what is stored then.",
    ],
    examples: ["pipeline status config.lua", "pipeline status config.lua --format json"]
  ) { arguments, console in
    await onHost(arguments, console, .status, timeout: .seconds(15)) { answer in
      guard let status = answer["status"] else { return .failure }
      let deadLetters = Self.deadLetters(arguments, console)
      if arguments.writesJSON(to: console.output) {
        guard case .map(var members) = status else { return .failure }
        members["dead_letters"] = deadLetters.map { .integer(Int64($0)) } ?? .null
        return console.print(Value.map(members).json + "\n") ?? .success
      }
      return console.print(StatusPage(status, deadLetters: deadLetters).text) ?? .success
    }
  }

  /// How many alerts were given up, as far as the storage keeps them; nil without one, or where it can't be read: the
  /// host's own account is asked for, and commands about the storage say what is wrong with it.
  private static func deadLetters(_ arguments: Arguments, _ console: Console) -> Int? {
    let configuration = Assembly.readConfiguration(
      arguments.operands[0], registry: console.registry, needsScripts: false
    ).0
    guard let configuration, let stored = try? StoredState(configuration, console.registry) else {
      return nil
    }
    return try? stored.reader.history(limit: 10_000, filter: .deadLetters).count
  }

  /// Asks the running host of the configuration that the first operand names; without one it is told what is stored.
  static func onHost(
    _ arguments: Arguments, _ console: Console, _ request: ControlRequest, timeout: Milliseconds,
    _ body: (Value) -> ExitCode
  ) async -> ExitCode {
    let file = arguments.operands[0]
    let (configuration, findings) = Assembly.readConfiguration(
      file, registry: console.registry, needsScripts: false)
    guard let configuration else { return console.refuse(findings) }
    let paths = ControlAddress.paths(of: configuration, registry: console.registry)
    do throws(ControlFault) {
      guard let answer = try ControlClient.ask(request, at: paths, timeout: timeout) else {
        console.complain(
          "no host is running \(file)\(stored(configuration, console)); 'pipeline run \(file)' starts one")
        return .failure
      }
      guard answer["ok"] == true else {
        throw ControlFault(answer["error"]?.text ?? "the host gave an answer that this program does not know")
      }
      return body(answer)
    } catch {
      console.complain("\(error)")
      return .failure
    }
  }

  /// What waits in the storage of a host that doesn't run; nothing where it can't be read, since that no host runs is
  /// the answer all the same.
  private static func stored(_ configuration: Configuration, _ console: Console) -> String {
    guard let stored = try? StoredState(configuration, console.registry),
      let waiting = try? stored.reader.outbox().count,
      let given = try? stored.reader.history(limit: 10_000, filter: .deadLetters).count
    else { return "" }
    return
      "; its storage holds \(counted(waiting, "alert")) to be delivered and \(counted(given, "dead letter"))"
  }
}
