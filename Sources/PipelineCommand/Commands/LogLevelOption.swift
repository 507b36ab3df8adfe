import Pipeline

extension OptionDeclaration {
  /// The least level of the log.
  static let logLevel = OptionDeclaration(
    "log-level", .choice(LogLevel.allCases.map(\.name)), "the least level of the log, 'info' if not given")

  /// How alerts are written.
  static let format = OptionDeclaration(
    "format", .choice(ConsoleChannel.Format.allCases.map(\.rawValue)),
    "how alerts are written; text on a terminal and JSON lines otherwise if not given")
}

extension Arguments {
  /// The level given with `--log-level`.
  var logLevel: LogLevel { LogLevel.allCases.first { $0.name == text("log-level") } ?? .info }

  /// The format given with `--format`.
  var format: ConsoleChannel.Format? { text("format").flatMap(ConsoleChannel.Format.init(rawValue:)) }
}
