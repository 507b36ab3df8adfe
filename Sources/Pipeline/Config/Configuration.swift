public import Scripting

/// A configuration that was read and checked as a whole.
public struct Configuration: Sendable {
  /// The file as it was named to the program.
  public let file: String
  /// The sources by name.
  public let sources: [String: ConfiguredComponent]
  /// The scripts by name.
  public let scripts: [String: ScriptConfiguration]
  /// The reducers written in Swift that stand among the scripts, by name.
  public let reducers: [String: ReducerConfiguration]
  /// The channels by name.
  public let channels: [String: ConfiguredComponent]
  /// The routes of alerts as they were written, the names in `to` checked; empty if none are given.
  public let routes: [Value]
  /// The text it was read from, for the functions in it; nil where there is none.
  package var program: ConfigurationProgram?
  /// When the reading of its files began; nil where it is of none.
  package var readAt: Timestamp?
  /// The storage; nil for one in memory.
  public let storage: ConfiguredComponent?

  /// What the sections say that can't change while a host runs; to be compared, and never shown.
  var lasting: [String: Value] = [:]

  /// The names of the channels that alerts can be sent to, sorted.
  public var alertChannels: [String] { channels.filter { $0.value.spec.takesAlerts }.keys.sorted() }

  /// The scripts in the order in which one message passes them: each after those that feed it, and by name
  /// where that leaves a choice.
  public let scriptOrder: [String]

  /// Reads a configuration and reports every fault in it at once.
  ///
  /// - Parameters:
  ///   - value: what the configuration's Lua returned. A constructor call is a map of `$component`, `$line`
  ///     and `$fields`; a reference to the environment one of `$env` and `$line`.
  ///   - file: the configuration's file as it was named to the program; paths start from its folder.
  ///   - registry: the components that may be used.
  ///   - needsScripts: whether a configuration without scripts is a fault; it isn't for looking at a source.
  ///   - fileExists: tells whether a path can be opened.
  /// - Returns: the configuration, nil if there is any fault, and the faults.
  public static func read(
    _ value: Value, file: String, registry: Registry, needsScripts: Bool = true,
    fileExists: (String) -> Bool
  ) -> (Configuration?, Findings) {
    withoutActuallyEscaping(fileExists) { fileExists in
      var reading = ConfigurationReading(file: file, registry: registry, fileExists: fileExists)
      let configuration = reading.read(value, needsScripts: needsScripts)
      return (configuration, reading.validation.findings)
    }
  }
}
