import Pipeline

/// What a configuration keeps, as a command looks at it.
struct StoredState {
  let configuration: Configuration
  let reader: StorageReader

  /// Opens the storage of a configuration.
  ///
  /// - Throws: ``StorageError`` where there is nothing to read, ``UsageError`` for a configuration without storage.
  init(_ configuration: Configuration, _ registry: Registry) throws {
    self.configuration = configuration
    guard let storage = configuration.storage else {
      throw UsageError(
        "\(configuration.file) has no storage, so nothing is kept; add storage = storage.sqlite { … }")
    }
    let settings: SQLiteSettings = try registry.make(storage)
    reader = try StorageReader(file: settings.file)
  }

  /// The script of a name, or the only one.
  func script(named name: String?) throws(UsageError) -> ScriptConfiguration {
    let scripts = configuration.scripts
    guard let name else {
      if scripts.count == 1, let only = scripts.values.first { return only }
      throw UsageError(
        "name one of the scripts with --script: \(scripts.keys.sorted().joined(separator: ", "))")
    }
    guard let script = scripts[name] else {
      throw UsageError(
        "the configuration has no script '\(UsageError.shown(name))'; \(Suggestion.hint(for: name, among: scripts.keys))"
      )
    }
    return script
  }
}

extension Command {
  /// What the command does with the storage of the configuration that its first operand names.
  static func onStorage(
    _ arguments: Arguments, _ console: Console, _ body: (StoredState) throws -> ExitCode
  ) -> ExitCode {
    let (configuration, findings) = Assembly.readConfiguration(
      arguments.operands[0], registry: console.registry, needsScripts: false)
    guard let configuration else { return console.refuse(findings) }
    do {
      return try body(try StoredState(configuration, console.registry))
    } catch let error as UsageError {
      console.complain("\(error)")
      return .wrongUsage
    } catch {
      console.complain("\(error)")
      return .failure
    }
  }
}

extension Arguments {
  /// Whether to write JSON: as `--format` says, otherwise where the output is no terminal.
  func writesJSON(to output: Output) -> Bool { (format ?? (output.isTerminal ? .text : .json)) == .json }
}
