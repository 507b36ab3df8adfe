import Pipeline

extension Command {
  /// `version`: says which program this is.
  static let version = Command(name: "version", summary: "Prints the version of the program") { _, console in
    console.print("pipeline \(ProgramVersion.current)\n") ?? .success
  }
}
