public import Scripting

/// One script as a configuration uses it.
public struct ScriptConfiguration: Sendable {
  /// The name the configuration gives it.
  public let name: String
  /// The script's file as the configuration writes it, such as `alert.lua`.
  public let file: String
  /// The path the file is opened by: `file`, from the folder of the configuration.
  public let path: String
  /// What each input of the script is fed from, by the input's name.
  public let inputs: [String: InputOrigin]
  /// The parameters the configuration gives; the script checks their types against its own defaults.
  public let parameters: [String: Value]
  /// What the script may use.
  public let limits: ScriptLimits
  /// The channel or source that each output of the script leads to, by the output's name.
  public let outputs: [String: String]
  /// The hosts that the script may send HTTP requests to, in lower case; `*` stands for any.
  public let hosts: [String]
  /// The histories that the script's inputs are warmed up with, by the input's name.
  package let warmUps: [String: WarmUpSettings]
  /// Where the configuration names the script.
  public let place: Place

  init(
    name: String, file: String, path: String, inputs: [String: InputOrigin], parameters: [String: Value],
    limits: ScriptLimits, outputs: [String: String], hosts: [String],
    warmUps: [String: WarmUpSettings], place: Place
  ) {
    self.name = name
    self.file = file
    self.path = path
    self.inputs = inputs
    self.parameters = parameters
    self.limits = limits
    self.outputs = outputs
    self.hosts = hosts
    self.warmUps = warmUps
    self.place = place
  }
}

/// What feeds an input of a script.
public enum InputOrigin: Sendable, Hashable, CustomStringConvertible {
  case source(String)
  case topic(script: String, topic: String)

  /// The origin as a configuration writes it: `btc` or `maker.bars`.
  public var description: String {
    switch self {
    case .source(let name): name
    case .topic(let script, let topic): "\(script).\(topic)"
    }
  }
}
